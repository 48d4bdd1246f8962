//! The X11 surface as JavaScript sees it: a thin layer over the thread that does the work.

mod answer;
mod backdrop;
mod capture_into;
mod claim_watch;
mod claims;
mod companion;
mod compose;
mod content;
mod events;
mod fault;
mod figure;
mod host;
mod hotkey;
mod layout;
mod memory;
mod next;
mod paint;
mod pipe;
mod pointer;
mod press;
mod raw;
mod server;
mod spans;
mod stacking;
mod surface;
mod surfaces_of;
mod thread;
mod touch;
mod windows;
mod xsettings;
mod xwayland;

use std::time::Duration;

use napi::Error;
use napi::bindgen_prelude::{Buffer, Env, Function, Object, Result, Unknown};
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;

use crate::api::{Reply, promise};
use crate::monitor::Monitor;
use crate::region::Rect;
pub use crate::surface::{PixelRect, PresentResult};
use crate::{limit, pixels, region};
use thread::{Command, Handle};

pub fn list_displays(display: Option<String>, timeout_ms: u32, reply: Reply<Vec<Monitor>>) {
    let named = display.clone().or_else(|| std::env::var("DISPLAY").ok()).unwrap_or_default();
    let limit = Duration::from_millis(timeout_ms.into());
    limit::within("X11", limit, &format!("the X server at '{named}'"), reply, move |abandon, answer| {
        let monitors = server::connect(display.as_deref(), abandon).and_then(|conn| layout::read_once(&conn));
        answer(monitors.map_err(|fault| fault.reason().to_string()));
    });
}

#[napi(object)]
pub struct X11Options {
    /// The display, such as `:0`; absent: `$DISPLAY`.
    pub display: Option<String>,
    /// Milliseconds after which a server that does not answer is given up.
    pub timeout_ms: u32,
    /// Whether to take Ctrl+Shift+K.
    pub hotkey: bool,
    /// No marks are ever drawn: `present` rejects. Absent: false.
    pub eyes_only: Option<bool>,
}

/// What happens on the display. Events never keep the process alive.
#[napi(discriminant = "type", discriminant_case = "lowercase")]
pub enum X11Event {
    /// The monitors changed. What was drawn on one that is still in the list, unchanged, is still there; everything
    /// else is off the screen. Requests with an older epoch are stale.
    Displays { epoch: u32, monitors: Vec<Monitor> },
    /// A compositor came or went; what is drawn stays right by itself.
    Compositor { present: bool },
    /// The person pressed Ctrl+Shift+K.
    Hotkey,
    /// The person pressed Ctrl+Shift+Y or Ctrl+Shift+N. Only while the answer keys are taken; one may still be under way
    /// when giving them back resolves.
    Answer { yes: bool },
    /// The person pressed Ctrl+Shift+Space. Only while that key is taken; one may still be under way when giving it back
    /// resolves.
    Next,
    /// Other programs' windows changed, each at most once here. Only while `watchWindows` is on; one may still be under
    /// way when turning it off resolves.
    Windows { changes: Vec<windows::WindowChange> },
    /// Claimed windows came, went, moved, were framed or take clicks elsewhere: `surfacesOf` says how they are now. Told
    /// once; ask to hear of it again. Not told: that others came above them.
    Surfaces,
    /// A watched window changed near a mark. Told once; `look` at the window to hear of it again.
    Content {
        window: u32,
        /// A wheel was turned over it a moment ago.
        scrolled: bool,
    },
    /// A button was pressed on the companion, at this pixel of the root.
    Press {
        x: i32,
        y: i32,
        #[napi(ts_type = "'primary' | 'secondary'")]
        button: String,
    },
    /// The pointer is over the companion whose menu is open, at this pixel of the root, or has just left it. At most 60 times
    /// a second.
    Over { x: i32, y: i32, inside: bool },
    /// A key of the companion's open menu was pressed. One may still be under way when that is closed.
    Menu {
        #[napi(ts_type = "'up' | 'down' | 'enter' | 'escape'")]
        key: String,
    },
    /// A button was pressed elsewhere while the companion's menu is open, and went where it was meant to go.
    Elsewhere,
    /// The person pressed Ctrl+Shift+Period, with the pointer at this pixel of the root. Only while that key is taken; one
    /// may still be under way when giving it back resolves.
    Summon { x: i32, y: i32 },
    /// The pointer is at this pixel of the root now. At most 60 times a second, and only while `watchPointer` is on.
    Pointer { x: i32, y: i32 },
    /// The connection is gone for good, and with it everything on the screen. Comes last, and not after `close`.
    Exit { reason: String },
}

/// What this server and desktop offer. A snapshot of the moment it is asked for.
#[napi(object)]
#[derive(Clone, Default)]
pub struct Info {
    /// The server's own release number, such as 12101007.
    pub vendor_release: u32,
    /// The server is an Xwayland, of a release that lets clicks through.
    pub xwayland: bool,
    pub argb_visual: bool,
    pub compositor: bool,
    /// Pixels are shared with the server rather than sent.
    pub shm: bool,
    #[napi(ts_type = "'ready' | 'taken' | 'off'")]
    pub hotkey: String,
    /// The desktop's settings ask for no animations.
    pub reduced_motion: bool,
    /// Processes' windows are known by what the server says of their connections. Otherwise what windows say of
    /// themselves has to do, which any program can say.
    pub tells_processes: bool,
    /// Things that are so and that a person would want to know, one sentence each.
    pub notes: Vec<String>,
}

