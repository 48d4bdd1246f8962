//! A surface over everything else: there only while something is drawn on it, and in the way of a click only where it is
//! meant to be, which for marks is nowhere.

use std::time::{Duration, Instant};

use smithay_client_toolkit::compositor::{Region, Surface as OwnedSurface};
use smithay_client_toolkit::shell::WaylandSurface;
use smithay_client_toolkit::shell::wlr_layer::{Anchor, KeyboardInteractivity, Layer, LayerSurface};
use wayland_client::QueueHandle;
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_protocols::wp::viewporter::client::wp_viewport::WpViewport;

use super::output::{Head, WaylandOutput, size_for};
use super::sheet::{Sheet, Sheets};
use super::state::{FrameDone, Globals, Quiet, State};
use crate::api::Reply;
use crate::fault::Outcome;
use crate::pixels::{PIXEL, clear, store_rgba};
use crate::region::{Rect, disjoint, overlaps, subtract};

/// What compositors call our surfaces.
const NAMESPACE: &str = "lets-overlay";

/// A compositor that has not shown a frame for so long does not show it: its output is off, or the session locked.
const FRAME_LIMIT: Duration = Duration::from_millis(500);

/// How a request to draw ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presented {
    Shown,
    /// Drawn, but no frame came of it.
    Unseen,
    /// The outputs changed meanwhile.
    Stale,
}

/// Where on its output a surface is, and where it takes clicks.
pub enum Extent {
    /// All over it, and every click passes.
    Whole,
    /// In logical points of the output; `input` in logical points of the surface.
    Part { place: Rect, input: Region },
}

pub struct Surface {
    /// What it is for: the output of marks, or `FIGURE`.
    pub name: String,
    /// The output that it is on; its pixels are those of the surface.
    pub shown: WaylandOutput,
    /// Its top left, in logical points of the output.
    pub corner: (i32, i32),
    layer: LayerSurface,
    viewport: Option<WpViewport>,
    /// Where clicks do not pass.
    input: Region,
    logical: (i32, i32),
    /// The logical size the compositor gave it; `None` before its first word.
    size: Option<(i32, i32)>,
    /// The compositor took it away.
    pub closed: bool,
    sheets: Sheets,
    ink: Vec<Rect>,
    /// Counts the frames that were asked for.
    serial: u64,
    shown_serial: u64,
    waiting: Vec<Waiting>,
}

struct Waiting {
    serial: u64,
    due: Instant,
    reply: Reply<Presented>,
}

impl Surface {
    /// Asks for it: nothing can be attached before `is_ready`. The order of the requests is of the essence: the input
    /// region is empty before the compositor ever sees the surface.
    pub fn new(
        globals: &Globals,
        queue: &QueueHandle<State>,
        head: &Head,
        name: &str,
        extent: Extent,
    ) -> Outcome<Surface> {
        let wl_surface = globals.compositor.create_surface(queue);
        let (place, input) = match extent {
            Extent::Whole => (None, globals.region(&[])?),
            Extent::Part { place, input } => (Some(place), input),
        };
        wl_surface.set_input_region(Some(input.wl_region()));
        let viewport = globals.viewporter.as_ref().map(|viewporter| viewporter.get_viewport(&wl_surface, queue, Quiet));
        let owned = OwnedSurface::from(wl_surface);
        let layer =
            globals.layer_shell.create_layer_surface(queue, owned, Layer::Overlay, Some(NAMESPACE), Some(&head.output));
        let mut shown = head.shown.clone();
        match place {
            None => {
                layer.set_size(0, 0);
                layer.set_anchor(Anchor::all());
            }
            Some(place) => {
                layer.set_size(place.width.unsigned_abs(), place.height.unsigned_abs());
                layer.set_anchor(Anchor::TOP | Anchor::LEFT);
                layer.set_margin(place.y, 0, 0, place.x);
                (shown.width, shown.height) = pixels_of(&place, shown.scale);
            }
        }
        // Over panels too, and without pushing anything aside.
        layer.set_exclusive_zone(-1);
        layer.set_keyboard_interactivity(KeyboardInteractivity::None);
        let surface = Surface {
            name: name.into(),
            shown,
            corner: place.map_or((0, 0), |place| (place.x, place.y)),
            layer,
            viewport,
            input,
            logical: place.map_or(head.logical, |place| (place.width, place.height)),
            size: None,
            closed: false,
            sheets: Sheets::default(),
            ink: Vec::new(),
            serial: 0,
            shown_serial: 0,
            waiting: Vec::new(),
        };
        surface.commit();
        Ok(surface)
    }

    /// It takes the place of another one of its name, whose frames may still be told: they are not its own.
    pub fn follow(&mut self, other: &Surface) {
        self.serial = other.serial;
        self.shown_serial = other.serial;
    }

    pub fn is(&self, layer: &LayerSurface) -> bool {
        self.layer == *layer
    }

    pub fn is_made_of(&self, surface: &WlSurface) -> bool {
        self.wl_surface() == surface
    }

    /// From the next frame on it is there on its output, and takes clicks there.
    pub fn place(&mut self, place: &Rect, input: Region) {
        if self.corner != (place.x, place.y) && self.is_up() {
            // Sway 1.7 draws the place that a surface leaves again only on an output at the layout's origin. What is said to
            // have changed before it leaves, it draws anywhere.
            self.wl_surface().damage_buffer(0, 0, i32::MAX, i32::MAX);
            self.commit();
        }
        self.layer.set_margin(place.y, 0, 0, place.x);
        self.corner = (place.x, place.y);
        self.input = input;
    }

    pub fn is_ready(&self) -> bool {
        self.size.is_some()
    }

    /// Something of it can be on the screen.
    pub fn is_up(&self) -> bool {
        !self.closed && self.sheets.front().is_some()
    }

