"""A Wayland socket that passes everything on, and has the compositor offer less than it does.

filter.py LISTEN UPSTREAM INTERFACE=VERSION... [dmabuf]: offers an interface in this version at most; 0: not at all.

dmabuf: copies of the screen could go to a graphics card, too, it says. Some releases of xdg-desktop-portal-wlr copy to plain
memory only where that is so.
"""
import array
import os
import selectors
import socket
import struct
import sys

listen_at, upstream_at = sys.argv[1:3]
most = {name: int(version) for name, version in (each.split("=") for each in sys.argv[3:] if "=" in each)}
dmabuf = "dmabuf" in sys.argv[3:]
DISPLAY, GET_REGISTRY, DELETE_ID, GLOBAL, BIND = 1, 1, 1, 0, 0
SCREENCOPY, CAPTURES, BUFFER, LINUX_DMABUF, XRGB = b"zwlr_screencopy_manager_v1\0", (0, 1), 0, 5, 0x34325258
picking = selectors.DefaultSelector()


class Side:
    def __init__(self, sock):
        self.sock, self.other, self.rest = sock, None, b""
        self.registries, self.managers, self.frames = set(), set(), set()

    def receive(self):
        fds = array.array("i")
        data, ancillary, _, _ = self.sock.recvmsg(65536, socket.CMSG_SPACE(64 * fds.itemsize))
        for level, kind, body in ancillary:
            if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
                fds.frombytes(body[: len(body) - len(body) % fds.itemsize])
        return data, list(fds)

    def pass_on(self, data, fds):
        ancillary = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", fds))] if fds else []
        sent = self.other.sock.sendmsg([data], ancillary) if data else 0
        if data[sent:]:
            self.other.sock.sendall(data[sent:])
        for fd in fds:
            os.close(fd)


def messages(side, data):
    side.rest += data
    while len(side.rest) >= 8:
        target, word = struct.unpack_from("=II", side.rest)
        size = word >> 16
        if len(side.rest) < size:
            return
        message, side.rest = side.rest[:size], side.rest[size:]
        yield target, word & 0xFFFF, message


def from_client(side, data):
    for target, opcode, message in messages(side, data):
        if target == DISPLAY and opcode == GET_REGISTRY:
            side.registries.add(struct.unpack_from("=I", message, 8)[0])
        elif target in side.registries and opcode == BIND and SCREENCOPY in message:
            side.managers.add(struct.unpack_from("=I", message, len(message) - 4)[0])
        elif target in side.managers and opcode in CAPTURES:
            side.frames.add(struct.unpack_from("=I", message, 8)[0])
        yield message


def from_server(side, data):
    for target, opcode, message in messages(side, data):
        if target == DISPLAY and opcode == DELETE_ID:
            # The next thing of that number is another thing.
            side.other.frames.discard(struct.unpack_from("=I", message, 8)[0])
        if target in side.other.registries and opcode == GLOBAL:
            length = struct.unpack_from("=I", message, 12)[0]
            name = message[16 : 16 + length - 1].decode()
            at = 16 + (length + 3) // 4 * 4
            version = struct.unpack_from("=I", message, at)[0]
            allowed = min(version, most.get(name, version))
            if allowed == 0:
                continue
            message = message[:at] + struct.pack("=I", allowed) + message[at + 4 :]
        yield message
        if dmabuf and target in side.other.frames and opcode == BUFFER:
            size = struct.unpack_from("=II", message, 12)
            yield struct.pack("=IIIII", target, 20 << 16 | LINUX_DMABUF, XRGB, *size)


def accept(listener):
    client = Side(listener.accept()[0])
    server = Side(socket.socket(socket.AF_UNIX))
    server.sock.connect(upstream_at)
    client.other, server.other = server, client
    picking.register(client.sock, selectors.EVENT_READ, (client, from_client))
    picking.register(server.sock, selectors.EVENT_READ, (server, from_server))


def serve(side, filtered):
    try:
        data, fds = side.receive()
        if data:
            return side.pass_on(b"".join(filtered(side, data)), fds)
    except OSError:
        pass
    for one in (side, side.other):
        picking.unregister(one.sock)
        one.sock.close()


listener = socket.socket(socket.AF_UNIX)
listener.bind(listen_at)
listener.listen()
picking.register(listener, selectors.EVENT_READ, None)
while True:
    for key, _ in picking.select():
        if key.data is None:
            accept(listener)
        elif key.fileobj.fileno() >= 0:
            serve(*key.data)
