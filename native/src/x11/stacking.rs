//! Staying above other windows without fighting any of them, and never above a screen locker.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use x11rb::protocol::shape::{ConnectionExt as _, SK};
use x11rb::protocol::xproto::{AtomEnum, ConfigureWindowAux, ConnectionExt as _, StackMode, Window};

use super::compose::{self, TopLevel};
use super::fault::{Outcome, gone_is_none};
use super::host::Host;
use super::region::Rect;
use super::server::Server;

/// Raises at most this often; a window that stacks itself above us every frame costs no more than this.
const RAISE_INTERVAL: Duration = Duration::from_millis(20);
/// A window we had to be raised over this often within `RIVALRY` raises itself too: it wins.
const MOST_RAISES: u32 = 8;
const RIVALRY: Duration = Duration::from_secs(2);

#[derive(Default)]
pub struct Stacking {
    lockers: Vec<TopLevel>,
    rivals: HashMap<Window, (Instant, u32)>,
    yielded: HashSet<Window>,
    last_raise: Option<Instant>,
    pub due: Option<Instant>,
}

impl Stacking {
    /// Whether a screen locker hides this part of the root.
    pub fn covers(&self, area: &Rect) -> bool {
        self.lockers.iter().any(|locker| locker.outer.contains(area))
    }

    /// Another window appeared, went or moved: what we gave up on may be worth another try.
    pub fn changed_by(&mut self, window: Window) {
        if !self.yielded.contains(&window) && !self.rivals.contains_key(&window) {
            self.yielded.clear();
            self.rivals.clear();
        }
    }

    pub fn note(&self) -> Option<String> {
        (!self.yielded.is_empty())
            .then(|| "Another window keeps raising itself above the marks, so it was let there.".into())
    }

    /// Counts a raise over `window`; true when it is now to be left alone.
    fn count(&mut self, window: Window, now: Instant) -> bool {
        let (since, raises) = self.rivals.entry(window).or_insert((now, 0));
        if now.duration_since(*since) > RIVALRY {
            (*since, *raises) = (now, 0);
        }
        *raises += 1;
        if *raises <= MOST_RAISES {
            return false;
        }
        self.rivals.remove(&window);
        self.yielded.insert(window)
    }
}

impl Host {
    /// Right below which window a surface belongs; `None` for the very top. Looks for lockers on the way.
    pub fn place_for(&mut self, index: usize) -> Outcome<Option<Window>> {
        let windows = compose::top_levels(&self.server)?;
        self.find_lockers(&windows)?;
        let area = self.surfaces[index].area();
        Ok(self.stacking.lockers.iter().find(|locker| locker.outer.intersect(&area).is_some()).map(|l| l.window))
    }

    fn find_lockers(&mut self, windows: &[TopLevel]) -> Outcome<()> {
        let ours = self.our_windows();
        let mut lockers = Vec::new();
        for window in windows.iter().filter(|window| window.override_redirect && !ours.contains(&window.window)) {
            let covers = self
                .monitors
                .iter()
                .any(|monitor| window.outer.contains(&Rect::new(monitor.x, monitor.y, monitor.width, monitor.height)));
            if covers && takes_input(&self.server, window.window)? && !is_frame(&self.server, window.window)? {
                lockers.push(TopLevel { ..*window });
            }
        }
        self.stacking.lockers = lockers;
        Ok(())
    }

    /// After windows changed: raises the surfaces that were covered, within the limits above.
    pub fn restack(&mut self, windows: &[TopLevel]) -> Outcome<()> {
        self.stacking.due = None;
        self.find_lockers(windows)?;
        let ours = self.our_windows();
        let now = Instant::now();
        for index in 0..self.surfaces.len() {
            let surface = &self.surfaces[index];
            let (window, area) = (surface.window, surface.area());
            let Some(place) = windows.iter().position(|other| other.window == window) else { continue };
            let locker = |other: &&TopLevel| self.stacking.lockers.iter().any(|locker| locker.window == other.window);
            let above: Vec<&TopLevel> =
                windows[place + 1..].iter().filter(|other| other.outer.intersect(&area).is_some()).collect();
            let ceiling = above.iter().find(|other| locker(other)).map(|other| other.window);
            let covering = above
                .iter()
                .take_while(|other| !locker(other))
                .map(|other| other.window)
                .filter(|other| !ours.contains(other) && !self.stacking.yielded.contains(other))
                .last();
            let Some(covering) = covering else { continue };
            if let Some(last) = self.stacking.last_raise.filter(|last| now.duration_since(*last) < RAISE_INTERVAL) {
                self.stacking.due = Some(last + RAISE_INTERVAL);
                continue;
            }
            if self.stacking.count(covering, now) {
                self.publish_info();
                continue;
            }
            let aux = match ceiling {
                Some(sibling) => ConfigureWindowAux::new().sibling(sibling).stack_mode(StackMode::BELOW),
                None => ConfigureWindowAux::new().stack_mode(StackMode::ABOVE),
            };
            self.server.conn.configure_window(window, &aux)?;
            self.stacking.last_raise = Some(now);
        }
        Ok(())
    }
}

/// A full-size window that lets clicks through is someone else's overlay, not a locker.
fn takes_input(server: &Server, window: Window) -> Outcome<bool> {
    let region = gone_is_none(server.conn.shape_get_rectangles(window, SK::INPUT)?.reply())?;
    Ok(region.is_some_and(|region| !region.rectangles.is_empty()))
}

/// Window managers' frames are override-redirect too; what they frame carries `WM_STATE`.
fn is_frame(server: &Server, window: Window) -> Outcome<bool> {
    let Some(tree) = gone_is_none(server.conn.query_tree(window)?.reply())? else { return Ok(false) };
    for candidate in tree.children.into_iter().chain([window]) {
        let state = server.conn.get_property(false, candidate, server.atoms.WM_STATE, AtomEnum::ANY, 0, 0)?;
        if gone_is_none(state.reply())?.is_some_and(|state| state.type_ != x11rb::NONE) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_that_keeps_raising_itself_is_left_alone() {
        let mut stacking = Stacking::default();
        let start = Instant::now();
        let gave_up: Vec<bool> = (0..10).map(|n| stacking.count(7, start + Duration::from_millis(20 * n))).collect();
        assert_eq!(gave_up.iter().position(|done| *done), Some(MOST_RAISES as usize));
        assert!(stacking.note().is_some());
        stacking.changed_by(7);
        assert!(stacking.note().is_some(), "the rival's own doing is no news");
        stacking.changed_by(8);
        assert!(stacking.note().is_none());
    }

    #[test]
    fn being_covered_now_and_then_is_no_rivalry() {
        let mut stacking = Stacking::default();
        let start = Instant::now();
        assert!((0..100).all(|n| !stacking.count(7, start + Duration::from_millis(400 * n))));
    }
}
