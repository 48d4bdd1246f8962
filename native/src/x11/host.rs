//! Everything the X11 thread knows and does: surfaces, the two ways of blending, and what events lead to.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use x11rb::protocol::composite::{ConnectionExt as _, Redirect};
use x11rb::protocol::damage::Damage;
use x11rb::protocol::xproto::Window;

use super::compose::{self, Scene};
use super::fault::{Fault, Outcome};
use super::hotkey::Hotkey;
use super::layout;
use super::memory::Memory;
use super::pixels::store_rgba;
use super::region::{Rect, disjoint, overlaps, subtract};
use super::server::Server;
use super::stacking::Stacking;
use super::surface::Surface;
use super::{Info, X11Event};
use crate::monitor::Monitor;

/// A compositor claims its selection before it draws anything. Until it does, software blending stays right, so there
/// is no hurry to switch.
const COMPOSITOR_SETTLES: Duration = Duration::from_millis(300);

pub struct Host {
    pub server: Server,
    pub events: Box<dyn Fn(X11Event) + Send>,
    pub info: Arc<Mutex<Info>>,
    pub epoch: u32,
    pub monitors: Vec<Monitor>,
    pub surfaces: Vec<Surface>,
    pub compositor: bool,
    /// We blend ourselves: there is no compositor, or no visual with alpha for it to blend.
    pub software: bool,
    pub redirected: bool,
    /// Top-level windows under the ink whose changes we are told of; only while blending in software.
    pub watched: HashMap<Window, Damage>,
    pub stacking: Stacking,
    pub hotkey: Hotkey,
    pub settings_owner: Option<Window>,
    /// Parts of the root to blend again before sleeping.
    pub outdated: Vec<Rect>,
    pub windows_changed: bool,
    pub layout_due: Option<Instant>,
    pub compositor_due: Option<Instant>,
    scratch: Option<Memory>,
}

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

pub struct Picture {
    pub width: i32,
    pub height: i32,
    pub rgba: Vec<u8>,
}

impl Host {
    /// Connects, refuses what cannot work, and listens to the root. Blocks for as long as the server likes.
    pub fn open(
        display: Option<&str>,
        hotkey: bool,
        info: Arc<Mutex<Info>>,
        events: Box<dyn Fn(X11Event) + Send>,
    ) -> Outcome<Host> {
        let server = Server::open(display)?;
        super::events::listen(&server)?;
        let monitors = layout::read(&server.conn, server.root, server.randr)?;
        let compositor = server.owner(server.compositor_selection)?.is_some();
        let hotkey = Hotkey::grab(&server, hotkey)?;
        let mut host = Host {
            events,
            info,
            epoch: 1,
            monitors,
            surfaces: Vec::new(),
            compositor,
            software: !compositor || server.argb_visual.is_none(),
            redirected: false,
            watched: HashMap::new(),
            stacking: Stacking::default(),
            hotkey,
            settings_owner: None,
            outdated: Vec::new(),
            windows_changed: false,
            layout_due: None,
            compositor_due: None,
            scratch: None,
            server,
        };
        host.read_settings()?;
        host.publish_info();
        Ok(host)
    }

    pub fn scene_ink(&self) -> Vec<Rect> {
        self.surfaces.iter().flat_map(Surface::ink_on_root).collect()
    }

    pub fn our_windows(&self) -> Vec<Window> {
        self.surfaces.iter().map(|surface| surface.window).collect()
    }

    pub fn has_ink(&self) -> bool {
        self.surfaces.iter().any(|surface| !surface.ink.is_empty())
    }

