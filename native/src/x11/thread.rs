//! The one thread that owns the connection. It sleeps until the server or JavaScript has something to say.

use std::os::fd::{AsRawFd, RawFd};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::xproto::Window;

use super::claims::Owner;
use super::companion::{Show, Shown};
use super::fault::{Fault, Outcome};
use super::host::{Host, Picture, Ways};
use super::hotkey::HotkeyState;
use super::limit::{panic_message, within};
use super::paint::{Present, Presented};
use super::region::Rect;
use super::surfaces_of::{OwnedSurface, surfaces_of};
use super::windows::{self, WindowInfo};
use super::{Info, X11Event};
use crate::api::Reply;
use crate::monitor::Monitor;
use crate::wake::Wake;

const CLOSED: &str = "the X11 host was closed";

pub enum Command {
    Monitors(Reply<(u32, Vec<Monitor>)>),
    Present(Present, Reply<Presented>),
    Capture { area: Rect, overlay: bool, reply: Reply<Picture> },
    Windows(Reply<Vec<WindowInfo>>),
    WatchWindows(bool, Reply<()>),
    Activate(Window, Reply<()>),
    WatchContent(Vec<(Window, Vec<Rect>)>, Reply<()>),
    Look(Window, Reply<Picture>),
    Answers(bool, Reply<[HotkeyState; 2]>),
    Next(bool, Reply<HotkeyState>),
    Claim(Owner, Reply<()>),
    SurfacesOf(Owner, Reply<Vec<OwnedSurface>>),
    ShowCompanion(Show, Reply<Shown>),
    HideCompanion(Reply<()>),
    WatchPointer(bool, Reply<()>),
    Pointer(Reply<(i16, i16)>),
    Summon(bool, Reply<HotkeyState>),
    Close(Reply<()>),
}

/// JavaScript's end of the thread. Dropping it closes the connection.
pub struct Handle {
    commands: Option<Sender<Command>>,
    wake: Arc<Wake>,
    ended: Arc<Mutex<Option<String>>>,
    pub info: Arc<Mutex<Info>>,
}

