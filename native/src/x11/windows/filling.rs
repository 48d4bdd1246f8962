//! Which windows may be full screen: those that cover a monitor. Only of these are changes of their state listened to,
//! since applications write other properties at every key.

use std::collections::{HashMap, HashSet};

use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ChangeWindowAttributesAux, ConnectionExt as _, EventMask, Window};

use super::list::tops;
use super::properties::root_values;
use crate::x11::fault::Outcome;
use crate::x11::region::Rect;
use crate::x11::server::Server;

#[derive(Default)]
pub struct Filling {
    monitors: Vec<Rect>,
    /// The application's own window of each that covers a monitor.
    clients: HashMap<Window, Window>,
    /// Those whose state changed.
    changed: HashSet<Window>,
}

impl Filling {
    pub fn note(&mut self, server: &Server, event: &Event) {
        if let Event::PropertyNotify(event) = event
            && event.atom == server.atoms._NET_WM_STATE
        {
            let of_it = |(_, client): &(&Window, &Window)| **client == event.window;
            self.changed.extend(self.clients.iter().filter(of_it).map(|(top, _)| *top));
        }
    }

    /// Whether `update` has anything to look at although no window changed.
    pub fn has_news(&self, monitors: &[Rect]) -> bool {
        !self.changed.is_empty() || self.monitors != monitors
    }

    /// Takes over where windows are now. Those that may have become full screen, or be it no more.
    pub fn update(
        &mut self,
        server: &Server,
        shown: &HashMap<Window, Rect>,
        monitors: &[Rect],
    ) -> Outcome<HashSet<Window>> {
        self.monitors = monitors.to_vec();
        let covers = |rect: &Rect| monitors.iter().any(|monitor| rect.contains(monitor));
        let now: HashSet<Window> = shown.iter().filter(|(_, rect)| covers(rect)).map(|(window, _)| *window).collect();
        let mut changed = std::mem::take(&mut self.changed);
        let left: Vec<Window> = self.clients.keys().filter(|window| !now.contains(window)).copied().collect();
        for window in left {
            if let Some(client) = self.clients.remove(&window) {
                listen(server, client, EventMask::NO_EVENT)?;
            }
            changed.insert(window);
        }
        let come: Vec<Window> = now.into_iter().filter(|window| !self.clients.contains_key(window)).collect();
        if !come.is_empty() {
            let listed = tops(server, &root_values(server, server.atoms._NET_CLIENT_LIST)?)?;
            for window in come {
                let client = listed.iter().find(|(_, top)| *top == window).map_or(window, |(client, _)| *client);
                listen(server, client, EventMask::PROPERTY_CHANGE)?;
                self.clients.insert(window, client);
                changed.insert(window);
            }
        }
        Ok(changed)
    }

    /// Listens to none of them any more.
    pub fn stop(&self, server: &Server) -> Outcome<()> {
        self.clients.values().try_for_each(|client| listen(server, *client, EventMask::NO_EVENT))
    }
}

/// Unchecked: a window that vanished is no error.
fn listen(server: &Server, client: Window, events: EventMask) -> Outcome<()> {
    server.conn.change_window_attributes(client, &ChangeWindowAttributesAux::new().event_mask(events))?;
    Ok(())
}
