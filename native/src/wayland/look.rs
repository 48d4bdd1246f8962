//! Pictures of an output, without our marks.

use std::time::Duration;

use super::host::Host;
use super::output::Head;
use super::sheet::Sheet;
use super::state::State;
use super::surface::{Extent, Surface};
use crate::cast::Prepared;
use crate::fault::{Fault, Outcome};
use crate::region::Rect;

/// How long the desktop may take to deliver a frame: it has to agree on a format first, and marks are off meanwhile.
const CAST_LIMIT: Duration = Duration::from_secs(2);

/// A surface that is clear, and there only to be drawn.
const VEIL: &str = "veil";

/// How long a frame without our marks, and a picture, may take: an output that is off shows none.
const PICTURE_LIMIT: Duration = Duration::from_secs(1);

impl Host {
    /// A part of an output, in its pixels; `overlay`: with our marks, as the person sees it.
    pub fn capture(&mut self, output: &str, area: Rect, overlay: bool) -> Outcome<Vec<u8>> {
        let head = self.head(output)?;
        let hidden = if overlay { Vec::new() } else { self.hide(output)? };
        let copied = self.copy(&head, area);
        self.state.shot = None;
        self.unhide(&hidden)?;
        copied
    }

    /// A part of an output, in its pixels and without our marks, from a stream that the desktop hands out. The stream
    /// stands still until the marks are off: a frame of it can only be one without them.
    pub fn capture_cast(&mut self, output: &str, area: &Rect, cast: &Prepared) -> Outcome<Vec<u8>> {
        let head = self.head(output)?;
        let hidden = self.hide(output)?;
        let size = (head.shown.width, head.shown.height);
        let taken = cast.take(area, size, head.logical, CAST_LIMIT, || {
            // A compositor that is gone is noticed below.
            let _ = self.compose(&head, &hidden);
        });
        self.state.surfaces.retain(|surface| surface.name != VEIL);
        self.unhide(&hidden)?;
        taken.map_err(Fault::Failed)
    }

    /// Has the compositor compose a frame of an output, though nothing on it changes: what is clear is drawn again. Some
    /// portals deliver what has changed since they last looked, and on a still screen nothing has.
    fn compose(&mut self, head: &Head, hidden: &[(String, u64)]) -> Outcome<()> {
        let queue = self.queue.handle();
        if hidden.is_empty() && self.state.surface(VEIL).is_none() {
            let veil = Surface::new(&self.state.globals, &queue, head, VEIL, Extent::Whole)?;
            self.state.surfaces.push(veil);
            let ready = |state: &mut State| state.surface(VEIL).is_none_or(|veil| veil.closed || veil.is_ready());
            self.wait_until(PICTURE_LIMIT, ready)?;
        }
        if self.blank.is_none() {
            self.blank = Some(Sheet::new(&self.state.globals.shm, 1, 1)?);
        }
        let Some(blank) = &self.blank else { return Ok(()) };
        let names = hidden.iter().map(|(name, _)| name.as_str()).chain([VEIL]);
        for name in names {
            if let Some(surface) = self.state.surface(name).filter(|surface| surface.is_ready() && !surface.closed) {
                surface.hide(&queue, blank);
            }
        }
        self.flush()?;
        Ok(())
    }

    fn head(&self, output: &str) -> Outcome<Head> {
        let found = self.heads.iter().find(|head| head.shown.name == output).cloned();
        found.ok_or_else(|| Fault::Failed(format!("there is no output named '{output}'")))
    }

    fn unhide(&mut self, hidden: &[(String, u64)]) -> Outcome<()> {
        let queue = self.queue.handle();
        for (name, _) in hidden {
            if let Some(surface) = self.state.surface(name) {
                surface.unhide(&queue);
            }
        }
        self.flush()?;
        Ok(())
    }

    /// Takes everything of ours off one output, and waits for a frame without it. Gives the names of what was there, and
    /// the frames.
    fn hide(&mut self, output: &str) -> Outcome<Vec<(String, u64)>> {
        if self.blank.is_none() {
            self.blank = Some(Sheet::new(&self.state.globals.shm, 1, 1)?);
        }
        let queue = self.queue.handle();
        let Some(blank) = &self.blank else { return Ok(Vec::new()) };
        let shown = self.state.surfaces.iter_mut().filter(|surface| surface.shown.name == output && surface.is_up());
        let hidden: Vec<(String, u64)> =
            shown.map(|surface| (surface.name.clone(), surface.hide(&queue, blank))).collect();
        // No frame at all is a frame without them, too: then it is the copy that does not come.
        self.wait_until(PICTURE_LIMIT, |state| {
            hidden.iter().all(|(name, serial)| {
                state.surface(name).is_none_or(|surface| surface.closed || surface.has_shown(*serial))
            })
        })?;
        Ok(hidden)
    }

    fn copy(&mut self, head: &Head, area: Rect) -> Outcome<Vec<u8>> {
        let queue = self.queue.handle();
        let Some(source) = &self.state.globals.source else {
            return Fault::failed(
                "this Wayland compositor lets ordinary programs not see the screen (it has neither ext-image-copy-capture nor wlr-screencopy)",
            );
        };
        self.state.shot = Some(source.begin(&queue, head, head.part(&area)));
        let late = || Fault::failed("the Wayland compositor gave no picture in time: the output may be off");
        let settled = |state: &mut State| state.shot.as_ref().is_none_or(|shot| shot.offered || shot.done.is_some());
        if !self.wait_until(PICTURE_LIMIT, settled)? {
            return late();
        }
        let Some(shot) = &mut self.state.shot else { return late() };
        if let Some(Err(reason)) = &shot.done {
            return Fault::failed(reason.clone());
        }
        let Some(offer) = shot.best_offer() else {
            return Fault::failed(format!(
                "the Wayland compositor copies the output only in formats unknown here ({})",
                shot.offered_formats()
            ));
        };
        let shm = &self.state.globals.shm;
        let mut sheet = Sheet::of(shm, offer.width, offer.height, offer.stride, offer.format)?;
        shot.copy_to(&queue, &sheet);
        if !self.wait_until(PICTURE_LIMIT, |state| state.shot.as_ref().is_none_or(|shot| shot.done.is_some()))? {
            return late();
        }
        let Some(shot) = &self.state.shot else { return late() };
        if let Some(Err(reason)) = &shot.done {
            return Fault::failed(reason.clone());
        }
        let size = (head.shown.width, head.shown.height);
        let copied = shot.copied(&offer, sheet.bytes());
        let picture = match shot.part {
            None => copied.picture(&area, size),
            Some(part) => {
                let scale = head.shown.scale as i32;
                copied.picture(&area.moved(-part.x * scale, -part.y * scale), (part.width * scale, part.height * scale))
            }
        };
        picture.map_or_else(
            || {
                Fault::failed(format!(
                    "the rectangle {}x{} at {},{} is not within the output of {}x{}",
                    area.width, area.height, area.x, area.y, size.0, size.1
                ))
            },
            Ok,
        )
    }
}
