//! What the root tells us, and what it leads to.

use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::Event;
use x11rb::protocol::damage::{self, ConnectionExt as _, ReportLevel};
use x11rb::protocol::randr::{ConnectionExt as _, NotifyMask};
use x11rb::protocol::xfixes::{ConnectionExt as _, SelectionEventMask};
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ConnectionExt as _, EventMask, PropertyNotifyEvent, Window,
};

use super::compose::{self, TopLevel};
use super::fault::{Outcome, gone_is_none};
use super::host::Host;
use super::region::Rect;
use super::server::Server;
use super::{X11Event, xsettings};

/// A change of monitors comes as a burst of events, and is read once it is over.
const LAYOUT_SETTLES: Duration = Duration::from_millis(50);
/// A program that draws without pause under the ink is followed at this pace.
const REPAINT_INTERVAL: Duration = Duration::from_millis(8);
const LONGEST_SETTINGS: u32 = 1 << 16;
/// Marks events that another program sent.
const SENT: u8 = 0x80;

pub fn listen(server: &Server) -> Outcome<()> {
    let (conn, root) = (&server.conn, server.root);
    let mask = EventMask::SUBSTRUCTURE_NOTIFY | EventMask::STRUCTURE_NOTIFY | EventMask::PROPERTY_CHANGE;
    conn.change_window_attributes(root, &ChangeWindowAttributesAux::new().event_mask(mask))?.check()?;
    let owner_changes = SelectionEventMask::SET_SELECTION_OWNER
        | SelectionEventMask::SELECTION_WINDOW_DESTROY
        | SelectionEventMask::SELECTION_CLIENT_CLOSE;
    for selection in [server.compositor_selection, server.settings_selection] {
        conn.xfixes_select_selection_input(root, selection, owner_changes)?;
    }
    if server.randr {
        conn.randr_select_input(root, NotifyMask::SCREEN_CHANGE | NotifyMask::CRTC_CHANGE | NotifyMask::OUTPUT_CHANGE)?;
    }
    Ok(())
}

impl Host {
    /// Takes note of one event; `settle` acts on all of them together.
    pub fn note_event(&mut self, event: &Event) -> Outcome<()> {
        if let Some(watch) = &mut self.watch {
            watch.note(&self.server, event);
        }
        if !self.claims.is_empty() {
            self.claim_watch.note(event);
        }
        self.hear_answer(event)?;
        self.hear_next(event)?;
        self.hear_touch(event)?;
        match event {
            Event::RandrScreenChangeNotify(_) | Event::RandrNotify(_) => self.layout_changed(),
            // Monitors set by hand (`xrandr --setmonitor`) send nothing but this.
            Event::ConfigureNotify(event) if event.window == self.server.root => self.layout_changed(),
            Event::ConfigureNotify(event) => {
                let border = 2 * i32::from(event.border_width);
                let (width, height) = (i32::from(event.width) + border, i32::from(event.height) + border);
                let outer = Rect::new(event.x.into(), event.y.into(), width, height);
                self.stacking.lockers_due |= event.override_redirect && self.covers_monitor(&outer);
                self.window_changed(event.window);
            }
            Event::MapNotify(event) => {
                self.stacking.lockers_due |= event.override_redirect && !self.is_own(event.window);
                self.window_changed(event.window);
            }
            Event::UnmapNotify(event) => self.window_gone(event.window, event.response_type),
            Event::DestroyNotify(event) => self.window_gone(event.window, event.response_type),
            Event::CirculateNotify(event) => self.window_changed(event.window),
            Event::ReparentNotify(event) => {
                self.claims.reparented(&self.server, event.window, event.parent)?;
                self.window_changed(event.window);
            }
            Event::PropertyNotify(event) => self.property_changed(event)?,
            Event::XfixesSelectionNotify(event) if event.selection == self.server.compositor_selection => {
                // The owner now, not the one in the event: a compositor that replaces another sends two.
                let present = self.server.owner(self.server.compositor_selection)?.is_some();
                self.compositor_changed(present)?;
            }
            Event::XfixesSelectionNotify(_) => self.read_settings()?,
            Event::DamageNotify(event) if self.content.damaged(event) => {}
            Event::DamageNotify(event) => self.below_changed(event),
            Event::XinputRawButtonPress(event) => self.wheel_turned(event)?,
            Event::Expose(event) => {
                let exposed = Rect::new(event.x.into(), event.y.into(), event.width.into(), event.height.into());
                let marks = self.surfaces.iter().map(|surface| (surface.window, surface.area()));
                let all = marks.chain(self.figure.iter().map(|figure| (figure.window, figure.frame)));
                if let Some((_, area)) = all.into_iter().find(|(window, _)| *window == event.window) {
                    self.outdated.push(exposed.moved(area.x, area.y));
                    self.urgent = true;
                }
            }
            Event::KeyPress(event) if self.hotkey.is_pressed_by(event) => (self.events)(X11Event::Hotkey),
            Event::MappingNotify(_) => {
                self.hotkey.regrab(&self.server)?;
                if let Some(answer) = &mut self.answer {
                    answer.regrab(&self.server)?;
                }
                if let Some(next) = &mut self.next {
                    next.regrab(&self.server)?;
                }
                self.touch.regrab(&self.server)?;
                self.publish_info();
            }
            // Errors of unchecked requests: about windows that vanished in the meantime.
            _ => {}
        }
        Ok(())
    }

