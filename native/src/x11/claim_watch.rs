//! Telling JavaScript that windows another process draws for us are otherwise than before, so that it can examine them
//! again: such a window that begins to take clicks must not go unnoticed.

use std::collections::HashSet;

use x11rb::protocol::Event;
use x11rb::protocol::shape::ConnectionExt as _;
use x11rb::protocol::xproto::{ConnectionExt as _, Window};

use super::X11Event;
use super::claims::{Owner, owned_among};
use super::fault::Outcome;
use super::host::Host;
use super::server::Server;

#[derive(Default)]
pub struct ClaimWatch {
    /// Claimed windows and frames around them, all of whose changes are heard of.
    known: HashSet<Window>,
    /// Children of the root that came, or that something came into. Whose they are is not known yet.
    fresh: HashSet<Window>,
    changed: bool,
    /// JavaScript was told, and has not asked since.
    told: bool,
}

impl ClaimWatch {
    /// Takes note of one event.
    pub fn note(&mut self, event: &Event) {
        if event.sent_event() {
            return;
        }
        match event {
            Event::MapNotify(event) => drop(self.fresh.insert(event.window)),
            Event::ReparentNotify(event) => {
                // Events are the root's.
                self.fresh.insert(if event.parent == event.event { event.window } else { event.parent });
                self.changed |= self.known.remove(&event.window);
            }
            Event::UnmapNotify(event) => self.changed |= self.known.contains(&event.window),
            Event::DestroyNotify(event) => self.changed |= self.known.remove(&event.window),
            Event::ConfigureNotify(event) => self.changed |= self.known.contains(&event.window),
            Event::ShapeNotify(event) => self.changed |= self.known.contains(&event.affected_window),
            _ => {}
        }
    }

    pub fn asked(&mut self) {
        self.told = false;
    }

    /// Finds out whose the new windows are; true when there is something to tell that was not told.
    fn has_news(&mut self, server: &Server, owner: &Owner) -> Outcome<bool> {
        let fresh: Vec<Window> = self.fresh.drain().collect();
        if !fresh.is_empty() {
            self.changed |= self.listen(server, owner, &fresh)?;
        }
        let news = std::mem::take(&mut self.changed) && !self.told;
        self.told |= news;
        Ok(news)
    }

    /// Has the server tell of changes of the owner's windows among `tops`; true when there are any. The server tells of
    /// no shape unless it is asked to.
    fn listen(&mut self, server: &Server, owner: &Owner, tops: &[Window]) -> Outcome<bool> {
        let found = owned_among(server, owner, tops)?;
        for window in found.iter().flat_map(|(top, client)| [*top, *client]) {
            if self.known.insert(window) {
                server.conn.shape_select_input(window, true)?;
            }
        }
        Ok(!found.is_empty())
    }
}

impl Host {
    /// Begins anew, with what is claimed now.
    pub fn watch_claims(&mut self) -> Outcome<()> {
        for window in std::mem::take(&mut self.claim_watch).known {
            self.server.conn.shape_select_input(window, false)?;
        }
        if !self.claims.is_empty() {
            let tops = self.server.conn.query_tree(self.server.root)?.reply()?.children;
            self.claim_watch.listen(&self.server, self.claims.owner(), &tops)?;
        }
        Ok(())
    }

    /// Tells what was noted, if anything was.
    pub fn tell_claims(&mut self) -> Outcome<()> {
        if !self.claims.is_empty() && self.claim_watch.has_news(&self.server, self.claims.owner())? {
            (self.events)(X11Event::Surfaces);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use x11rb::protocol::xproto::{CONFIGURE_NOTIFY_EVENT, ConfigureNotifyEvent, DestroyNotifyEvent};

    fn configured(window: Window) -> Event {
        let response_type = CONFIGURE_NOTIFY_EVENT;
        Event::ConfigureNotify(ConfigureNotifyEvent { response_type, window, ..ConfigureNotifyEvent::default() })
    }

    #[test]
    fn only_changes_of_known_windows_count() {
        let mut watch = ClaimWatch { known: [7].into(), ..ClaimWatch::default() };
        watch.note(&configured(8));
        assert!(!watch.changed);
        watch.note(&configured(7));
        assert!(watch.changed);
    }

    #[test]
    fn what_is_gone_is_told_once_and_what_another_program_says_is_not_heeded() {
        let mut watch = ClaimWatch { known: [7].into(), ..ClaimWatch::default() };
        let gone = DestroyNotifyEvent { window: 7, ..DestroyNotifyEvent::default() };
        watch.note(&Event::DestroyNotify(DestroyNotifyEvent { response_type: 0x80 | 17, ..gone }));
        assert!(!watch.changed);
        watch.note(&Event::DestroyNotify(gone));
        assert!(std::mem::take(&mut watch.changed));
        watch.note(&configured(7));
        assert!(!watch.changed, "the next window with its id is another");
    }
}
