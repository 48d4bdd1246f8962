//! Everything the X11 thread knows and does: surfaces, the two ways of blending, and what events lead to.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::composite::{ConnectionExt as _, Redirect};
use x11rb::protocol::damage::Damage;
use x11rb::protocol::xproto::Window;

use super::answer::Answer;
use super::backdrop::Backdrop;
use super::claim_watch::ClaimWatch;
use super::claims::{Claims, Ours};
use super::compose::{self, Scene};
use super::content::Content;
use super::fault::{Fault, Outcome};
use super::figure::Figure;
use super::hotkey::{self, Hotkey};
use super::layout;
use super::limit::Abandon;
use super::memory::Scratch;
use super::pointer::Pointer;
use super::press::Press;
use super::raw::Raw;
use super::region::Rect;
use super::server::Server;
use super::stacking::Stacking;
use super::surface::{Surface, area_of};
use super::touch::Touch;
use super::windows::Watch;
use super::{Info, X11Event};
use crate::monitor::Monitor;

/// A compositor claims its selection before it draws anything. Until it does, software blending stays right, so there
/// is no hurry to switch.
const COMPOSITOR_SETTLES: Duration = Duration::from_millis(300);

/// What a connection is for.
#[derive(Clone, Copy)]
pub struct Ways {
    pub hotkey: bool,
    pub eyes_only: bool,
}

