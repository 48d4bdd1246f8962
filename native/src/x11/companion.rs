//! Showing the companion: one small window that takes clicks where it is told to, below all marks.
//!
//! Below them, because a question to the person must never be hidden by what an agent has the companion say.

use napi::bindgen_prelude::{Buffer, Env, Object, Result};
use napi_derive::napi;
use x11rb::protocol::xproto::Window;

use super::X11Host;
use super::claims::Ours;
use super::compose::{self, Layers, Scene};
use super::fault::{Fault, Outcome};
use super::figure::Figure;
use super::host::Host;
use super::memory::PIXEL;
use super::pixels::blend_over;
use super::region::Rect;
use super::thread::Command;
use crate::api::promise;

/// No side of it may be longer, in pixels.
const LONGEST: i32 = 8192;

#[napi(object, object_to_js = false)]
pub struct CompanionRequest {
    /// The epoch of the layout this was drawn for.
    pub epoch: u32,
    /// Where it is to be, in physical pixels of the root. Some of it must lie on the root.
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
    /// RGBA, premultiplied, rows without padding. Absent: as they were; the size must be the same then. Read until the
    /// promise settles, so it must not be changed before.
    #[napi(ts_type = "Uint8Array")]
    pub pixels: Option<Buffer>,
    /// RGBA of the same size: clicks are taken where it is at least half there, and pass through elsewhere. Absent: where
    /// they were; the size must be the same then. As `pixels` otherwise.
    #[napi(ts_type = "Uint8Array")]
    pub input: Option<Buffer>,
    /// Its menu is open: Up, Down, Enter and Escape are taken from other programs, and `menu`, `over` and `elsewhere` events
    /// are sent.
    pub menu: bool,
}

#[napi(object, object_from_js = false)]
pub struct CompanionResult {
    /// Nothing was done: the monitors changed meanwhile, or what was to stay as it was is not there. All of it is to be
    /// asked for again.
    pub stale: bool,
    /// All of it lies behind a screen locker, or a window that insists on being on top.
    pub covered: bool,
}

pub struct Show {
    pub epoch: u32,
    pub frame: Rect,
    pub pixels: Option<Bytes>,
    pub input: Option<Bytes>,
    pub menu: bool,
}

type Bytes = Box<dyn AsRef<[u8]> + Send>;

#[derive(Default)]
pub struct Shown {
    stale: bool,
    covered: bool,
}

/// The part of it that is on the root, in its own coordinates, and what it was blended with.
struct Blended {
    rect: Rect,
    layers: Layers,
}

impl Host {
    pub fn show_companion(&mut self, request: &Show) -> Outcome<Shown> {
        let fits = match &self.figure {
            Some(figure) => (figure.frame.width, figure.frame.height) == (request.frame.width, request.frame.height),
            None => false,
        };
        let stale = request.epoch != self.epoch || !fits && (request.pixels.is_none() || request.input.is_none());
        if stale {
            return Ok(Shown { stale, covered: false });
        }
        let root = self.check_companion(request)?;
        match self.put_companion(request, &root) {
            Ok(covered) => Ok(Shown { stale, covered }),
            Err(fault) => {
                // Rather nothing than something that may take clicks where it is not.
                self.hide_companion()?;
                Err(fault)
            }
        }
    }

    fn put_companion(&mut self, request: &Show, root: &Rect) -> Outcome<bool> {
        self.redirect()?;
        if !self.has_ink() {
            self.backdrop.outdate();
        }
        let frame = request.frame;
        let (before, mut figure) = match self.figure.take() {
            Some(figure) => (Some(figure.frame), figure),
            None => {
                self.notice_bare_root()?;
                (None, Figure::new(&self.server, frame, self.software)?)
            }
        };
        if let Some(pixels) = &request.pixels {
            figure.keep(&self.server, &frame, (**pixels).as_ref())?;
        }
        let (window, was_mapped) = (figure.window, figure.mapped);
        self.figure = Some(figure);
        // Before it is there, so that at no moment anything is shown that was not blended yet.
        let blended = if self.software { self.blend_companion(&frame, root)? } else { None };
        let mut shaped = None;
        if let Some(figure) = &mut self.figure {
            figure.place(&self.server, frame)?;
            if self.software && request.pixels.is_some() {
                shaped = Some(figure.shape(&self.server)?);
            }
        }
        if self.software {
            self.appear_companion(was_mapped)?;
            if let Some(Blended { rect, layers }) = blended {
                self.put_blended_companion(&rect)?;
                if before != Some(frame) {
                    self.watch_below(layers.below.iter())?;
                }
            }
            self.repaint_marks(&before.into_iter().chain([frame]).collect::<Vec<_>>())?;
        } else {
            self.appear_companion(was_mapped)?;
            if let (Some(figure), Some(_)) = (&self.figure, &request.pixels) {
                figure.put_canvas(&self.server)?;
            }
        }
        if let (Some(figure), Some(input)) = (&mut self.figure, &request.input) {
            figure.take_clicks(&self.server, (**input).as_ref())?;
            figure.check_input(&self.server)?;
        } else {
            self.server.root_rect()?;
        }
        if let Some(shaped) = shaped {
            // What another shape laid bare has its pixels by now.
            self.server.skip_exposures(window, shaped)?;
        }
        self.open_menu(request.menu)?;
        if self.marks_over(&frame) != before.map_or(Vec::new(), |before| self.marks_over(&before)) {
            // It belongs below other windows of ours than before.
            self.windows_changed = true;
        }
        Ok(self.stacking.hides(window, &[frame]))
    }

