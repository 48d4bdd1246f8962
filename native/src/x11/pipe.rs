//! The socket to the X server: as x11rb has it, but without asking before each request whether it takes any.
//!
//! x11rb asks with a system call for every request it puts into its buffer. A frame of the companion on a screen without a
//! compositor is some hundred requests, and asking cost more than sending them.

use std::io::{ErrorKind, IoSlice, Result};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, RawFd};
use std::sync::atomic::{AtomicBool, Ordering};

use x11rb::rust_connection::{DefaultStream, PollMode, RustConnection, Stream};
use x11rb::utils::RawFdContainer;

pub type XConnection = RustConnection<Pipe>;

pub struct Pipe {
    socket: DefaultStream,
    /// It took no more when it was last written to.
    full: AtomicBool,
}

impl Pipe {
    pub fn new(socket: DefaultStream) -> Pipe {
        Pipe { socket, full: AtomicBool::new(false) }
    }

    fn wrote(&self, outcome: Result<usize>) -> Result<usize> {
        let full = matches!(&outcome, Err(error) if error.kind() == ErrorKind::WouldBlock);
        self.full.store(full, Ordering::Relaxed);
        outcome
    }
}

impl Stream for Pipe {
    fn poll(&self, mode: PollMode) -> Result<()> {
        // Whoever writes finds out. Only once the socket took nothing there is something to wait for.
        if mode.writable() && !self.full.swap(false, Ordering::Relaxed) {
            return Ok(());
        }
        self.socket.poll(mode)
    }

    fn read(&self, buffer: &mut [u8], fds: &mut Vec<RawFdContainer>) -> Result<usize> {
        self.socket.read(buffer, fds)
    }

    fn write(&self, buffer: &[u8], fds: &mut Vec<RawFdContainer>) -> Result<usize> {
        self.wrote(self.socket.write(buffer, fds))
    }

    fn write_vectored(&self, buffers: &[IoSlice<'_>], fds: &mut Vec<RawFdContainer>) -> Result<usize> {
        self.wrote(self.socket.write_vectored(buffers, fds))
    }
}

impl AsRawFd for Pipe {
    fn as_raw_fd(&self) -> RawFd {
        self.socket.as_raw_fd()
    }
}

impl AsFd for Pipe {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}
