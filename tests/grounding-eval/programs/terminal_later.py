"""More of what terminals show."""

R, G, Y, B, W, O = "\033[31m", "\033[32m", "\033[33m", "\033[34m", "\033[1m", "\033[0m"
INV = "\033[7m"

LATER = {
    "pods": f"""{W}NAME                        READY   STATUS             RESTARTS   AGE{O}
api-6f7c9d-k2x8p            1/1     Running            0          3d
api-6f7c9d-zz4ql            1/1     Running            0          3d
cache-0                     1/1     Running            1          12d
mailer-58b7-hh2wd           0/1     {R}CrashLoopBackOff{O}   14         41m
web-79cc-m9t5v              0/1     {Y}Pending{O}            0          9s

$ kubectl logs mailer-58b7-hh2wd
{B}connecting to smtp.internal:587{O}
{R}fatal: authentication failed for user 'robot'{O}
$ kubectl rollout undo deployment/mailer
deployment.apps/mailer rolled back
$ """,
    "commit": f"""{INV}  GNU nano 7.2              COMMIT_EDITMSG                              {O}
Fix the total of the basket

The price was taken before the discount.

# Please enter the commit message for your changes.
# On branch fix-total
# Changes to be committed:
#       modified:   src/basket.py
#       new file:   tests/test_basket.py
# Untracked files:
#       scratch.txt


{INV}             [ Read 11 lines ]             {O}
{INV}^G{O} Help        {INV}^O{O} Write Out   {INV}^W{O} Where Is    {INV}^K{O} Cut
{INV}^X{O} Exit        {INV}^R{O} Read File   {INV}^\\{O} Replace     {INV}^U{O} Paste""",
    "upgrade": f"""{W}$ sudo apt upgrade{O}
Reading package lists... Done
The following packages will be upgraded:
  firefox-esr  libssl3  linux-image-amd64  openssh-server
4 upgraded, 0 newly installed, 0 to remove.
Need to get 142 MB of archives.
{Y}W: Some index files failed to download.{O}
{R}E: Could not get lock /var/lib/dpkg/lock{O}
Get:1 http://deb.example.org firefox-esr 128.3 [61 MB]
Get:2 http://deb.example.org libssl3 3.0.15 [2 MB]
Setting up openssh-server ...
{INV} Restart the service sshd? {O}
   {W}<Yes>{O}        <No>

{G}root@host{O}:~# """,
    "tests": f"""$ pytest -q
{G}....{O}{R}F{O}{G}...{O}{Y}s{O}{G}..{O}                                        [100%]
=================== FAILURES ===================
{R}_______________ test_refund_total _______________{O}
    def test_refund_total():
>       assert refund(order) == 40
{R}E       assert 38 == 40{O}

tests/test_refund.py:27: AssertionError
=============== short test summary ===============
{R}FAILED{O} tests/test_refund.py::test_refund_total
{Y}SKIPPED{O} [1] tests/test_mail.py:9: no network
1 failed, 9 passed, 1 skipped in 2.31s
$ """,
    "disks": f"""{W}$ df -h{O}
Filesystem      Size  Used Avail Use% Mounted on
/dev/nvme0n1p2  234G  198G   24G  90% /
/dev/sda1       1.8T  1.1T  640G  64% /srv/media
tmpfs           7.8G  2.1M  7.8G   1% /run
{W}$ rsync -a /home /srv/media/copy{O}
sending incremental file list
{Y}skipping non-regular file "home/kim/.agent.sock"{O}
{R}rsync: write failed on "home/kim/film.mkv": No space left on device (28){O}
{R}rsync error: error in file IO (code 11){O}
{W}$ smartctl -H /dev/sda{O}
SMART overall-health self-assessment test result: {G}PASSED{O}
{W}$ ls /srv/media{O}
copy  films  music  photos
$ """,
}
