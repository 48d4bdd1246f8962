//! The Wayland surface as JavaScript sees it: a thin layer over the thread that does the work.

mod capture;
mod connect;
mod cursor;
mod figure;
mod host;
mod look;
mod output;
pub mod picture;
mod sheet;
mod state;
mod surface;
mod thread;
mod wire;

use std::time::Duration;

use napi::Error;
use napi::bindgen_prelude::{Buffer, Env, Function, Object, Result, Unknown};
use napi::threadsafe_function::ThreadsafeFunctionCallMode;
use napi_derive::napi;

use crate::api::{Reply, promise};
use crate::cast::ScreenCast;
use crate::region::Rect;
use crate::surface::{PixelRect, PresentResult};
use figure::Touch;
use output::WaylandOutput;
use surface::Presented;
use thread::{Command, Handle};

#[napi(object)]
pub struct WaylandOptions {
    /// The compositor's socket: a name in `$XDG_RUNTIME_DIR`, or a path; absent: `$WAYLAND_DISPLAY`.
    pub display: Option<String>,
    /// Milliseconds after which a compositor that does not answer is given up.
    pub timeout_ms: u32,
}

/// What happens on the display. Events never keep the process alive.
#[napi(discriminant = "type", discriminant_case = "lowercase")]
pub enum WaylandEvent {
    /// The outputs changed. What was drawn on one that is still in the list, unchanged, may be gone too: draw it again.
    /// Requests with an older epoch are stale.
    Displays { epoch: u32, outputs: Vec<WaylandOutput> },
    /// The pointer did something over the figure. Only while one is shown.
    Figure { touch: Touch },
    /// The connection is gone for good, and with it everything on the screen. Comes last, and not after `close`.
    Exit { reason: String },
}

/// What this compositor offers.
#[napi(object)]
#[derive(Clone, Default)]
pub struct WaylandInfo {
    /// How pictures are taken; absent: ordinary programs may not see the screen here.
    #[napi(ts_type = "'ext-image-copy-capture' | 'wlr-screencopy'")]
    pub capture: Option<String>,
    /// Marks are drawn in the pixels of the output, whatever its scale; otherwise the compositor may have to resize them.
    pub viewports: bool,
}

#[napi(object)]
pub struct WaylandLayout {
    /// Rises whenever the outputs change.
    pub epoch: u32,
    pub outputs: Vec<WaylandOutput>,
}

#[napi(object, object_to_js = false)]
pub struct WaylandPresentRequest {
    /// The epoch of the layout this was drawn for.
    pub epoch: u32,
    /// The output's name.
    pub output: String,
    /// Where pixels change, in pixels of the output. Must lie on it.
    pub patches: Vec<PixelRect>,
    /// RGBA, premultiplied: the patches' rows without padding, one patch after the other. Read until the promise
    /// settles, so it must not be changed before.
    #[napi(ts_type = "Uint8Array")]
    pub pixels: Buffer,
    /// Rectangles of the output that together hold everything that is drawn on it after this request. Nothing outside
    /// them is shown. Empty: nothing is drawn; the surface goes, and all pixels are forgotten.
    pub ink: Vec<PixelRect>,
}

#[napi(object)]
pub struct WaylandCaptureRequest {
    /// The output's name.
    pub output: String,
    /// In pixels of the output. Must lie on it.
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
    /// With what is drawn here, as the person sees it; otherwise it is taken off for that one frame.
    pub overlay: bool,
}

fn presented(done: Presented) -> PresentResult {
    PresentResult {
        shown: done == Presented::Shown,
        stale: done == Presented::Stale,
        covered: done == Presented::Unseen,
        input_empty: true,
    }
}

/// A connection to a Wayland compositor that draws click-through marks above everything. Every call returns at once;
/// promises reject with a plain sentence. When it is closed, dropped or its process ends, nothing of it stays on the
/// screen.
#[napi]
pub struct WaylandHost {
    handle: Handle,
}

#[napi]
impl WaylandHost {
    /// Connects. Rejects when there is no compositor, when it does not answer in time, and when it offers no surface that
    /// is above other windows and lets clicks through.
    #[napi(ts_return_type = "Promise<WaylandHost>")]
    pub fn connect<'env>(
        env: &'env Env,
        options: WaylandOptions,
        #[napi(ts_arg_type = "(event: WaylandEvent) => void")] on_event: Function<'_, WaylandEvent, Unknown<'static>>,
    ) -> Result<Object<'env>> {
        let events = on_event.build_threadsafe_function().weak::<true>().build()?;
        let (reply, promise) = promise(env, |handle: Handle| WaylandHost { handle })?;
        let sink = Box::new(move |event| {
            events.call(event, ThreadsafeFunctionCallMode::NonBlocking);
        });
        thread::start(options.display, Duration::from_millis(options.timeout_ms.into()), sink, reply);
        Ok(promise)
    }

    /// What this compositor offers.
    #[napi]
    pub fn info(&self) -> Result<WaylandInfo> {
        let info = self.handle.info.lock();
        info.map(|info| info.clone()).map_err(|_| Error::from_reason("the Wayland thread failed"))
    }

    /// The outputs, read afresh.
    #[napi(ts_return_type = "Promise<WaylandLayout>")]
    pub fn outputs<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |(epoch, outputs)| WaylandLayout { epoch, outputs })?;
        self.handle.send(Command::Outputs(reply));
        Ok(promise)
    }

    /// Draws. Resolves when a frame with it was shown; `covered` when none came, since the output is off or the session
    /// locked. The input region is empty, though no compositor tells: `inputEmpty` is what was asked for.
    #[napi(ts_return_type = "Promise<PresentResult>")]
    pub fn present<'env>(&self, env: &'env Env, request: WaylandPresentRequest) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, presented as fn(Presented) -> PresentResult)?;
        let request = host::Present {
            epoch: request.epoch,
            output: request.output,
            patches: request.patches.into_iter().map(Rect::from).collect(),
            pixels: Box::new(request.pixels),
            ink: request.ink.into_iter().map(Rect::from).collect(),
        };
        self.handle.send(Command::Present(request, reply));
        Ok(promise)
    }

    /// A picture of a part of an output into `target`, which must have four bytes for every pixel: opaque RGBA, rows
    /// without padding. It is written until the promise settles, and must be left alone before.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn capture_into<'env>(
        &self,
        env: &'env Env,
        request: WaylandCaptureRequest,
        #[napi(ts_arg_type = "Uint8Array")] target: Buffer,
    ) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        let area = Rect::new(request.x, request.y, request.width, request.height);
        let reply = Reply::into_buffer(reply, target, |rgba| rgba);
        self.handle.send(Command::Capture { output: request.output, area, overlay: request.overlay, reply });
        Ok(promise)
    }

    /// As `captureInto` without what is drawn here, where the desktop hands pictures out: what is drawn here is taken off,
    /// and the frame is one that was composed after that. `cast` was prepared for this output.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn capture_cast_into<'env>(
        &self,
        env: &'env Env,
        request: WaylandCaptureRequest,
        cast: &ScreenCast,
        #[napi(ts_arg_type = "Uint8Array")] target: Buffer,
    ) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        let area = Rect::new(request.x, request.y, request.width, request.height);
        let reply = Reply::into_buffer(reply, target, |rgba| rgba);
        self.handle.send(Command::CaptureCast { output: request.output, area, cast: cast.prepared(), reply });
        Ok(promise)
    }

    /// Takes everything off the screen and lets go of the compositor. May be called again, and after `exit`; every other
    /// call after it rejects.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn close<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        self.handle.send(Command::Close(reply));
        Ok(promise)
    }
}