#[napi(object)]
pub struct Layout {
    /// Rises whenever the monitors change.
    pub epoch: u32,
    pub monitors: Vec<Monitor>,
}

#[napi(object, object_to_js = false)]
pub struct PresentRequest {
    /// The epoch of the layout this was drawn for.
    pub epoch: u32,
    /// The monitor's name.
    pub monitor: String,
    /// Where pixels change, in pixels of the monitor. Must lie on it.
    pub patches: Vec<PixelRect>,
    /// RGBA, premultiplied: the patches' rows without padding, one patch after the other. Read until the promise
    /// settles, so it must not be changed before.
    #[napi(ts_type = "Uint8Array")]
    pub pixels: Buffer,
    /// Rectangles of the monitor that together hold everything that is drawn on it after this request. Nothing outside
    /// them is shown. Empty: nothing is drawn; the window goes, and all pixels are forgotten.
    pub ink: Vec<PixelRect>,
}

#[napi(object)]
pub struct CaptureRequest {
    /// In physical pixels of the root. Must lie on it.
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
    /// With what is drawn here, as the person sees it; otherwise the screen without it.
    pub overlay: bool,
}

#[napi(object, object_from_js = false)]
pub struct CaptureResult {
    pub width: i32,
    pub height: i32,
    /// Opaque RGBA, rows without padding.
    pub data: Buffer,
}

/// A connection to an X display that draws click-through marks on it. Every call returns at once; promises reject with
/// a plain sentence. When it is closed, dropped or its process ends, nothing of it stays on the screen.
#[napi]
pub struct X11Host {
    handle: Handle,
}

#[napi]
impl X11Host {
    /// Connects and takes over drawing. Rejects when there is no server, when it refuses, when it does not answer in
    /// time, and when it cannot be drawn on without harm (an Xwayland that would take the pointer away).
    #[napi(ts_return_type = "Promise<X11Host>")]
    pub fn connect<'env>(
        env: &'env Env,
        options: X11Options,
        #[napi(ts_arg_type = "(event: X11Event) => void")] on_event: Function<'_, X11Event, Unknown<'static>>,
    ) -> Result<Object<'env>> {
        let events = on_event.build_threadsafe_function().weak::<true>().build()?;
        let (reply, promise) = promise(env, |handle: Handle| X11Host { handle })?;
        let limit = Duration::from_millis(options.timeout_ms.into());
        let sink = Box::new(move |event| {
            events.call(event, ThreadsafeFunctionCallMode::NonBlocking);
        });
        let ways = host::Ways { hotkey: options.hotkey, eyes_only: options.eyes_only.unwrap_or(false) };
        thread::start(options.display, limit, ways, sink, reply);
        Ok(promise)
    }

    /// What this server and desktop offer now.
    #[napi]
    pub fn info(&self) -> Result<Info> {
        let info = self.handle.info.lock();
        info.map(|info| info.clone()).map_err(|_| Error::from_reason("the X11 thread failed"))
    }

    /// The monitors, read afresh.
    #[napi(ts_return_type = "Promise<Layout>")]
    pub fn monitors<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |(epoch, monitors)| Layout { epoch, monitors })?;
        self.handle.send(Command::Monitors(reply));
        Ok(promise)
    }

    /// Draws. Resolves when the server has done it.
    #[napi(ts_return_type = "Promise<PresentResult>")]
    pub fn present<'env>(&self, env: &'env Env, request: PresentRequest) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |done: paint::Presented| PresentResult {
            shown: done.shown,
            stale: done.stale,
            covered: done.covered,
            input_empty: done.input_empty,
        })?;
        let request = paint::Present {
            epoch: request.epoch,
            monitor: request.monitor,
            patches: request.patches.into_iter().map(Rect::from).collect(),
            pixels: Box::new(request.pixels),
            ink: request.ink.into_iter().map(Rect::from).collect(),
        };
        self.handle.send(Command::Present(request, reply));
        Ok(promise)
    }

    /// A picture of a part of the screen.
    #[napi(ts_return_type = "Promise<CaptureResult>")]
    pub fn capture<'env>(&self, env: &'env Env, request: CaptureRequest) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |picture: host::Picture| CaptureResult {
            width: picture.width,
            height: picture.height,
            data: picture.rgba.into(),
        })?;
        let area = Rect::new(request.x, request.y, request.width, request.height);
        self.handle.send(Command::Capture { area, overlay: request.overlay, reply });
        Ok(promise)
    }

    /// Takes everything off the screen and lets go of the display. May be called again, and after `exit`; every other
    /// call after it rejects.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn close<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        self.handle.send(Command::Close(reply));
        Ok(promise)
    }
}
