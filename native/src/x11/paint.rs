//! Getting ink onto the screen: handed to a compositor as it is, or blended by us over what is below.

use std::time::Instant;

use x11rb::protocol::damage::ConnectionExt as _;
use x11rb::protocol::xproto::Window;

use super::backdrop;
use super::claims::Ours;
use super::compose::{self, Scene};
use super::fault::{Fault, Outcome};
use super::host::Host;
use super::memory::PIXEL;
use super::pixels::{blend_over, check_patches, clear, store_rgba};
use super::region::{Rect, disjoint, overlaps, subtract};
use super::surface::Surface;
use crate::monitor::Monitor;

/// What is to be drawn; rectangles in pixels of the monitor.
pub struct Present {
    pub epoch: u32,
    pub monitor: String,
    pub patches: Vec<Rect>,
    pub pixels: Box<dyn AsRef<[u8]> + Send>,
    pub ink: Vec<Rect>,
}

#[derive(Default)]
pub struct Presented {
    pub shown: bool,
    pub stale: bool,
    pub covered: bool,
    pub input_empty: bool,
}

impl Host {
    pub fn present(&mut self, request: &Present) -> Outcome<Presented> {
        if self.eyes_only {
            return Fault::failed("this connection was opened to look only, so nothing can be drawn with it");
        }
        if request.epoch != self.epoch {
            return Ok(Presented { stale: true, input_empty: true, ..Presented::default() });
        }
        let Some(monitor) = self.monitors.iter().find(|monitor| monitor.name == request.monitor).cloned() else {
            return Fault::failed(format!("there is no monitor named '{}'", request.monitor));
        };
        let bounds = Rect::new(0, 0, monitor.width, monitor.height);
        let pixels = (*request.pixels).as_ref();
        check_patches(&request.patches, &bounds, pixels.len())?;
        let ink = disjoint(&request.ink, &bounds);
        if ink.is_empty() {
            self.clear(&request.monitor)?;
            return Ok(Presented { shown: true, input_empty: true, ..Presented::default() });
        }

        self.redirect()?;
        if !self.has_ink() {
            self.backdrop.outdate();
        }
        let index = self.surface_for(&monitor)?;
        if !self.surfaces[index].mapped {
            self.notice_bare_root()?;
        }
        let surface = &mut self.surfaces[index];
        let stride = monitor.width as usize;
        let canvas = surface.canvas(&self.server)?.bytes_mut();
        let mut offset = 0;
        for patch in &request.patches {
            let end = offset + patch.area() * PIXEL;
            store_rgba(&pixels[offset..end], canvas, stride, patch);
            offset = end;
        }
        let was_mapped = surface.mapped;
        let before = if was_mapped { std::mem::take(&mut surface.ink) } else { Vec::new() };
        let (fresh, removed) = (subtract(&ink, &before), subtract(&before, &ink));
        for rect in &removed {
            clear(surface.canvas(&self.server)?.bytes_mut(), stride, rect);
        }
        let moved = ink != before;
        let mut dirty = overlaps(&request.patches, &ink);
        dirty.extend(fresh);
        surface.ink = ink;
        let below = if was_mapped { None } else { self.place_for(index)? };
        if self.software {
            let dirty = disjoint(&dirty, &bounds);
            if moved {
                self.watch()?;
            }
            let offsets = self.blend(index, &dirty)?;
            self.appear(index, below)?;
            self.put_blended(index, &dirty, &offsets)?;
        } else {
            self.appear(index, below)?;
            dirty.extend(removed);
            self.surfaces[index].put_canvas(&self.server, &disjoint(&dirty, &bounds))?;
        }
        if !self.surfaces[index].input_is_empty(&self.server)? {
            self.clear(&request.monitor)?;
            return Fault::failed(
                "the X server did not keep the input region empty, so the marks were taken off rather than block clicks",
            );
        }
        let asked: Vec<Rect> = request.ink.iter().filter_map(|rect| rect.intersect(&bounds)).collect();
        let asked: Vec<Rect> = asked.iter().map(|rect| rect.moved(monitor.x, monitor.y)).collect();
        let covered = self.stacking.hides(self.surfaces[index].window, &asked);
        Ok(Presented { shown: !covered, covered, input_empty: true, stale: false })
    }

    /// A compositor's look of a bare root can only be seen while no ink hides it.
    pub fn notice_bare_root(&self) -> Outcome<()> {
        if !self.compositor {
            return Ok(());
        }
        let (own, ink) = (self.our_windows(), self.scene_ink());
        let ours = Ours { own: &own, claims: &self.claims };
        backdrop::notice_bare_root(&self.server, &Scene { ours, ink: &ink, compositor: true, backdrop: &self.backdrop })
    }