    pub fn present(&mut self, request: &Present) -> Outcome<Presented> {
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
        let index = self.surface_for(&monitor)?;
        let surface = &mut self.surfaces[index];
        let stride = monitor.width as usize;
        let canvas = surface.canvas(&self.server)?.bytes_mut();
        let mut offset = 0;
        for patch in &request.patches {
            let end = offset + patch.area() * 4;
            store_rgba(&pixels[offset..end], canvas, stride, patch);
            offset = end;
        }
        let was_mapped = surface.mapped;
        let before = if was_mapped { std::mem::take(&mut surface.ink) } else { Vec::new() };
        let fresh = subtract(&ink, &before);
        let reshaped = ink != before;
        surface.ink = ink;
        let dirty: Vec<Rect> = request.patches.iter().chain(&fresh).copied().collect();
        let below = if was_mapped { None } else { self.place_for(index)? };
        if self.software {
            let dirty = disjoint(&overlaps(&dirty, &self.surfaces[index].ink), &bounds);
            if reshaped {
                self.watch()?;
            }
            let offsets = self.blend(index, &dirty)?;
            self.appear(index, reshaped, below)?;
            self.put_blended(index, &dirty, &offsets)?;
        } else {
            self.appear(index, reshaped, below)?;
            self.surfaces[index].put_canvas(&self.server, &disjoint(&dirty, &bounds))?;
        }
        if !self.surfaces[index].input_is_empty(&self.server)? {
            self.clear(&request.monitor)?;
            return Fault::failed(
                "the X server did not keep the input region empty, so the marks were taken off rather than block clicks",
            );
        }
        let covered = self.stacking.covers(&self.surfaces[index].area());
        Ok(Presented { shown: !covered, covered, input_empty: true, stale: false })
    }

    fn surface_for(&mut self, monitor: &Monitor) -> Outcome<usize> {
        if let Some(index) = self.surfaces.iter().position(|surface| surface.monitor.name == monitor.name) {
            return Ok(index);
        }
        self.surfaces.push(Surface::new(&self.server, monitor, self.software)?);
        Ok(self.surfaces.len() - 1)
    }

