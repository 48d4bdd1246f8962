//! What Linux and macOS have in common.

use std::os::fd::{BorrowedFd, IntoRawFd};

pub fn duplicate_descriptor(fd: i32) -> Result<i32, String> {
    if fd < 0 {
        return Err(format!("{fd} is no file descriptor"));
    }
    // SAFETY: it is used during this call alone, and a number that is not open is answered with an error.
    let borrowed = unsafe { BorrowedFd::borrow_raw(fd) };
    match borrowed.try_clone_to_owned() {
        Ok(copy) => Ok(copy.into_raw_fd()),
        Err(error) => Err(format!("file descriptor {fd} cannot be duplicated: {error}")),
    }
}
