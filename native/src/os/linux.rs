//! Linux: `SO_PEERCRED`, and displays through X11.

use crate::api::{ListDisplaysOptions, PeerCredentials, Reply};
use crate::monitor::Monitor;
use crate::x11;

pub fn peer_credentials(fd: i32) -> Result<PeerCredentials, String> {
    let mut credentials = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    // SAFETY: the kernel writes at most `length` bytes into `credentials`, which outlives the call.
    let status = unsafe {
        libc::getsockopt(fd, libc::SOL_SOCKET, libc::SO_PEERCRED, (&raw mut credentials).cast(), &raw mut length)
    };
    if status != 0 {
        return Err(format!("no peer credentials for file descriptor {fd}: {}", std::io::Error::last_os_error()));
    }
    // A socket without a peer (listening, UDP, TCP) answers with the uid -1 instead of an error.
    if credentials.uid == u32::MAX {
        return Err(format!("no peer credentials for file descriptor {fd}: it is not a connected Unix socket"));
    }
    // The pid is 0 when the peer lives in a pid namespace this process cannot see.
    Ok(PeerCredentials { uid: credentials.uid, pid: (credentials.pid > 0).then_some(credentials.pid) })
}

pub fn list_displays(options: ListDisplaysOptions, reply: Reply<Vec<Monitor>>) {
    x11::list_displays(options.display, options.timeout_ms, reply);
}
