//! Telling JavaScript what becomes of other programs' windows, while it wants to know.
//!
//! The root's events say that something changed; what it has come to is asked for once they are all taken, so that a
//! burst of them costs one round trip and one event to JavaScript. A window that only moves needs no question: a window
//! manager moves its frame, a child of the root, and the event about that holds the rectangle.

use std::collections::{BTreeMap, HashSet};

use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ConfigureNotifyEvent, ConnectionExt as _, Window};

use super::WindowChange;
use super::filling::Filling;
use super::list::{look_at, tops};
use super::properties::root_values;
use super::seen::{Now, Seen, reordered};
use crate::x11::X11Event;
use crate::x11::claims::Ours;
use crate::x11::fault::Outcome;
use crate::x11::host::Host;
use crate::x11::region::Rect;
use crate::x11::server::Server;

pub struct Watch {
    seen: Seen,
    /// The window manager's own idea of the stacking.
    clients: Vec<Window>,
    /// What was heard of and not told yet.
    pending: BTreeMap<Window, Pending>,
    perhaps_restacked: HashSet<Window>,
    clients_changed: bool,
    workspace_changed: bool,
    filling: Filling,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Pending {
    /// It is still on the screen, there.
    At(Rect),
    /// It came or went, or both.
    Ask,
}

impl Watch {
    pub fn start(server: &Server, ours: Ours, monitors: &[Rect]) -> Outcome<Watch> {
        let mut order = server.conn.query_tree(server.root)?.reply()?.children;
        ours.leave_out(server, &mut order)?;
        let children = look_at(server, &order)?;
        let shown = children.iter().filter(|child| child.viewable).map(|child| (child.window, child.outer)).collect();
        let mut filling = Filling::default();
        filling.update(server, &shown, monitors)?;
        Ok(Watch {
            seen: Seen::new(shown, order),
            filling,
            clients: root_values(server, server.atoms._NET_CLIENT_LIST_STACKING)?,
            pending: BTreeMap::new(),
            perhaps_restacked: HashSet::new(),
            clients_changed: false,
            workspace_changed: false,
        })
    }

    /// Takes note of one event of the root.
    pub fn note(&mut self, server: &Server, event: &Event) {
        // Applications announce to the window manager, through the root, what they do; what counts is what was done.
        if event.sent_event() {
            return;
        }
        self.filling.note(server, event);
        match event {
            Event::ConfigureNotify(event) => self.configured(event),
            Event::MapNotify(event) => self.ask(event.window),
            Event::UnmapNotify(event) => self.ask(event.window),
            Event::DestroyNotify(event) => self.ask(event.window),
            Event::ReparentNotify(event) => self.ask(event.window),
            Event::CirculateNotify(event) => {
                self.perhaps_restacked.insert(event.window);
            }
            Event::PropertyNotify(event) if event.window == server.root => {
                self.clients_changed |= event.atom == server.atoms._NET_CLIENT_LIST_STACKING;
                self.workspace_changed |= event.atom == server.atoms._NET_CURRENT_DESKTOP;
            }
            _ => {}
        }
    }

    fn configured(&mut self, event: &ConfigureNotifyEvent) {
        if !self.seen.shown.contains_key(&event.window) {
            return;
        }
        if self.seen.is_news(event.window, event.above_sibling) {
            self.perhaps_restacked.insert(event.window);
        }
        let twice = 2 * i32::from(event.border_width);
        let (width, height) = (i32::from(event.width) + twice, i32::from(event.height) + twice);
        let at = Pending::At(Rect::new(event.x.into(), event.y.into(), width, height));
        self.pending.entry(event.window).and_modify(|known| *known = known.then(at)).or_insert(at);
    }

    fn ask(&mut self, window: Window) {
        self.pending.insert(window, Pending::Ask);
    }

    /// Others are ours than before.
    pub fn reconsider(&mut self, server: &Server) -> Outcome<()> {
        for window in server.conn.query_tree(server.root)?.reply()?.children {
            self.ask(window);
        }
        Ok(())
    }