    /// Acts on what was noted and on what is due.
    pub fn settle(&mut self) -> Outcome<()> {
        let now = Instant::now();
        if self.layout_due.is_some_and(|due| due <= now) {
            self.refresh_layout()?;
        }
        // A window that went along with its monitor has gone nowhere, as is known once the monitors are.
        if self.layout_due.is_none() {
            self.tell_windows()?;
        }
        self.tell_pointer(now)?;
        self.tell_touch(now)?;
        self.tell_claims()?;
        self.tell_content()?;
        if self.compositor_due.is_some_and(|due| due <= now) {
            self.set_software(false)?;
        }
        let restack_due = self.stacking.due.is_some_and(|due| due <= now);
        if (std::mem::take(&mut self.windows_changed) || restack_due) && self.has_ink() {
            let windows = compose::top_levels(&self.server)?;
            self.restack(&windows)?;
            if self.software {
                self.watch_windows(&windows)?;
                self.outdate_all();
            }
        } else if self.stacking.lockers_due {
            // Before there is anything to hide: once its monitor has grown, a locker is no longer to be told by its size.
            let windows = compose::top_levels(&self.server)?;
            self.find_lockers(&windows)?;
        }
        if self.outdated.is_empty() || self.urgent {
            return self.repaint();
        }
        let due = self.last_repaint.map_or(now, |last| last + REPAINT_INTERVAL);
        if due <= now {
            return self.repaint();
        }
        self.repaint_due = Some(due);
        Ok(())
    }

    /// When `settle` must run again although nothing happened; `None` while nothing is pending, which is nearly always.
    pub fn next_due(&self) -> Option<Instant> {
        let screen = [self.layout_due, self.compositor_due, self.repaint_due, self.stacking.due, self.content.due];
        screen.into_iter().chain([self.pointer.due, self.touch.due()]).flatten().min()
    }

    fn layout_changed(&mut self) {
        self.backdrop.outdate();
        self.layout_due = Some(Instant::now() + LAYOUT_SETTLES);
    }

    fn window_changed(&mut self, window: Window) {
        if self.is_own(window) {
            return;
        }
        self.windows_changed = true;
        if self.stacking.changed_by(window) {
            self.publish_info();
        }
    }

