//! The one thread that owns the connection. It sleeps until the compositor or JavaScript has something to say.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::connect::named;
use super::figure::Figure;
use super::host::{Host, Present};
use super::output::WaylandOutput;
use super::surface::Presented;
use super::{WaylandEvent, WaylandInfo};
use crate::api::Reply;
use crate::cast::Prepared;
use crate::fault::{Fault, Outcome};
use crate::limit::{panic_message, within};
use crate::region::Rect;
use crate::wake::Wake;

const CLOSED: &str = "the Wayland host was closed";

pub enum Command {
    Outputs(Reply<(u32, Vec<WaylandOutput>)>),
    Present(Present, Reply<Presented>),
    Capture { output: String, area: Rect, overlay: bool, reply: Reply<Vec<u8>> },
    CaptureCast { output: String, area: Rect, cast: Prepared, reply: Reply<Vec<u8>> },
    Figure(Figure, Reply<Presented>),
    HideFigure(Reply<()>),
    Close(Reply<()>),
}

/// JavaScript's end of the thread. Dropping it closes the connection.
pub struct Handle {
    commands: Option<Sender<Command>>,
    wake: Arc<Wake>,
    ended: Arc<Mutex<Option<String>>>,
    pub info: Arc<Mutex<WaylandInfo>>,
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
        Command::Outputs(reply) => reply.answer(Err(reason.into())),
        Command::Present(_, reply) | Command::Figure(_, reply) => reply.answer(Err(reason.into())),
        Command::HideFigure(reply) => reply.answer(Err(reason.into())),
        Command::Capture { reply, .. } | Command::CaptureCast { reply, .. } => reply.answer(Err(reason.into())),
        Command::Close(reply) => reply.answer(Ok(())),
    }
}

/// Connects on a new thread, which then serves the returned handle until it is dropped.
pub fn start(display: Option<String>, limit: Duration, events: Box<dyn Fn(WaylandEvent) + Send>, reply: Reply<Handle>) {
    let what = format!("the Wayland compositor at '{}'", named(display.as_deref()));
    within("Wayland", limit, &what, reply, move |abandon, answer| {
        let info = Arc::new(Mutex::new(WaylandInfo::default()));
        let opened = Wake::new().map_err(Fault::Failed).and_then(|wake| {
            let host = Host::open(display.as_deref(), abandon, &info, events)?;
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
            Err(panic) => Some(format!("the Wayland thread failed: {}", panic_message(&*panic))),
        };
        if let Ok(mut ended) = ended.lock() {
            (*ended).clone_from(&lost);
        }
        // Without the connection the compositor takes our surfaces off by itself.
        let events = host.part();
        while let Ok(command) = inbox.try_recv() {
            reject(command, lost.as_deref().unwrap_or(CLOSED));
        }
        drop(inbox);
        if let Some(reason) = lost {
            events(WaylandEvent::Exit { reason });
        }
    });
}

/// Until JavaScript closes or drops its handle (`Ok`), or the compositor is gone (`Err`).
fn serve(host: &mut Host, inbox: &Receiver<Command>, wake: &Wake) -> Outcome<()> {
    loop {
        host.dispatch()?;
        loop {
            match inbox.try_recv() {
                Ok(Command::Close(reply)) => {
                    let closed = host.close();
                    reply.answer(Ok(()));
                    return survive(closed);
                }
                Ok(command) => run(host, command)?,
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => return survive(host.close()),
            }
        }
        host.tell_touches();
        survive(host.settle())?;
        host.sleep(Some(wake), host.next_due())?;
    }
}

/// Only a lost connection ends the thread.
fn survive(outcome: Outcome<()>) -> Outcome<()> {
    match outcome {
        Err(Fault::Failed(_)) => Ok(()),
        other => other,
    }
}

fn run(host: &mut Host, command: Command) -> Outcome<()> {
    match command {
        Command::Outputs(reply) => {
            let outcome = host.reread();
            settle(outcome.map(|()| (host.epoch, host.outputs())), reply)
        }
        Command::Present(request, reply) => host.present(&request, reply),
        Command::Capture { output, area, overlay, reply } => settle(host.capture(&output, area, overlay), reply),
        Command::CaptureCast { output, area, cast, reply } => settle(host.capture_cast(&output, &area, &cast), reply),
        Command::Figure(request, reply) => host.show_figure(&request, reply),
        Command::HideFigure(reply) => settle(host.hide_figure(), reply),
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