    /// What has changed since the last call.
    fn changes(&mut self, server: &Server, ours: Ours, monitors: &[Rect]) -> Outcome<Vec<WindowChange>> {
        let mut now = Now {
            perhaps_restacked: std::mem::take(&mut self.perhaps_restacked),
            workspace_changed: std::mem::take(&mut self.workspace_changed),
            ..Now::default()
        };
        let mut asked = Vec::new();
        for (window, pending) in std::mem::take(&mut self.pending) {
            match pending {
                Pending::At(rect) => drop(now.windows.insert(window, Some(rect))),
                Pending::Ask if !ours.own.contains(&window) => asked.push(window),
                Pending::Ask => {}
            }
        }
        if !asked.is_empty() || !now.perhaps_restacked.is_empty() {
            let tree = server.conn.query_tree(server.root)?;
            let children = look_at(server, &asked)?;
            let mut order = tree.reply()?.children;
            ours.leave_out(server, &mut order)?;
            now.windows.extend(asked.iter().map(|window| (*window, None)));
            // One that a window manager put into a frame is there and visible, but no child of the root any more.
            let visible = children.iter().filter(|child| child.viewable && order.contains(&child.window));
            now.windows.extend(visible.map(|child| (child.window, Some(child.outer))));
            now.order = Some(order);
        }
        let mut changes = self.seen.update(now);
        if std::mem::take(&mut self.clients_changed) {
            let restacked = self.reread_clients(server)?;
            let news = restacked.into_iter().filter(|window| !changes.iter().any(|change| change.id == *window));
            let news: Vec<WindowChange> = news.filter_map(|window| self.seen.change(window, "restacked")).collect();
            changes.extend(news);
        }
        if !changes.is_empty() || self.filling.has_news(monitors) {
            for window in self.filling.update(server, &self.seen.shown, monitors)? {
                match changes.iter_mut().find(|change| change.id == window) {
                    Some(change) => change.filling = true,
                    None => changes.extend(self.seen.change(window, "restacked")),
                }
            }
        }
        Ok(changes)
    }

    /// The windows that have another place in the window manager's list although the server shows them in the same order
    /// as before: some compositors stack by their own list.
    fn reread_clients(&mut self, server: &Server) -> Outcome<Vec<Window>> {
        let clients = root_values(server, server.atoms._NET_CLIENT_LIST_STACKING)?;
        let before = std::mem::replace(&mut self.clients, clients);
        let moved = reordered(&before, &self.clients);
        if moved.is_empty() {
            return Ok(Vec::new());
        }
        let tops = tops(server, &self.clients)?;
        let listed: Vec<Window> = tops.iter().map(|(_, top)| *top).collect();
        // Asked for after the list, since the list may be newer than the last event that was taken: what the server shows
        // as listed will be told, or was, by an event about the window itself.
        let order = server.conn.query_tree(server.root)?.reply()?.children;
        if reordered(&order, &listed).is_empty() {
            return Ok(Vec::new());
        }
        Ok(tops.into_iter().filter(|(client, _)| moved.contains(client)).map(|(_, top)| top).collect())
    }
}

impl Pending {
    /// What is known after a rectangle was told.
    fn then(self, at: Pending) -> Pending {
        if self == Pending::Ask { Pending::Ask } else { at }
    }
}

impl Host {
    /// Starts or stops telling; starting twice goes on as before.
    pub fn watch_other_windows(&mut self, on: bool) -> Outcome<()> {
        self.watch = match self.watch.take() {
            Some(watch) if !on => {
                watch.filling.stop(&self.server)?;
                None
            }
            None if !on => None,
            Some(watch) => Some(watch),
            None => Some(Watch::start(&self.server, self.ours(&self.our_windows()), &self.monitor_areas())?),
        };
        Ok(())
    }

    /// Tells what was noted, if anything was.
    pub fn tell_windows(&mut self) -> Outcome<()> {
        if self.watch.is_none() {
            return Ok(());
        }
        let (own, monitors) = (self.our_windows(), self.monitor_areas());
        let Some(watch) = &mut self.watch else { return Ok(()) };
        let changes = watch.changes(&self.server, Ours { own: &own, claims: &self.claims }, &monitors)?;
        if !changes.is_empty() {
            (self.events)(X11Event::Windows { changes });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_or_went_is_asked_for_even_when_it_moved_later() {
        let (here, there) = (Pending::At(Rect::new(1, 2, 3, 4)), Pending::At(Rect::new(5, 2, 3, 4)));
        assert_eq!(Pending::Ask.then(here), Pending::Ask);
        assert_eq!(there.then(here), here);
    }
}
