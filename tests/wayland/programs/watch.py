"""Watches one pixel of the first output without making the compositor draw: a line on stdin names it, `X Y`, in points;
the answer is `seen` in the moment in which a frame shows something else there. Through wlr-screencopy."""

import mmap
import os
import struct
import sys

from wire import Wire

COPY, COPY_WITH_DAMAGE = 0, 2

wire = Wire()
shm = wire.bind('wl_shm')
output = wire.bind('wl_output')
manager = wire.bind('zwlr_screencopy_manager_v1', 3)


def pixel(x, y, request):
    frame, offered, done = wire.new(), [], []
    wire.send(manager, 1, frame, 0, output, x, y, 1, 1)
    wire.on[(frame, 0)] = lambda data: offered.append(struct.unpack('=IIII', data[:16]))
    wire.on[(frame, 2)] = lambda data: done.append(True)
    wire.on[(frame, 3)] = lambda data: done.append(False)
    while not offered:
        wire.dispatch()
    form, width, height, stride = offered[0]
    fd = os.memfd_create('watch')
    os.ftruncate(fd, stride * height)
    pool, buffer = wire.new(), wire.new()
    wire.send(shm, 0, pool, stride * height, fd=fd)
    wire.send(pool, 0, buffer, 0, width, height, stride, form)
    wire.send(frame, request, buffer)
    while not done:
        wire.dispatch()
    with mmap.mmap(fd, stride * height) as memory:
        data = memory[:4]
    os.close(fd)
    wire.send(frame, 1)
    wire.send(buffer, 0)
    wire.send(pool, 1)
    return done[0] and data[:3]


for line in sys.stdin:
    x, y = map(int, line.split())
    before = pixel(x, y, COPY)
    # The first wait of a connection ends at once, whatever changed.
    pixel(x, y, COPY_WITH_DAMAGE)
    print('watching', flush=True)
    while pixel(x, y, COPY_WITH_DAMAGE) == before:
        pass
    print('seen', flush=True)