    pub fn has_room(&self) -> bool {
        self.sheets.has_room()
    }

    /// The compositor gave it a size.
    pub fn configure(&mut self, size: (u32, u32)) {
        self.size = Some(size_for(size, self.logical));
        if self.is_up() {
            self.fit();
            self.commit();
        }
    }

    /// Draws and asks for a frame. False, and nothing is done: the compositor still reads from every sheet.
    pub fn paint(
        &mut self,
        globals: &Globals,
        queue: &QueueHandle<State>,
        patches: &[Rect],
        pixels: &[u8],
        ink: Vec<Rect>,
    ) -> Outcome<bool> {
        let (width, height) = (self.shown.width, self.shown.height);
        let removed = subtract(&self.ink, &ink);
        let mut dirty = overlaps(patches, &ink);
        dirty.extend(subtract(&ink, &self.ink));
        dirty.extend(removed.iter().copied());
        let dirty = disjoint(&dirty, &Rect::new(0, 0, width, height));
        // Nothing differs, and a compositor draws no frame for that.
        if dirty.is_empty() && self.is_up() {
            return Ok(true);
        }
        // What is drawn outside the ink is never seen, and must not appear later.
        let stored: Vec<Rect> = patches.iter().chain(&dirty).copied().collect();
        let Some(target) = self.sheets.turn(&globals.shm, (width, height), &self.ink, &stored)? else {
            return Ok(false);
        };
        let mut offset = 0;
        for patch in patches {
            let end = offset + patch.area() * PIXEL;
            store_rgba(&pixels[offset..end], target, width as usize, patch);
            offset = end;
        }
        for rect in removed.iter().copied().chain(subtract(patches, &ink)) {
            clear(target, width as usize, &rect);
        }
        self.ink = ink;
        self.show(queue, &dirty);
        Ok(true)
    }

    /// Shows the front sheet, and asks for a frame.
    fn show(&mut self, queue: &QueueHandle<State>, dirty: &[Rect]) {
        let Some(front) = self.sheets.front() else { return };
        front.attach(self.wl_surface());
        self.fit();
        for rect in dirty {
            self.wl_surface().damage_buffer(rect.x, rect.y, rect.width, rect.height);
        }
        self.ask_for_frame(queue);
        self.commit();
    }

    /// Shows nothing of it for now: `blank` is a clear sheet of any size. The surface stays, so that coming back takes no
    /// word with the compositor. Gives the number of the frame that is without it.
    pub fn hide(&mut self, queue: &QueueHandle<State>, blank: &Sheet) -> u64 {
        blank.attach(self.wl_surface());
        if self.viewport.is_none() {
            // A single pixel is no multiple of a larger scale, and that would be the end of the connection.
            self.wl_surface().set_buffer_scale(1);
        }
        self.wl_surface().damage_buffer(0, 0, i32::MAX, i32::MAX);
        self.ask_for_frame(queue);
        self.commit();
        self.serial
    }

    pub fn unhide(&mut self, queue: &QueueHandle<State>) {
        let everything = [Rect::new(0, 0, self.shown.width, self.shown.height)];
        self.show(queue, &everything);
    }

    pub fn has_shown(&self, serial: u64) -> bool {
        self.shown_serial >= serial
    }

    pub fn frame_done(&mut self, serial: u64) {
        self.shown_serial = self.shown_serial.max(serial);
        self.answer(Presented::Shown, |waiting| waiting.serial <= serial);
    }

    /// Answers once what was last drawn is on the screen.
    pub fn when_shown(&mut self, reply: Reply<Presented>) {
        if self.has_shown(self.serial) {
            return reply.answer(Ok(Presented::Shown));
        }
        self.waiting.push(Waiting { serial: self.serial, due: Instant::now() + FRAME_LIMIT, reply });
    }

    pub fn next_due(&self) -> Option<Instant> {
        self.waiting.iter().map(|waiting| waiting.due).min()
    }

    /// Gives up on frames that do not come.
    pub fn give_up_late(&mut self, now: Instant) {
        self.answer(Presented::Unseen, |waiting| waiting.due <= now);
    }

    fn answer(&mut self, presented: Presented, which: impl Fn(&Waiting) -> bool) {
        let (done, left): (Vec<Waiting>, Vec<Waiting>) = self.waiting.drain(..).partition(which);
        self.waiting = left;
        for waiting in done {
            waiting.reply.answer(Ok(presented));
        }
    }

    fn ask_for_frame(&mut self, queue: &QueueHandle<State>) {
        self.serial += 1;
        self.wl_surface().frame(queue, FrameDone { surface: self.name.clone(), serial: self.serial });
    }

    /// As large as the compositor said, however many pixels the sheet has.
    fn fit(&self) {
        let (width, height) = self.size.unwrap_or(self.logical);
        match &self.viewport {
            Some(viewport) => viewport.set_destination(width, height),
            None => self.wl_surface().set_buffer_scale(self.shown.scale.round() as i32),
        }
    }

    /// The input region is part of every state that the compositor is given.
    fn commit(&self) {
        self.wl_surface().set_input_region(Some(self.input.wl_region()));
        self.wl_surface().commit();
    }

    fn wl_surface(&self) -> &WlSurface {
        self.layer.wl_surface()
    }
}

/// How many pixels a part of an output has.
pub fn pixels_of(place: &Rect, scale: f64) -> (i32, i32) {
    let side = |points: i32| (f64::from(points) * scale).ceil() as i32;
    (side(place.width), side(place.height))
}

impl Drop for Surface {
    fn drop(&mut self) {
        if let Some(viewport) = self.viewport.take() {
            viewport.destroy();
        }
        self.answer(Presented::Stale, |_| true);
    }
}
