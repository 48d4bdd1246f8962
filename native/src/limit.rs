//! Work that may never come to an end, because a server does not answer.

use std::any::Any;
use std::os::fd::{AsRawFd, OwnedFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::api::Reply;

/// Runs `work` on a thread of its own, which is abandoned when it has not answered within `limit`: some servers accept
/// a connection and never say a word. `kind` names the thread. `work` gets a duty to answer that says whether the answer still counts.
pub fn within<T: Send + 'static>(
    kind: &'static str,
    limit: Duration,
    what: &str,
    reply: Reply<T>,
    work: impl FnOnce(&Abandon, &dyn Fn(Result<T, String>) -> bool) + Send + 'static,
) {
    let late = format!("{what} did not answer within {} ms", limit.as_millis());
    let shared = Arc::new((Mutex::new(Some(reply)), Abandon::default()));
    let waiting = Arc::clone(&shared);
    let take = |slot: &Mutex<Option<Reply<T>>>| slot.lock().ok().and_then(|mut reply| reply.take());
    let (done, finished) = mpsc::channel::<()>();
    let worker = std::thread::Builder::new().name(format!("lets-{}", kind.to_lowercase())).spawn(move || {
        let answer = |result| {
            shared.1.finish();
            let in_time = take(&shared.0).map(|reply| reply.answer(result)).is_some();
            let _ = done.send(());
            in_time
        };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(&shared.1, &answer))) {
            answer(Err(format!("the {kind} thread failed: {}", panic_message(&*panic))));
        }
    });
    let failed = match worker {
        Ok(_) => {
            let waiting = Arc::clone(&waiting);
            let watchdog = move || {
                if finished.recv_timeout(limit) == Err(RecvTimeoutError::Timeout)
                    && let Some(reply) = take(&waiting.0)
                {
                    waiting.1.abandon();
                    reply.answer(Err(late));
                }
            };
            std::thread::Builder::new().name(format!("lets-{}-limit", kind.to_lowercase())).spawn(watchdog).err()
        }
        Err(error) => Some(error),
    };
    if let Some(error) = failed
        && let Some(reply) = take(&waiting.0)
    {
        waiting.1.abandon();
        reply.answer(Err(format!("no thread could be started: {error}")));
    }
}

/// Lets a thread that waits for a server be told to stop waiting: its socket is shut down under it.
#[derive(Default)]
pub struct Abandon(Mutex<Waiting>);

#[derive(Default)]
enum Waiting {
    #[default]
    Nothing,
    For(OwnedFd),
    Abandoned,
}

impl Abandon {
    /// The thread is about to wait for this socket; false when nobody waits for the thread any more.
    pub fn waits_for(&self, socket: OwnedFd) -> bool {
        let Ok(mut waiting) = self.0.lock() else { return false };
        if matches!(*waiting, Waiting::Abandoned) {
            return false;
        }
        *waiting = Waiting::For(socket);
        true
    }

    fn finish(&self) {
        if let Ok(mut waiting) = self.0.lock()
            && matches!(*waiting, Waiting::For(_))
        {
            *waiting = Waiting::Nothing;
        }
    }

    fn abandon(&self) {
        let Ok(mut waiting) = self.0.lock() else { return };
        if let Waiting::For(socket) = std::mem::replace(&mut *waiting, Waiting::Abandoned) {
            // SAFETY: a plain call on a descriptor that is still owned here.
            unsafe { libc::shutdown(socket.as_raw_fd(), libc::SHUT_RDWR) };
        }
    }
}

pub fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(ToString::to_string);
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "an unknown panic".into())
}
