"""What a terminal shows: `terminal.py git`, `menu`, `listing`, `log`, `compile` and `services`; then it waits until it is ended."""

import signal
import sys

from terminal_later import LATER

R, G, Y, B, W, O = "\033[31m", "\033[32m", "\033[33m", "\033[34m", "\033[1m", "\033[0m"
INV = "\033[7m"

GIT = f"""kim@desk:~/site$ git status
On branch {W}redesign{O}
Your branch is ahead of 'origin/redesign' by 2 commits.

Changes to be committed:
        {G}new file:   pages/contact.html{O}
        {G}modified:   styles/main.css{O}

Changes not staged for commit:
        {R}modified:   scripts/menu.js{O}
        {R}deleted:    images/banner.png{O}

Untracked files:
        {R}notes.txt{O}

kim@desk:~/site$ npm test
{G}PASS{O} tests/login.test.js
{G}PASS{O} tests/basket.test.js
{R}FAIL{O} tests/search.test.js
  Expected 3 results, received 0

Tests:  {R}1 failed{O}, {G}14 passed{O}, 15 total
Time:   4.2 s
kim@desk:~/site$ """

MENU = f"""{W} System monitor{O}                      load 0.42 0.31 0.28

 {INV}  PID  USER      MEMORY  COMMAND            {O}
   1204  root       12 MB  cron
   1377  kim       310 MB  firefox
   2051  kim        48 MB  music-player
   2290  postgres  105 MB  postgres
   3312  kim         9 MB  backup.sh

 {Y}Warning: disk /home is 91% full{O}
 {R}Error: backup of photos did not finish{O}
 {G}Network connected{O}

 Memory used: 5.1 GB of 16 GB
 Swap used: 0 of 2 GB


 {INV} F1 {O} Help   {INV} F3 {O} Search   {INV} F6 {O} Sort by   {INV} F9 {O} Kill   {INV} F10 {O} Quit"""

LISTING = f"""kim@desk:~/papers$ ls -l
total 2208
-rwxr-xr-x 1 kim kim    812 Mar  4 09:12 {G}backup.sh{O}
drwxr-xr-x 4 kim kim   4096 Feb 11 17:40 {B}holiday-photos{O}
-rw-r--r-- 1 kim kim  23117 Jan 30 08:02 invoices-2025.ods
-rw-r--r-- 1 kim kim   1954 Mar  2 21:15 README.md
-rw-r--r-- 1 kim kim 814022 Mar  1 10:30 report.pdf
-rw-r--r-- 1 kim kim    377 Mar  4 07:55 todo.txt
kim@desk:~/papers$ cat /etc/shadow
cat: /etc/shadow: {R}Permission denied{O}
kim@desk:~/papers$ """

LOG = f"""09:14:02 info   server started, version 4.2
09:14:02 info   listening on port 8080
09:14:07 info   login of anna from 10.0.0.7
09:15:30 {Y}warn   disk is almost full{O}
09:16:11 {R}error  database: connection refused{O}
09:16:12 info   retrying in 5 seconds
09:16:17 info   database is back
"""

COMPILE = f"""{G}mira@build{O}:{B}~/engine{O}$ cargo build --release
   {G}Compiling{O} serde v1.0.219
   {G}Compiling{O} engine v0.7.1 (/home/mira/engine)
{Y}warning{O}: unused variable: `width`
  {B}-->{O} src/layout.rs:88:9
{R}error[E0308]{O}: mismatched types
  {B}-->{O} src/main.rs:14:22
{R}error[E0425]{O}: cannot find value `cfg` in this scope
  {B}-->{O} src/main.rs:31:5
{R}error{O}: could not compile `engine` due to 2 previous errors
{G}mira@build{O}:{B}~/engine{O}$ cargo test
running 3 tests
test layout::fits ... {G}ok{O}
test parse::empty ... {R}FAILED{O}
test parse::nested ... {G}ok{O}
test result: {R}FAILED{O}. 2 passed; 1 failed
{G}mira@build{O}:{B}~/engine{O}$ """

SERVICES = f"""{W}UNIT              STATE      SINCE       DESCRIPTION{O}
{G}active{O}   nginx        4 days ago   Web server
{G}active{O}   postgresql   4 days ago   Database
{R}failed{O}   mailer       2 min ago    Sends the mails
{G}active{O}   sshd         12 days ago  Remote logins
{Y}reloading{O} cron        just now     Timed jobs

{R}mailer: could not reach smtp.example.org{O}
3 active, 1 failed, 1 reloading

{INV} Enter {O} Details   {INV} R {O} Restart   {INV} S {O} Stop   {INV} Q {O} Quit
"""

print({**LATER, "services": SERVICES, "compile": COMPILE, "log": LOG, "git": GIT, "menu": MENU, "listing": LISTING}[sys.argv[1]].replace("\n", "\r\n"), end="", flush=True)
signal.pause()
