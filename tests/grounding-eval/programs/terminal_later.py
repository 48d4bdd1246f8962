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
}
