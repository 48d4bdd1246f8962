//! Waking a thread that sleeps in `poll`.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd, RawFd};

/// A counter in the kernel that makes `poll` return.
pub struct Wake(OwnedFd);

impl Wake {
    pub fn new() -> Result<Wake, String> {
        // SAFETY: the result is checked before it becomes an owned descriptor.
        let fd = unsafe { libc::eventfd(0, libc::EFD_CLOEXEC | libc::EFD_NONBLOCK) };
        if fd < 0 {
            return Err(format!("no event descriptor: {}", std::io::Error::last_os_error()));
        }
        // SAFETY: `fd` was just created and nothing else owns it.
        Ok(Wake(unsafe { OwnedFd::from_raw_fd(fd) }))
    }

    pub fn signal(&self) {
        let one = 1u64.to_ne_bytes();
        // SAFETY: writes eight bytes of a live array. It can only fail when the counter is full, and then `poll` returns
        // anyway.
        unsafe { libc::write(self.0.as_raw_fd(), one.as_ptr().cast(), one.len()) };
    }

    pub fn clear(&self) {
        let mut count = [0u8; 8];
        // SAFETY: reads at most eight bytes into a live array.
        unsafe { libc::read(self.0.as_raw_fd(), count.as_mut_ptr().cast(), count.len()) };
    }
}

impl AsRawFd for Wake {
    fn as_raw_fd(&self) -> RawFd {
        self.0.as_raw_fd()
    }
}