    /// Takes it off; returns when the server has done it.
    pub fn hide_companion(&mut self) -> Outcome<()> {
        self.open_menu(false)?;
        self.forget_press()?;
        if let Some(figure) = self.figure.take() {
            let frame = figure.frame;
            figure.destroy(&self.server)?;
            if self.software {
                self.repaint_marks(&[frame])?;
            }
        }
        self.rest_if_idle()?;
        self.server.root_rect()?;
        Ok(())
    }

    /// The monitors are others: it stays only where nothing changed under it.
    pub fn keep_companion_on(&mut self, unchanged: &[Rect]) -> Outcome<()> {
        let on_it = |figure: &Figure| unchanged.iter().any(|monitor| monitor.contains(&figure.frame));
        match &self.figure {
            Some(figure) if !on_it(figure) => self.hide_companion(),
            _ => Ok(()),
        }
    }

    /// The root, as large as it is now.
    fn check_companion(&self, request: &Show) -> Outcome<Rect> {
        let frame = &request.frame;
        let sane = !frame.is_empty() && frame.width <= LONGEST && frame.height <= LONGEST;
        let root = self.server.root_rect()?;
        if !sane || root.intersect(frame).is_none() {
            return Fault::failed(format!(
                "the companion cannot be {}x{} at {},{}",
                frame.width, frame.height, frame.x, frame.y
            ));
        }
        let wanted = frame.area() * PIXEL;
        for given in [&request.pixels, &request.input].into_iter().flatten() {
            let given = (**given).as_ref().len();
            if given != wanted {
                return Fault::failed(format!("the companion needs {wanted} bytes of pixels, and {given} were given"));
            }
        }
        Ok(root)
    }

    /// Our own windows with marks over `frame`.
    pub fn marks_over(&self, frame: &Rect) -> Vec<Window> {
        let over = self.surfaces.iter().filter(|surface| surface.mapped && surface.area().intersect(frame).is_some());
        over.map(|surface| surface.window).collect()
    }

    fn appear_companion(&mut self, was_mapped: bool) -> Outcome<()> {
        if was_mapped {
            return Ok(());
        }
        let Some(frame) = self.figure.as_ref().map(|figure| figure.frame) else { return Ok(()) };
        let below = self.companion_ceiling(&frame)?;
        if let Some(figure) = &mut self.figure {
            figure.map(&self.server, below)?;
        }
        Ok(())
    }

    /// Blends all of it with what is below `frame` into the scratch memory. The part of it that is on the root, in its own
    /// coordinates.
    fn blend_companion(&mut self, frame: &Rect, root: &Rect) -> Outcome<Option<Blended>> {
        let (own, ink) = (self.our_windows(), self.scene_ink());
        let Host { server, figure, scratch, compositor, backdrop, claims, .. } = self;
        let Some(figure) = figure else { return Ok(None) };
        let Some(seen) = frame.intersect(root) else { return Ok(None) };
        let scratch = scratch.room(server, seen.area())?;
        let scene = Scene { ours: Ours { own: &own, claims }, ink: &ink, compositor: *compositor, backdrop };
        let layers = Layers::read(server, &scene)?;
        compose::read_layers(server, &scene, &layers, &[seen], scratch)?;
        let here = seen.moved(-frame.x, -frame.y);
        let under = &mut scratch.bytes_mut()[..seen.area() * PIXEL];
        blend_over(figure.pixels(), frame.width as usize, &here, under);
        Ok(Some(Blended { rect: here, layers }))
    }

    /// The scratch memory is the server's until it has answered something.
    fn put_blended_companion(&self, rect: &Rect) -> Outcome<()> {
        match (&self.figure, self.scratch.memory()) {
            (Some(figure), Some(scratch)) => figure.put(&self.server, scratch, 0, rect),
            _ => Ok(()),
        }
    }

    /// Blends it again if something changed below it, or sends it again where the server lost it.
    pub fn repaint_companion(&mut self, outdated: &[Rect]) -> Outcome<()> {
        let Some(figure) = self.figure.as_ref().filter(|figure| figure.mapped) else { return Ok(()) };
        if !outdated.iter().any(|rect| rect.intersect(&figure.frame).is_some()) {
            return Ok(());
        }
        if self.software {
            let frame = figure.frame;
            let root = self.server.root_rect()?;
            if let Some(Blended { rect, .. }) = self.blend_companion(&frame, &root)? {
                self.put_blended_companion(&rect)?;
                self.server.root_rect()?;
            }
            return Ok(());
        }
        figure.put_canvas(&self.server)
    }
}

#[napi]
impl X11Host {
    /// Shows the companion so, in a window of its own: also with a connection that was opened to look only. Resolves when
    /// the server has done it. A move of it is one of the window and of where it takes clicks in one.
    #[napi(ts_return_type = "Promise<CompanionResult>")]
    pub fn show_companion<'env>(&self, env: &'env Env, request: CompanionRequest) -> Result<Object<'env>> {
        let (reply, promise) =
            promise(env, |shown: Shown| CompanionResult { stale: shown.stale, covered: shown.covered })?;
        let bytes = |buffer: Buffer| -> Bytes { Box::new(buffer) };
        let request = Show {
            epoch: request.epoch,
            frame: Rect::new(request.x, request.y, request.width, request.height),
            pixels: request.pixels.map(bytes),
            input: request.input.map(bytes),
            menu: request.menu,
        };
        self.handle.send(Command::ShowCompanion(request, reply));
        Ok(promise)
    }

    /// Takes the companion off and gives its keys back. Resolves when the server has done it; does nothing when it is not
    /// shown.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn hide_companion<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        self.handle.send(Command::HideCompanion(reply));
        Ok(promise)
    }
}