    fn surface_for(&mut self, monitor: &Monitor) -> Outcome<usize> {
        if let Some(index) = self.surfaces.iter().position(|surface| surface.monitor.name == monitor.name) {
            return Ok(index);
        }
        self.surfaces.push(Surface::new(&self.server, monitor, self.software)?);
        Ok(self.surfaces.len() - 1)
    }

    fn appear(&mut self, index: usize, below: Option<Window>) -> Outcome<()> {
        let surface = &mut self.surfaces[index];
        surface.shape_to_ink(&self.server, self.software)?;
        if !surface.mapped {
            surface.map(&self.server, below)?;
        }
        Ok(())
    }

    /// Takes everything off one monitor; returns when the server has done it.
    fn clear(&mut self, name: &str) -> Outcome<()> {
        if let Some(surface) = self.surfaces.iter_mut().find(|surface| surface.monitor.name == name) {
            surface.clear(&self.server)?;
        }
        self.rest_if_idle()?;
        self.server.root_rect()?;
        Ok(())
    }

    /// Blends `rects` (monitor coordinates) of a surface with what is below into the scratch memory.
    fn blend(&mut self, index: usize, rects: &[Rect]) -> Outcome<Vec<usize>> {
        // Without the companion: to marks it is a window like others, below them.
        let own: Vec<Window> = self.surfaces.iter().map(|surface| surface.window).collect();
        let ink = self.scene_ink();
        let Host { server, surfaces, scratch, compositor, backdrop, claims, .. } = self;
        let surface = &surfaces[index];
        let on_root: Vec<Rect> = rects.iter().map(|rect| rect.moved(surface.monitor.x, surface.monitor.y)).collect();
        let needed: usize = rects.iter().map(Rect::area).sum();
        let scratch = scratch.room(server, needed)?;
        let Some(canvas) = &surface.canvas else { return Ok(Vec::new()) };
        let ours = Ours { own: &own, claims };
        let scene = Scene { ours, ink: &ink, compositor: *compositor, backdrop };
        let offsets = compose::read_below(server, &scene, &on_root, scratch)?;
        for (rect, offset) in rects.iter().zip(&offsets) {
            let under = &mut scratch.bytes_mut()[offset * PIXEL..(offset + rect.area()) * PIXEL];
            blend_over(canvas.bytes(), surface.monitor.width as usize, rect, under);
        }
        Ok(offsets)
    }

    fn put_blended(&self, index: usize, rects: &[Rect], offsets: &[usize]) -> Outcome<()> {
        let Some(scratch) = self.scratch.memory() else { return Ok(()) };
        for (rect, offset) in rects.iter().zip(offsets) {
            self.surfaces[index].put_picture(&self.server, scratch, *offset, rect)?;
        }
        Ok(())
    }

    /// Blends again whatever changed below, or sends the ink again where the server lost it.
    pub fn repaint(&mut self) -> Outcome<()> {
        let outdated = std::mem::take(&mut self.outdated);
        (self.urgent, self.repaint_due) = (false, None);
        if outdated.is_empty() {
            return Ok(());
        }
        // Before looking at the pixels, so that whatever changes after is reported again.
        for damage in std::mem::take(&mut self.damaged) {
            if self.watched.values().any(|watched| *watched == damage) {
                self.server.conn.damage_subtract(damage, x11rb::NONE, x11rb::NONE)?;
            }
        }
        self.last_repaint = Some(Instant::now());
        self.repaint_companion(&outdated)?;
        self.repaint_marks(&outdated)
    }

    /// Paints marks again within these parts of the root.
    pub fn repaint_marks(&mut self, outdated: &[Rect]) -> Outcome<()> {
        for index in 0..self.surfaces.len() {
            let surface = &self.surfaces[index];
            if !surface.mapped {
                continue;
            }
            let (dx, dy) = (-surface.monitor.x, -surface.monitor.y);
            let here: Vec<Rect> = outdated.iter().map(|rect| rect.moved(dx, dy)).collect();
            let dirty = disjoint(&overlaps(&here, &surface.ink), &surface.bounds());
            if dirty.is_empty() {
                continue;
            }
            if self.software {
                let offsets = self.blend(index, &dirty)?;
                self.put_blended(index, &dirty, &offsets)?;
            } else {
                surface.put_canvas(&self.server, &dirty)?;
            }
        }
        Ok(())
    }

    pub fn outdate_all(&mut self) {
        self.outdated = self.scene_ink();
        self.urgent = true;
    }
}
