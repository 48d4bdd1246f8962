//! Waiting for the compositor, never for ever.

use std::os::fd::{AsRawFd, RawFd};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use wayland_client::backend::WaylandError;
use wayland_client::{Connection, DispatchError};

use super::host::Host;
use super::state::{Heard, State};
use crate::fault::{Fault, Outcome};
use crate::wake::Wake;

/// How long a compositor may take for a word it owes. It may be busy, but a person would call it frozen.
pub const ANSWER_LIMIT: Duration = Duration::from_secs(5);

impl Host {
    /// Until the compositor has done all it was asked for.
    pub fn roundtrip(&mut self) -> Outcome<()> {
        let heard = Arc::new(AtomicBool::new(false));
        self.conn.display().sync(&self.queue.handle(), Heard(Arc::clone(&heard)));
        if !self.wait_until(ANSWER_LIMIT, |_| heard.load(Ordering::Relaxed))? {
            return Fault::failed("the Wayland compositor did not answer in time");
        }
        Ok(())
    }

    /// Serves the connection until `is_so`; false when it is not in time.
    pub fn wait_until(&mut self, limit: Duration, mut is_so: impl FnMut(&mut State) -> bool) -> Outcome<bool> {
        let due = Instant::now() + limit;
        loop {
            self.dispatch()?;
            if is_so(&mut self.state) {
                return Ok(true);
            }
            if Instant::now() >= due {
                return Ok(false);
            }
            self.sleep(None, Some(due))?;
        }
    }

    /// Acts on the events that were read.
    pub fn dispatch(&mut self) -> Outcome<()> {
        self.queue.dispatch_pending(&mut self.state).map_err(|error| lost_in_dispatch(&self.conn, &error))?;
        Ok(())
    }

    /// Sleeps until the compositor or JavaScript has something to say, or something is due; reads what came.
    pub fn sleep(&mut self, wake: Option<&Wake>, due: Option<Instant>) -> Outcome<()> {
        let unsent = !self.flush()?;
        // Events that were read already: not a moment to sleep.
        let Some(reading) = self.queue.prepare_read() else { return Ok(()) };
        let fd = reading.connection_fd().as_raw_fd();
        let wake_fd = wake.map_or(-1, AsRawFd::as_raw_fd);
        let (readable, woken) = poll(fd, unsent, wake_fd, due)?;
        if let Some(wake) = wake.filter(|_| woken) {
            wake.clear();
        }
        if readable {
            match reading.read() {
                Ok(_) => {}
                Err(WaylandError::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => {}
                // What came before the end says why: it is dispatched first.
                Err(error) => {
                    let _ = self.queue.dispatch_pending(&mut self.state);
                    return Err(lost(&self.conn, &error.to_string()));
                }
            }
        }
        Ok(())
    }

    /// Sends what is to be sent; false when the compositor does not take it all now.
    pub fn flush(&self) -> Outcome<bool> {
        match self.conn.flush() {
            Ok(()) => Ok(true),
            Err(WaylandError::Io(error)) if error.kind() == std::io::ErrorKind::WouldBlock => Ok(false),
            Err(error) => Err(lost(&self.conn, &error.to_string())),
        }
    }
}

/// Whether there is something to read, and whether JavaScript woke us.
fn poll(server: RawFd, unsent: bool, wake: RawFd, due: Option<Instant>) -> Outcome<(bool, bool)> {
    // Rounded up: a timeout of 0 ms just before the moment would spin.
    let timeout = due.map_or(-1, |due| {
        let left = due.saturating_duration_since(Instant::now());
        i32::try_from(left.as_micros().div_ceil(1000)).unwrap_or(i32::MAX)
    });
    let wanted = if unsent { libc::POLLIN | libc::POLLOUT } else { libc::POLLIN };
    let mut fds = [(server, wanted), (wake, libc::POLLIN)].map(|(fd, events)| libc::pollfd { fd, events, revents: 0 });
    // SAFETY: `fds` is a live array of the length passed; negative descriptors are passed over.
    let ready = unsafe { libc::poll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, timeout) };
    if ready < 0 {
        let error = std::io::Error::last_os_error();
        return match error.kind() {
            std::io::ErrorKind::Interrupted => Ok((false, false)),
            _ => Err(Fault::Lost(format!("waiting for the Wayland compositor failed: {error}"))),
        };
    }
    Ok((fds[0].revents & !libc::POLLOUT != 0, fds[1].revents != 0))
}

pub fn lost_in_dispatch(conn: &Connection, error: &DispatchError) -> Fault {
    lost(conn, &error.to_string())
}

/// Why the connection is gone: the compositor's own word, where it left one.
pub fn lost(conn: &Connection, otherwise: &str) -> Fault {
    match conn.protocol_error() {
        Some(error) => Fault::Lost(format!(
            "the Wayland compositor ended the connection: {} ({} error {})",
            error.message, error.object_interface, error.code
        )),
        None => Fault::Lost(format!("the Wayland compositor went away ({otherwise})")),
    }
}
