"""Speaks the Wayland wire protocol: just enough for the programs beside it, with nothing to compile or install."""

import array
import os
import socket
import struct


def path():
    name = os.environ['WAYLAND_DISPLAY']
    return name if name.startswith('/') else os.path.join(os.environ['XDG_RUNTIME_DIR'], name)


class Wire:
    """A connection. `on[(object, opcode)]` is called with the event's bytes."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(path())
        self.last = 1
        self.pending = b''
        self.on = {}
        self.globals = []  # (name, interface, version)
        self.on[(1, 0)] = self.failed
        self.registry = self.new()
        self.send(1, 1, self.registry)
        self.on[(self.registry, 0)] = self.announced
        self.on[(self.registry, 1)] = self.withdrawn
        self.roundtrip()

    def new(self):
        self.last += 1
        return self.last

    def failed(self, data):
        about, code = struct.unpack('=II', data[:8])
        raise SystemExit(f'protocol error {code} of object {about}: {text(data, 8)[0]}')

    def announced(self, data):
        (name,) = struct.unpack('=I', data[:4])
        interface, at = text(data, 4)
        self.globals.append((name, interface, struct.unpack('=I', data[at : at + 4])[0]))

    def withdrawn(self, data):
        (name,) = struct.unpack('=I', data[:4])
        self.globals = [one for one in self.globals if one[0] != name]

    def bind(self, interface, version=1):
        """The first global of this interface, as a new object; None where there is none."""
        for name, known, offered in self.globals:
            if known == interface:
                made = self.new()
                self.send(self.registry, 0, name, interface, min(version, offered), made)
                return made
        return None

    def send(self, target, opcode, *args, fd=None):
        """Numbers are words, floats are fixed-point words, and texts are texts."""
        body = b''.join(packed(arg) for arg in args)
        message = struct.pack('=II', target, (len(body) + 8) << 16 | opcode) + body
        rights = [] if fd is None else [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array('i', [fd]))]
        self.socket.sendmsg([message], rights)

    def dispatch(self):
        """Waits for events, and tells of them."""
        data, rights, _, _ = self.socket.recvmsg(65536, 4096)
        for _, _, fds in rights:
            for fd in array.array('i', fds[: len(fds) // 4 * 4]):
                os.close(fd)
        if not data:
            raise SystemExit('the compositor is gone')
        self.pending += data
        while len(self.pending) >= 8:
            target, head = struct.unpack('=II', self.pending[:8])
            size = head >> 16
            if len(self.pending) < size:
                break
            event, self.pending = self.pending[8:size], self.pending[size:]
            tell = self.on.get((target, head & 0xFFFF))
            if tell:
                tell(event)

    def roundtrip(self):
        """Until the compositor has done all that was sent."""
        done = []
        callback = self.new()
        self.on[(callback, 0)] = done.append
        self.send(1, 0, callback)
        while not done:
            self.dispatch()


def packed(arg):
    if isinstance(arg, str):
        data = arg.encode() + b'\0'
        return struct.pack('=I', len(data)) + data + b'\0' * (-len(data) % 4)
    if isinstance(arg, float):
        return struct.pack('=i', round(arg * 256))
    return struct.pack('=I', arg & 0xFFFFFFFF)


def text(data, at):
    """The text there, and where it ends."""
    (length,) = struct.unpack('=I', data[at : at + 4])
    return data[at + 4 : at + 3 + length].decode(), at + 4 + length + -length % 4


def fixed(data, at):
    return struct.unpack('=i', data[at : at + 4])[0] / 256


if __name__ == '__main__':
    for _, interface, _ in Wire().globals:
        print(interface)
