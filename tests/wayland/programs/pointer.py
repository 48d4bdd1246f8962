"""A pointer that is moved from stdin, a line each; every line is answered once the compositor has done it.

move X Y of WIDTH HEIGHT | press BUTTON | release BUTTON | scroll AXIS BY

Through wlroots' virtual pointers, or else KWin's fake input. Buttons are as Linux numbers them: 272 is the left one.
"""

import sys
import time

from wire import Wire

wire = Wire()
seat = wire.bind('wl_seat', 5)
manager = wire.bind('zwlr_virtual_pointer_manager_v1')
fake = None if manager else wire.bind('org_kde_kwin_fake_input', 4)
if manager:
    pointer = wire.new()
    wire.send(manager, 0, seat, pointer)
elif fake:
    wire.send(fake, 0, 'lets', 'tests')
else:
    raise SystemExit('this compositor takes no pointer from a client')
wire.roundtrip()
print('ready', flush=True)


def now():
    return int(time.monotonic() * 1000) & 0xFFFFFFFF


def do(words):
    match words:
        case ['move', x, y, 'of', width, height]:
            if manager:
                wire.send(pointer, 1, now(), int(x), int(y), int(width), int(height))
            else:
                wire.send(fake, 9, float(x), float(y))
        case ['press' | 'release' as what, button]:
            down = int(what == 'press')
            if manager:
                wire.send(pointer, 2, now(), int(button), down)
            else:
                wire.send(fake, 2, int(button), down)
        case ['scroll', axis, by]:
            if manager:
                wire.send(pointer, 5, 0)
                wire.send(pointer, 7, now(), int(axis), float(by), 1 if float(by) > 0 else -1)
            else:
                wire.send(fake, 3, int(axis), float(by))
        case _:
            raise SystemExit(f'no such thing: {words}')
    if manager:
        wire.send(pointer, 4)
    wire.roundtrip()


for line in sys.stdin:
    do(line.split())
    print('done', flush=True)