pub struct Host {
    pub server: Server,
    pub events: Box<dyn Fn(X11Event) + Send>,
    pub info: Arc<Mutex<Info>>,
    pub epoch: u32,
    pub monitors: Vec<Monitor>,
    /// No marks are drawn here.
    pub eyes_only: bool,
    pub surfaces: Vec<Surface>,
    /// The companion, while it is shown.
    pub figure: Option<Figure>,
    /// What the person does with it.
    pub touch: Touch,
    pub pointer: Pointer,
    pub raw: Raw,
    /// What another process draws for us.
    pub claims: Claims,
    pub claim_watch: ClaimWatch,
    pub compositor: bool,
    /// We blend ourselves: there is no compositor, or no visual with alpha for it to blend.
    pub software: bool,
    pub redirected: bool,
    /// Top-level windows under the ink whose changes we are told of; only while blending in software.
    pub watched: HashMap<Window, Damage>,
    pub stacking: Stacking,
    /// What is told of other programs' windows; only while JavaScript wants to know.
    pub watch: Option<Watch>,
    /// What is told of what windows show; only while JavaScript follows it.
    pub content: Content,
    pub hotkey: Hotkey,
    /// The keys that answer a prompt, while one is up.
    pub answer: Option<Answer>,
    /// The key to the next step, while somebody waits for it.
    pub next: Option<Press>,
    pub settings_owner: Option<Window>,
    /// Parts of the root to paint again.
    pub outdated: Vec<Rect>,
    /// What changed cannot wait for `REPAINT_INTERVAL`.
    pub urgent: bool,
    /// Reported changes that were not looked at yet.
    pub damaged: HashSet<Damage>,
    pub last_repaint: Option<Instant>,
    pub repaint_due: Option<Instant>,
    pub windows_changed: bool,
    pub layout_due: Option<Instant>,
    pub compositor_due: Option<Instant>,
    pub scratch: Scratch,
    pub backdrop: Backdrop,
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
        abandon: &Abandon,
        ways: Ways,
        info: Arc<Mutex<Info>>,
        events: Box<dyn Fn(X11Event) + Send>,
    ) -> Outcome<Host> {
        let server = Server::open(display, abandon)?;
        super::events::listen(&server)?;
        let monitors = layout::read(&server.conn, server.root, server.randr)?;
        let compositor = server.owner(server.compositor_selection)?.is_some();
        let hotkey = Hotkey::grab(&server, hotkey::CLEAR, ways.hotkey)?;
        let mut host = Host {
            events,
            info,
            epoch: 1,
            monitors,
            eyes_only: ways.eyes_only,
            surfaces: Vec::new(),
            figure: None,
            touch: Touch::default(),
            pointer: Pointer::default(),
            raw: Raw::default(),
            claims: Claims::default(),
            claim_watch: ClaimWatch::default(),
            compositor,
            software: !compositor || server.argb_visual.is_none(),
            redirected: false,
            watched: HashMap::new(),
            stacking: Stacking::default(),
            watch: None,
            content: Content::default(),
            hotkey,
            answer: None,
            next: None,
            settings_owner: None,
            outdated: Vec::new(),
            urgent: false,
            damaged: HashSet::new(),
            last_repaint: None,
            repaint_due: None,
            windows_changed: false,
            layout_due: None,
            compositor_due: None,
            scratch: Scratch::default(),
            backdrop: Backdrop::default(),
            server,
        };
        host.read_settings()?;
        host.find_lockers(&compose::top_levels(&host.server)?)?;
        host.publish_info();
        Ok(host)
    }

    pub fn scene_ink(&self) -> Vec<Rect> {
        let marks = self.surfaces.iter().flat_map(Surface::ink_on_root);
        marks.chain(self.figure.iter().map(|figure| figure.frame)).collect()
    }

    pub fn monitor_areas(&self) -> Vec<Rect> {
        self.monitors.iter().map(area_of).collect()
    }

    pub fn our_windows(&self) -> Vec<Window> {
        let marks = self.surfaces.iter().map(|surface| surface.window);
        marks.chain(self.figure.iter().map(|figure| figure.window)).collect()
    }

    /// Whether we made this window, now or earlier.
    pub fn is_own(&self, window: Window) -> bool {
        let setup = self.server.conn.setup();
        window & !setup.resource_id_mask == setup.resource_id_base
    }

    /// Everything to leave out of what is told of the screen; `own` are `our_windows`.
    pub fn ours<'a>(&'a self, own: &'a [Window]) -> Ours<'a> {
        Ours { own, claims: &self.claims }
    }

    pub fn has_ink(&self) -> bool {
        self.figure.is_some() || self.surfaces.iter().any(|surface| !surface.ink.is_empty())
    }

    /// Gives back what only ink needs, once there is none.
    pub fn rest_if_idle(&mut self) -> Outcome<()> {
        if self.has_ink() {
            return Ok(());
        }
        self.unwatch()?;
        self.outdated.clear();
        if self.content.is_watched() {
            return Ok(());
        }
        self.scratch.release(&self.server)?;
        if !self.claims.is_empty() {
            return Ok(());
        }
        self.backdrop.release(&self.server)?;
        if std::mem::take(&mut self.redirected) {
            self.server.conn.composite_unredirect_subwindows(self.server.root, Redirect::AUTOMATIC)?;
        }
        Ok(())
    }

    /// Has the server keep every window's pixels off-screen while there is ink. With a compositor that is so already;
    /// asking all the same keeps them there when it vanishes.
    pub fn redirect(&mut self) -> Outcome<()> {
        if !self.redirected {
            self.server.conn.composite_redirect_subwindows(self.server.root, Redirect::AUTOMATIC)?.check()?;
            self.redirected = true;
        }
        Ok(())
    }

    /// A compositor came or went.
    pub fn compositor_changed(&mut self, present: bool) -> Outcome<()> {
        if present == self.compositor {
            return Ok(());
        }
        self.compositor = present;
        self.backdrop.outdate();
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
        self.backdrop.outdate();
        for surface in &mut self.surfaces {
            // The shape first: a plain window with alpha is black wherever it reaches once nothing blends it.
            surface.shape_to_ink(&self.server, software)?;
            surface.set_background(&self.server, software)?;
        }
        if let Some(figure) = &mut self.figure {
            figure.set_software(&self.server, software)?;
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
        // While the old ones still tell which windows are lockers.
        self.find_lockers(&compose::top_levels(&self.server)?)?;
        self.epoch += 1;
        self.windows_changed = true;
        let before = std::mem::replace(&mut self.monitors, monitors);
        let unchanged = before.iter().filter(|monitor| self.monitors.contains(monitor));
        let unchanged: Vec<Rect> = unchanged.map(area_of).collect();
        self.keep_companion_on(&unchanged)?;
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
        let (own, ink) = (self.our_windows(), self.scene_ink());
        let ours = Ours { own: &own, claims: &self.claims };
        let scene = Scene { ours, ink: &ink, compositor: self.compositor, backdrop: &self.backdrop };
        let memory = self.scratch.room(&self.server, wanted.area())?;
        let rgba = if overlay {
            compose::capture_screen(&self.server, wanted, memory)?
        } else {
            compose::capture_below(&self.server, &scene, wanted, memory)?
        };
        Ok(Picture { width: wanted.width, height: wanted.height, rgba })
    }

    /// Takes everything off the screen and waits until the server has done it.
    pub fn close(&mut self) -> Outcome<()> {
        self.hide_companion()?;
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
        info.tells_processes = self.server.tells_processes;
        info.hotkey = self.hotkey.state.as_str().into();
        info.notes = self.notes();
    }

    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.eyes_only {
            // How marks are blended is the business of whoever draws them.
        } else if self.server.argb_visual.is_none() {
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