    fn window_gone(&mut self, window: Window, response_type: u8) {
        // Programs that withdraw a window say so in an event of their own making; only the server's word counts.
        if response_type & SENT == 0 {
            self.claims.forget(window);
            if self.stacking.forget(window) {
                self.publish_info();
            }
        }
        self.window_changed(window);
    }

    fn property_changed(&mut self, event: &PropertyNotifyEvent) -> Outcome<()> {
        if Some(event.window) == self.settings_owner && event.atom == self.server.atoms._XSETTINGS_SETTINGS {
            return self.read_settings();
        }
        if event.window != self.server.root {
            return Ok(());
        }
        if event.atom == u32::from(AtomEnum::RESOURCE_MANAGER) {
            self.layout_changed();
        } else if event.atom == self.server.atoms._XROOTPMAP_ID {
            self.backdrop.outdate();
            if self.software {
                self.outdate_all();
            }
        }
        Ok(())
    }

    fn below_changed(&mut self, event: &damage::NotifyEvent) {
        if self.watched.get(&event.drawable) == Some(&event.damage) {
            self.damaged.insert(event.damage);
            let (area, origin) = (event.area, event.geometry);
            let changed = Rect::new(area.x.into(), area.y.into(), area.width.into(), area.height.into());
            self.outdated.push(changed.moved(origin.x.into(), origin.y.into()));
        }
    }

    /// Has the server tell what changes under the ink.
    pub fn watch(&mut self) -> Outcome<()> {
        if self.has_ink() {
            let windows = compose::top_levels(&self.server)?;
            self.watch_windows(&windows)?;
        }
        Ok(())
    }

    fn watch_windows(&mut self, windows: &[TopLevel]) -> Outcome<()> {
        let ours = self.ours_among(windows)?;
        self.watch_below(windows.iter().filter(|window| !ours.contains(&window.window)))
    }

    /// Watches those of the windows of others that are below ink, and no other any more.
    pub fn watch_below<'a>(&mut self, windows: impl Iterator<Item = &'a TopLevel>) -> Outcome<()> {
        let ink = self.scene_ink();
        let below: Vec<Window> = windows
            .filter(|window| ink.iter().any(|rect| rect.intersect(&window.outer).is_some()))
            .map(|window| window.window)
            .collect();
        for window in &below {
            if !self.watched.contains_key(window) {
                let damage = self.server.conn.generate_id()?;
                self.server.conn.damage_create(damage, *window, ReportLevel::BOUNDING_BOX)?;
                self.watched.insert(*window, damage);
            }
        }
        let gone: Vec<Window> = self.watched.keys().filter(|window| !below.contains(window)).copied().collect();
        for window in gone {
            if let Some(damage) = self.watched.remove(&window) {
                self.server.conn.damage_destroy(damage)?;
            }
        }
        Ok(())
    }

    pub fn unwatch(&mut self) -> Outcome<()> {
        for (_, damage) in self.watched.drain() {
            self.server.conn.damage_destroy(damage)?;
        }
        Ok(())
    }

    /// Whether the desktop's settings ask for no animations. A desktop without a settings manager asks for nothing.
    pub fn read_settings(&mut self) -> Outcome<()> {
        let (conn, atoms) = (&self.server.conn, &self.server.atoms);
        self.settings_owner = self.server.owner(self.server.settings_selection)?;
        let mut animations = None;
        if let Some(owner) = self.settings_owner {
            let aux = ChangeWindowAttributesAux::new().event_mask(EventMask::PROPERTY_CHANGE);
            conn.change_window_attributes(owner, &aux)?;
            let settings = conn
                .get_property(false, owner, atoms._XSETTINGS_SETTINGS, atoms._XSETTINGS_SETTINGS, 0, LONGEST_SETTINGS)?
                .reply();
            animations = gone_is_none(settings)?
                .and_then(|settings| xsettings::integer(&settings.value, "Gtk/EnableAnimations"));
        }
        if let Ok(mut info) = self.info.lock() {
            info.reduced_motion = animations == Some(0);
        }
        Ok(())
    }
}
