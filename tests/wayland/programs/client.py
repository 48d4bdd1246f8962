"""A native Wayland window of one colour that says on stdout, a line of JSON each, what input reaches it.

client.py TITLE RRGGBB [WIDTH HEIGHT | fullscreen] [hides]

`hides`: it shows no cursor while the pointer is over it.
"""

import json
import mmap
import os
import struct
import sys

from wire import Wire, fixed

title, colour = sys.argv[1], int(sys.argv[2], 16)
hides = sys.argv[-1] == 'hides'
how = sys.argv[3 : len(sys.argv) - hides]
full = how == ['fullscreen']
width, height = map(int, how) if len(how) == 2 else (640, 480)


def say(event, **facts):
    print(json.dumps({'event': event, **facts}), flush=True)


wire = Wire()
compositor = wire.bind('wl_compositor', 4)
shm = wire.bind('wl_shm')
seat = wire.bind('wl_seat', 5)
shell = wire.bind('xdg_wm_base')
wire.on[(shell, 0)] = lambda data: wire.send(shell, 3, *struct.unpack('=I', data))

surface = wire.new()
wire.send(compositor, 0, surface)
xdg = wire.new()
wire.send(shell, 2, xdg, surface)
toplevel = wire.new()
wire.send(xdg, 1, toplevel)
wire.send(toplevel, 2, title)
wire.send(toplevel, 3, 'lets-test')
if full:
    wire.send(toplevel, 11, 0)

shown = None


def resized(data):
    global width, height
    asked = struct.unpack('=ii', data[:8])
    width, height = asked[0] or width, asked[1] or height


def configured(data):
    global shown
    wire.send(xdg, 4, *struct.unpack('=I', data))
    if shown != (width, height):
        shown = (width, height)
        size = width * height * 4
        fd = os.memfd_create('client')
        os.ftruncate(fd, size)
        with mmap.mmap(fd, size) as memory:
            memory.write(struct.pack('=I', 0xFF000000 | colour) * (width * height))
        pool, buffer = wire.new(), wire.new()
        wire.send(shm, 0, pool, size, fd=fd)
        wire.send(pool, 0, buffer, 0, width, height, width * 4, 1)
        wire.send(pool, 1)
        os.close(fd)
        wire.send(surface, 1, buffer, 0, 0)
        wire.send(surface, 2, 0, 0, width, height)
    wire.send(surface, 6)
    wire.roundtrip()
    say('shown', width=shown[0], height=shown[1])


def closed(_):
    raise SystemExit(0)


wire.on[(toplevel, 0)] = resized
wire.on[(toplevel, 1)] = closed
wire.on[(xdg, 0)] = configured

listens = {'pointer': False, 'keyboard': False}


def able(data):
    """The seat has a pointer, or a keyboard, from now on."""
    (able,) = struct.unpack('=I', data)
    if able & 1 and not listens['pointer']:
        pointer = wire.new()
        wire.send(seat, 0, pointer)
        wire.on[(pointer, 0)] = lambda data: entered(pointer, data)
        wire.on[(pointer, 1)] = lambda data: say('leave')
        wire.on[(pointer, 2)] = lambda data: say('motion', x=fixed(data, 4), y=fixed(data, 8))
        wire.on[(pointer, 3)] = pressed
        wire.on[(pointer, 4)] = scrolled
    if able & 2 and not listens['keyboard']:
        keyboard = wire.new()
        wire.send(seat, 1, keyboard)
        wire.on[(keyboard, 1)] = lambda data: say('focus')
        wire.on[(keyboard, 2)] = lambda data: say('blur')
        wire.on[(keyboard, 3)] = typed
    listens.update(pointer=bool(able & 1), keyboard=bool(able & 2))


def entered(pointer, data):
    if hides:
        wire.send(pointer, 0, *struct.unpack('=I', data[:4]), 0, 0, 0)
    say('enter', x=fixed(data, 8), y=fixed(data, 12))


def pressed(data):
    _, _, button, state = struct.unpack('=IIII', data[:16])
    say('button', button=button, down=state == 1)


def scrolled(data):
    say('axis', axis=struct.unpack('=I', data[4:8])[0], by=fixed(data, 8))


def typed(data):
    _, _, key, state = struct.unpack('=IIII', data[:16])
    say('key', key=key, down=state == 1)


wire.on[(seat, 0)] = able
wire.send(surface, 6)
while True:
    wire.dispatch()