impl Handle {
    /// Hands a command to the thread, or answers it with the reason why there is none any more.
    pub fn send(&self, command: Command) {
        let Some(commands) = &self.commands else { return };
        match commands.send(command) {
            Ok(()) => self.wake.signal(),
            Err(mpsc::SendError(command)) => {
                let ended = self.ended.lock().ok().and_then(|reason| reason.clone());
                reject(command, ended.as_deref().unwrap_or(CLOSED));
            }
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.commands = None;
        self.wake.signal();
    }
}

fn reject(command: Command, reason: &str) {
    match command {
        Command::Monitors(reply) => reply.answer(Err(reason.into())),
        Command::Present(_, reply) => reply.answer(Err(reason.into())),
        Command::Capture { reply, .. } | Command::Look(_, reply) => reply.answer(Err(reason.into())),
        Command::Windows(reply) => reply.answer(Err(reason.into())),
        Command::WatchWindows(_, reply) | Command::Activate(_, reply) | Command::WatchContent(_, reply) => {
            reply.answer(Err(reason.into()));
        }
        Command::Claim(_, reply) => reply.answer(Err(reason.into())),
        Command::SurfacesOf(_, reply) => reply.answer(Err(reason.into())),
        Command::Answers(_, reply) => reply.answer(Err(reason.into())),
        Command::Next(_, reply) | Command::Summon(_, reply) => reply.answer(Err(reason.into())),
        Command::ShowCompanion(_, reply) => reply.answer(Err(reason.into())),
        Command::Pointer(reply) => reply.answer(Err(reason.into())),
        Command::HideCompanion(reply) | Command::WatchPointer(_, reply) => reply.answer(Err(reason.into())),
        Command::Close(reply) => reply.answer(Ok(())),
    }
}

/// Connects on a new thread, which then serves the returned handle until it is dropped.
pub fn start(
    display: Option<String>,
    limit: Duration,
    ways: Ways,
    events: Box<dyn Fn(X11Event) + Send>,
    reply: Reply<Handle>,
) {
    let named = display.clone().or_else(|| std::env::var("DISPLAY").ok()).unwrap_or_default();
    within("X11", limit, &format!("the X server at '{named}'"), reply, move |abandon, answer| {
        let info = Arc::new(Mutex::new(Info::default()));
        let opened = Wake::new().map_err(Fault::Failed).and_then(|wake| {
            let host = Host::open(display.as_deref(), abandon, ways, Arc::clone(&info), events)?;
            Ok((host, Arc::new(wake)))
        });
        let (mut host, wake) = match opened {
            Ok(opened) => opened,
            Err(fault) => {
                answer(Err(fault.reason().into()));
                return;
            }
        };
        let (commands, inbox) = mpsc::channel();
        let ended = Arc::new(Mutex::new(None));
        let handle = Handle { commands: Some(commands), wake: Arc::clone(&wake), ended: Arc::clone(&ended), info };
        if !answer(Ok(handle)) {
            return;
        }
        let served = catch_unwind(AssertUnwindSafe(|| serve(&mut host, &inbox, &wake)));
        let lost = match served {
            Ok(Ok(())) => None,
            Ok(Err(fault)) => Some(fault.reason().to_string()),
            Err(panic) => Some(format!("the X11 thread failed: {}", panic_message(&*panic))),
        };
        if let Ok(mut ended) = ended.lock() {
            (*ended).clone_from(&lost);
        }
        // Without the connection the server takes our windows off by itself.
        let Host { server, events, .. } = host;
        drop(server);
        while let Ok(command) = inbox.try_recv() {
            reject(command, lost.as_deref().unwrap_or(CLOSED));
        }
        drop(inbox);
        if let Some(reason) = lost {
            events(X11Event::Exit { reason });
        }
    });
}

/// Until JavaScript closes or drops its handle (`Ok`), or the server is gone (`Err`).
fn serve(host: &mut Host, inbox: &Receiver<Command>, wake: &Wake) -> Outcome<()> {
    loop {
        drain_events(host)?;
        loop {
            match inbox.try_recv() {
                Ok(Command::Close(reply)) => {
                    let closed = host.close();
                    reply.answer(Ok(()));
                    return closed;
                }
                Ok(command) => run(host, command)?,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return host.close(),
            }
        }
        // Waiting for a reply may have read events off the socket, which `poll` would then not see.
        if !drain_events(host)? {
            host.server.conn.flush()?;
            sleep(host.server.fd(), wake, host.next_due())?;
        }
    }
}

/// Takes the events that are there, and says whether there were any. Once, not until there are none: a program that
/// never stops drawing must not keep commands waiting.
fn drain_events(host: &mut Host) -> Outcome<bool> {
    let mut any = false;
    while let Some(event) = host.server.next_event()? {
        any = true;
        survive(host.note_event(&event))?;
    }
    survive(host.settle())?;
    // Replies that `settle` waited for may have brought events along.
    if let Some(event) = host.server.next_event()? {
        any = true;
        survive(host.note_event(&event))?;
    }
    Ok(any)
}

/// Trouble with other programs' windows passes; only a lost connection ends the thread.
fn survive(outcome: Outcome<()>) -> Outcome<()> {
    match outcome {
        Err(Fault::Failed(_)) => Ok(()),
        other => other,
    }
}

fn run(host: &mut Host, command: Command) -> Outcome<()> {
    match command {
        Command::Monitors(reply) => {
            let outcome = host.refresh_layout();
            settle(outcome.map(|()| (host.epoch, host.monitors.clone())), reply)
        }
        Command::Present(request, reply) => settle(host.present(&request), reply),
        Command::Capture { area, overlay, reply } => settle(host.capture(area, overlay), reply),
        Command::Windows(reply) => settle(windows::list(&host.server, host.ours(&host.our_windows())), reply),
        Command::WatchWindows(on, reply) => settle(host.watch_other_windows(on), reply),
        Command::Activate(client, reply) => settle(windows::activate(&host.server, client), reply),
        Command::WatchContent(wanted, reply) => settle(host.watch_content(wanted), reply),
        Command::Look(window, reply) => settle(host.look(window), reply),
        Command::Answers(on, reply) => settle(host.take_answers(on), reply),
        Command::Next(on, reply) => settle(host.take_next(on), reply),
        Command::ShowCompanion(request, reply) => settle(host.show_companion(&request), reply),
        Command::HideCompanion(reply) => settle(host.hide_companion(), reply),
        Command::WatchPointer(on, reply) => settle(host.watch_pointer(on), reply),
        Command::Pointer(reply) => settle(host.pointer_place(), reply),
        Command::Summon(on, reply) => settle(host.take_summon(on), reply),
        Command::Claim(owner, reply) => settle(host.claim(owner), reply),
        Command::SurfacesOf(owner, reply) => {
            // Before they are looked at: what changes from here on is told anew.
            host.claim_watch.asked();
            settle(surfaces_of(&host.server, &owner), reply)
        }
        Command::Close(reply) => settle(host.close(), reply),
    }
}

fn settle<T>(outcome: Outcome<T>, reply: Reply<T>) -> Outcome<()> {
    match outcome {
        Ok(value) => reply.answer(Ok(value)),
        Err(Fault::Failed(reason)) => reply.answer(Err(reason)),
        Err(Fault::Lost(reason)) => {
            reply.answer(Err(reason.clone()));
            return Err(Fault::Lost(reason));
        }
    }
    Ok(())
}

fn sleep(server: RawFd, wake: &Wake, due: Option<Instant>) -> Outcome<()> {
    // Rounded up: a timeout of 0 ms just before the moment would spin.
    let timeout = due.map_or(-1, |due| {
        let left = due.saturating_duration_since(Instant::now());
        i32::try_from(left.as_micros().div_ceil(1000)).unwrap_or(i32::MAX)
    });
    let mut fds = [server, wake.as_raw_fd()].map(|fd| libc::pollfd { fd, events: libc::POLLIN, revents: 0 });
    // SAFETY: `fds` is a live array of the length passed.
    let ready = unsafe { libc::poll(fds.as_mut_ptr(), fds.len() as libc::nfds_t, timeout) };
    if ready < 0 {
        let error = std::io::Error::last_os_error();
        return match error.kind() {
            std::io::ErrorKind::Interrupted => Ok(()),
            _ => Err(Fault::Lost(format!("waiting for the X server failed: {error}"))),
        };
    }
    if fds[1].revents != 0 {
        wake.clear();
    }
    Ok(())
}