    fn appear(&mut self, index: usize, reshaped: bool, below: Option<Window>) -> Outcome<()> {
        let surface = &mut self.surfaces[index];
        if reshaped {
            surface.shape_to_ink(&self.server)?;
        }
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

    /// Gives back what only ink needs, once there is none.
    pub fn rest_if_idle(&mut self) -> Outcome<()> {
        if self.has_ink() {
            return Ok(());
        }
        self.unwatch()?;
        self.outdated.clear();
        if let Some(scratch) = self.scratch.take() {
            scratch.release(&self.server)?;
        }
        if std::mem::take(&mut self.redirected) {
            self.server.conn.composite_unredirect_subwindows(self.server.root, Redirect::AUTOMATIC)?;
        }
        Ok(())
    }

    /// Has the server keep every window's pixels off-screen while there is ink. With a compositor that is so already;
    /// asking all the same keeps them there when it vanishes.
    fn redirect(&mut self) -> Outcome<()> {
        if !self.redirected {
            self.server.conn.composite_redirect_subwindows(self.server.root, Redirect::AUTOMATIC)?.check()?;
            self.redirected = true;
        }
        Ok(())
    }

    /// Blends `rects` (monitor coordinates) of a surface with what is below into the scratch memory.
    fn blend(&mut self, index: usize, rects: &[Rect]) -> Outcome<Vec<usize>> {
        let (ours, ink) = (self.our_windows(), self.scene_ink());
        let Host { server, surfaces, scratch, compositor, .. } = self;
        let surface = &surfaces[index];
        let on_root: Vec<Rect> = rects.iter().map(|rect| rect.moved(surface.monitor.x, surface.monitor.y)).collect();
        let needed: usize = rects.iter().map(Rect::area).sum();
        if scratch.as_ref().is_none_or(|memory| memory.pixels() < needed) {
            if let Some(memory) = scratch.take() {
                memory.release(server)?;
            }
            *scratch = Some(Memory::new(server, needed)?);
        }
        let (Some(scratch), Some(canvas)) = (scratch.as_mut(), &surface.canvas) else { return Ok(Vec::new()) };
        let scene = Scene { ours: &ours, ink: &ink, compositor: *compositor };
        let offsets = compose::read_below(server, &scene, &on_root, scratch)?;
        for (rect, offset) in rects.iter().zip(&offsets) {
            let under = &mut scratch.bytes_mut()[offset * 4..(offset + rect.area()) * 4];
            super::pixels::blend_over(canvas.bytes(), surface.monitor.width as usize, rect, under);
        }
        Ok(offsets)
    }

    fn put_blended(&self, index: usize, rects: &[Rect], offsets: &[usize]) -> Outcome<()> {
        let Some(scratch) = &self.scratch else { return Ok(()) };
        for (rect, offset) in rects.iter().zip(offsets) {
            self.surfaces[index].put_picture(&self.server, scratch, *offset, rect)?;
        }
        Ok(())
    }

    /// Blends again whatever changed below, or sends the ink again where the server lost it.
    pub fn repaint(&mut self) -> Outcome<()> {
        let outdated = std::mem::take(&mut self.outdated);
        if outdated.is_empty() {
            return Ok(());
        }
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
    }

    /// A compositor came or went.
    pub fn compositor_changed(&mut self, present: bool) -> Outcome<()> {
        if present == self.compositor {
            return Ok(());
        }
        self.compositor = present;
        (self.events)(X11Event::Compositor { present });
        let software = !present || self.server.argb_visual.is_none();
        if software || !self.has_ink() {
            self.set_software(software)?;
        } else {
            self.compositor_due = Some(Instant::now() + COMPOSITOR_SETTLES);
        }
        self.publish_info();
        Ok(())
    }

    pub fn set_software(&mut self, software: bool) -> Outcome<()> {
        self.compositor_due = None;
        self.software = software;
        for surface in &self.surfaces {
            surface.set_background(&self.server, software)?;
        }
        if software {
            self.watch()?;
        } else {
            self.unwatch()?;
        }
        self.outdate_all();
        Ok(())
    }

    /// Reads the monitors again. When they differ, what was drawn on those that changed goes, and the epoch rises.
    pub fn refresh_layout(&mut self) -> Outcome<()> {
        self.layout_due = None;
        let monitors = layout::read(&self.server.conn, self.server.root, self.server.randr)?;
        if monitors == self.monitors {
            return Ok(());
        }
        self.monitors = monitors;
        self.epoch += 1;
        let surfaces = std::mem::take(&mut self.surfaces);
        for surface in surfaces {
            if self.monitors.contains(&surface.monitor) {
                self.surfaces.push(surface);
            } else {
                surface.destroy(&self.server)?;
            }
        }
        self.rest_if_idle()?;
        (self.events)(X11Event::Displays { epoch: self.epoch, monitors: self.monitors.clone() });
        Ok(())
    }

    pub fn capture(&mut self, wanted: Rect, overlay: bool) -> Outcome<Picture> {
        let root = self.server.root_rect()?;
        if wanted.is_empty() || !root.contains(&wanted) {
            return Fault::failed(format!(
                "the rectangle {}x{} at {},{} is not within the screen of {}x{}",
                wanted.width, wanted.height, wanted.x, wanted.y, root.width, root.height
            ));
        }
        let rgba = if overlay {
            compose::capture_screen(&self.server, wanted)?
        } else {
            let (ours, ink) = (self.our_windows(), self.scene_ink());
            let scene = Scene { ours: &ours, ink: &ink, compositor: self.compositor };
            compose::capture_below(&self.server, &scene, wanted)?
        };
        Ok(Picture { width: wanted.width, height: wanted.height, rgba })
    }

    /// Takes everything off the screen and waits until the server has done it.
    pub fn close(&mut self) -> Outcome<()> {
        for surface in std::mem::take(&mut self.surfaces) {
            surface.destroy(&self.server)?;
        }
        self.rest_if_idle()?;
        self.server.root_rect()?;
        Ok(())
    }

    pub fn publish_info(&self) {
        let Ok(mut info) = self.info.lock() else { return };
        info.vendor_release = self.server.vendor_release;
        info.xwayland = self.server.xwayland;
        info.argb_visual = self.server.argb_visual.is_some();
        info.compositor = self.compositor;
        info.shm = self.server.shm.get();
        info.hotkey = self.hotkey.state.as_str().into();
        info.notes = self.notes();
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.server.argb_visual.is_none() {
            notes.push("The X server has no visual with alpha, so marks are blended in software.".into());
        } else if !self.compositor {
            notes.push("No compositor is running, so marks are blended in software.".into());
        }
        if !self.server.shm.get() {
            notes.push("The X server does not share memory with Lets, so drawing and capture are slower.".into());
        }
        notes.extend(self.hotkey.note());
        notes.extend(self.stacking.note());
        notes
    }
}

fn check_patches(patches: &[Rect], bounds: &Rect, bytes: usize) -> Outcome<()> {
    if let Some(patch) = patches.iter().find(|patch| patch.is_empty() || !bounds.contains(patch)) {
        return Fault::failed(format!(
            "the patch {}x{} at {},{} is not within its monitor of {}x{}",
            patch.width, patch.height, patch.x, patch.y, bounds.width, bounds.height
        ));
    }
    let wanted: usize = patches.iter().map(|patch| patch.area() * 4).sum();
    if wanted != bytes {
        return Fault::failed(format!("the patches need {wanted} bytes of pixels, and {bytes} were given"));
    }
    Ok(())
}
