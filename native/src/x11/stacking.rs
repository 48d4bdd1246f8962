//! Staying above other windows without fighting any of them, and never above a screen locker.

use std::collections::{HashMap, HashSet};
use std::time::{Duration, Instant};

use x11rb::protocol::shape::{ConnectionExt as _, SK};
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, Window};

use super::compose::{self, TopLevel};
use super::fault::{Outcome, gone_is_none};
use super::host::Host;
use super::region::{Rect, subtract};
use super::server::Server;
use super::surface::stacked;

/// Raises at most this often; a window that stacks itself above us every frame costs no more than this.
const RAISE_INTERVAL: Duration = Duration::from_millis(20);
/// A window we had to be raised over this often within `RIVALRY` raises itself too: it wins.
const MOST_RAISES: u32 = 8;
const RIVALRY: Duration = Duration::from_secs(2);

#[derive(Default)]
pub struct Stacking {
    /// Screen lockers, bottom to top, where they were last seen. Kept until they are unmapped: one that no longer covers
    /// its monitor, which grew, still locks it.
    lockers: Vec<TopLevel>,
    /// A window appeared or grew that may be a locker.
    pub lockers_due: bool,
    rivals: HashMap<Window, (Instant, u32)>,
    yielded: HashSet<Window>,
    /// What windows we gave up on hide: our window, and where theirs is on the root.
    hidden: Vec<(Window, Rect)>,
    last_raise: Option<Instant>,
    last_sink: Option<Instant>,
    pub due: Option<Instant>,
}

/// Where a surface should be among the other windows.
#[derive(Debug, PartialEq)]
enum Place {
    /// It is above a locker: right below this one, at once.
    Sink(Window),
    /// Below `ceiling`, if there is one, and above `covering`, which are over it now, bottom to top.
    Rise { ceiling: Option<Window>, covering: Vec<Window> },
}

impl Stacking {
    /// Whether anything of `ink` (on the root) is wholly behind screen lockers and windows we gave up on.
    pub fn hides(&self, surface: Window, ink: &[Rect]) -> bool {
        let mut over: Vec<Rect> = self.lockers.iter().map(|locker| locker.outer).collect();
        over.extend(self.hidden.iter().filter(|(window, _)| *window == surface).map(|(_, rect)| *rect));
        !over.is_empty() && ink.iter().any(|rect| subtract(&[*rect], &over).is_empty())
    }

    /// Another window appeared, went or moved: what we gave up on may be worth another try. True when there was such.
    pub fn changed_by(&mut self, window: Window) -> bool {
        if self.yielded.contains(&window) || self.rivals.contains_key(&window) {
            return false;
        }
        self.rivals.clear();
        !std::mem::take(&mut self.yielded).is_empty()
    }

    /// A window went, and the next one with its id is another. True when it was one we gave up on.
    pub fn forget(&mut self, window: Window) -> bool {
        self.lockers.retain(|locker| locker.window != window);
        self.rivals.remove(&window);
        self.yielded.remove(&window)
    }

    pub fn knows_locker(&self, window: Window) -> bool {
        self.lockers.iter().any(|locker| locker.window == window)
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

/// One round of restacking.
struct Pass<'a> {
    windows: &'a [TopLevel],
    ours: HashSet<Window>,
    now: Instant,
    last_sink: Option<Instant>,
}

/// Where our window at `index` of `windows` should be, given where it is; it must not be above any of `ceilings`.
fn place(windows: &[TopLevel], index: usize, area: &Rect, ceilings: &HashSet<Window>) -> Place {
    let on_it = |other: &TopLevel| other.outer.intersect(area).is_some();
    let ceiling = windows.iter().position(|other| on_it(other) && ceilings.contains(&other.window));
    if let Some(locker) = ceiling.filter(|locker| *locker < index) {
        return Place::Sink(windows[locker].window);
    }
    let above = &windows[index + 1..ceiling.unwrap_or(windows.len())];
    let covering = above.iter().filter(|other| on_it(other)).map(|other| other.window).collect();
    Place::Rise { ceiling: ceiling.map(|locker| windows[locker].window), covering }
}

impl Host {
    /// Right below which window a surface belongs; `None` for the very top. Looks for lockers on the way.
    pub fn place_for(&mut self, index: usize) -> Outcome<Option<Window>> {
        let windows = compose::top_levels(&self.server)?;
        self.find_lockers(&windows)?;
        let area = self.surfaces[index].area();
        Ok(self
            .stacking
            .lockers
            .iter()
            .find(|locker| locker.outer.intersect(&area).is_some())
            .map(|locker| locker.window))
    }

    /// Right below which window the companion belongs when it is there; `None` for the very top.
    pub fn companion_ceiling(&mut self, frame: &Rect) -> Outcome<Option<Window>> {
        let windows = compose::top_levels(&self.server)?;
        self.find_lockers(&windows)?;
        let ceilings = self.companion_ceilings(&windows, frame)?;
        Ok(windows.iter().map(|window| window.window).find(|window| ceilings.contains(window)))
    }

    /// All that it must never be above: lockers and marks, over this part of the root.
    fn companion_ceilings(&self, windows: &[TopLevel], frame: &Rect) -> Outcome<HashSet<Window>> {
        let own = self.figure.as_ref().map(|figure| figure.window);
        let mut ceilings = self.ours_among(windows)?;
        ceilings.extend(self.stacking.lockers.iter().map(|locker| locker.window));
        let over = |window: &&TopLevel| window.outer.intersect(frame).is_some() && Some(window.window) != own;
        Ok(windows.iter().filter(over).map(|window| window.window).filter(|window| ceilings.contains(window)).collect())
    }

    /// Whether a window with these edges covers a whole monitor.
    pub fn covers_monitor(&self, outer: &Rect) -> bool {
        self.monitors
            .iter()
            .any(|monitor| outer.contains(&Rect::new(monitor.x, monitor.y, monitor.width, monitor.height)))
    }

    pub fn find_lockers(&mut self, windows: &[TopLevel]) -> Outcome<()> {
        self.stacking.lockers_due = false;
        let ours = self.ours_among(windows)?;
        let mut lockers = Vec::new();
        for window in windows.iter().filter(|window| window.override_redirect && !ours.contains(&window.window)) {
            let may_lock = self.stacking.knows_locker(window.window) || self.covers_monitor(&window.outer);
            if may_lock && takes_input(&self.server, window.window)? && !is_frame(&self.server, window.window)? {
                lockers.push(TopLevel { ..*window });
            }
        }
        self.stacking.lockers = lockers;
        Ok(())
    }

    /// After windows changed: lowers the surfaces that are above a locker, and raises those that were covered, within
    /// the limits above.
    pub fn restack(&mut self, windows: &[TopLevel]) -> Outcome<()> {
        self.stacking.due = None;
        self.find_lockers(windows)?;
        self.stacking.hidden.clear();
        let ours = self.ours_among(windows)?;
        let lockers: HashSet<Window> = self.stacking.lockers.iter().map(|locker| locker.window).collect();
        // One step down at once; more only at that pace, should a window insist on being below us.
        let pass = Pass { windows, ours, now: Instant::now(), last_sink: self.stacking.last_sink };
        let marks: Vec<(Window, Rect)> = self.surfaces.iter().map(|surface| (surface.window, surface.area())).collect();
        let mut raised = Vec::new();
        for (window, area) in marks {
            if self.restack_one(&pass, window, &area, &lockers)? {
                raised.push(window);
            }
        }
        let Some((window, frame)) = self.figure.as_ref().map(|figure| (figure.window, figure.frame)) else {
            return Ok(());
        };
        let ceilings = self.companion_ceilings(windows, &frame)?;
        let Some(first) = raised.iter().find(|raised| ceilings.contains(raised)) else {
            self.restack_one(&pass, window, &frame, &ceilings)?;
            return Ok(());
        };
        // Where its marks are now is not where `windows` has them. It goes along.
        let mut all = windows.iter().map(|other| other.window);
        let lowest = all.find(|other| ceilings.contains(other) && !raised.contains(other));
        self.server.conn.configure_window(window, &stacked(Some(lowest.unwrap_or(*first))))?;
        Ok(())
    }

    /// One of our windows, which must not be above any of `ceilings`. Whether it was raised.
    fn restack_one(&mut self, pass: &Pass, window: Window, area: &Rect, ceilings: &HashSet<Window>) -> Outcome<bool> {
        let Pass { windows, ours, now, last_sink } = pass;
        let Some(at) = windows.iter().position(|other| other.window == window) else { return Ok(false) };
        let (ceiling, mut covering) = match place(windows, at, area, ceilings) {
            Place::Sink(ceiling) => {
                if !self.too_soon(*last_sink, *now) {
                    self.server.conn.configure_window(window, &stacked(Some(ceiling)))?;
                    self.stacking.last_sink = Some(*now);
                }
                return Ok(false);
            }
            Place::Rise { ceiling, covering } => (ceiling, covering),
        };
        covering.retain(|other| !ours.contains(other));
        let insistent = covering.iter().filter(|other| !self.stacking.yielded.contains(other)).copied();
        let mut insistent: Vec<Window> = insistent.collect();
        if !insistent.is_empty() {
            if self.too_soon(self.stacking.last_raise, *now) {
                return Ok(false);
            }
            let before = insistent.len();
            insistent.retain(|other| !self.stacking.count(*other, *now));
            if insistent.len() < before {
                self.publish_info();
            }
        }
        if insistent.is_empty() {
            let over = windows.iter().filter(|other| covering.contains(&other.window));
            self.stacking.hidden.extend(over.map(|other| (window, other.outer)));
            return Ok(false);
        }
        self.server.conn.configure_window(window, &stacked(ceiling))?;
        self.stacking.last_raise = Some(*now);
        Ok(true)
    }

    /// Whether to wait with the next step after the one at `last`; if so, it is due then.
    fn too_soon(&mut self, last: Option<Instant>, now: Instant) -> bool {
        let Some(last) = last.filter(|last| now.duration_since(*last) < RAISE_INTERVAL) else { return false };
        self.stacking.due = Some(last + RAISE_INTERVAL);
        true
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
        assert!(!stacking.changed_by(7));
        assert!(stacking.note().is_some(), "the rival's own doing is no news");
        assert!(stacking.changed_by(8), "told, so that the note goes");
        assert!(stacking.note().is_none());
    }

    #[test]
    fn a_window_that_went_leaves_nothing_to_the_next_with_its_id() {
        let mut stacking = Stacking { lockers: vec![window(7, MONITOR)], ..Stacking::default() };
        let start = Instant::now();
        assert!((0..=MOST_RAISES).any(|_| stacking.count(7, start)));
        stacking.count(8, start);
        assert!(stacking.forget(7));
        assert!(stacking.note().is_none() && !stacking.knows_locker(7));
        assert!(!stacking.forget(8), "it had not won yet");
        assert!((0..MOST_RAISES).all(|_| !stacking.count(7, start) && !stacking.count(8, start)));
    }

    const MONITOR: Rect = Rect::new(0, 0, 800, 600);
    const BESIDE: Rect = Rect::new(800, 0, 800, 600);
    const OURS: Window = 1;

    fn window(window: Window, outer: Rect) -> TopLevel {
        TopLevel { window, visual: 0, border: 0, override_redirect: true, outer }
    }

    fn place(windows: &[TopLevel], lockers: &[Window]) -> Place {
        let at = windows.iter().position(|other| other.window == OURS).unwrap();
        super::place(windows, at, &MONITOR, &lockers.iter().copied().collect())
    }

    #[test]
    fn above_a_locker_it_sinks_below_the_lowest() {
        let small = Rect::new(10, 10, 50, 50);
        let windows = [window(2, MONITOR), window(3, small), window(4, MONITOR), window(OURS, MONITOR)];
        assert_eq!(place(&windows, &[4]), Place::Sink(4));
        assert_eq!(place(&windows, &[3, 4]), Place::Sink(3), "even one that covers only a part by now");
        assert_eq!(place(&windows, &[]), Place::Rise { ceiling: None, covering: vec![] });
    }

    #[test]
    fn below_a_locker_it_rises_only_as_far() {
        let windows = [window(OURS, MONITOR), window(2, MONITOR), window(3, MONITOR), window(4, MONITOR)];
        assert_eq!(place(&windows, &[3]), Place::Rise { ceiling: Some(3), covering: vec![2] });
        assert_eq!(place(&windows, &[]), Place::Rise { ceiling: None, covering: vec![2, 3, 4] });
    }

    #[test]
    fn what_is_on_another_monitor_does_not_matter() {
        let windows = [window(2, BESIDE), window(OURS, MONITOR), window(3, BESIDE)];
        assert_eq!(place(&windows, &[2]), Place::Rise { ceiling: None, covering: vec![] });
    }

    #[test]
    fn hidden_is_what_lies_wholly_behind() {
        let lockers = vec![window(2, Rect::new(0, 0, 400, 600))];
        let hidden = vec![(OURS, Rect::new(400, 0, 100, 600)), (9, BESIDE)];
        let stacking = Stacking { lockers, hidden, ..Stacking::default() };
        let (behind, across, beside) = (Rect::new(350, 10, 100, 10), Rect::new(450, 10, 100, 10), BESIDE);
        assert!(stacking.hides(OURS, &[behind]), "one window beside the other");
        assert!(!stacking.hides(OURS, &[across, beside]));
        assert!(stacking.hides(OURS, &[across, behind]));
        assert!(!Stacking::default().hides(OURS, &[behind]));
    }

    #[test]
    fn being_covered_now_and_then_is_no_rivalry() {
        let mut stacking = Stacking::default();
        let start = Instant::now();
        assert!((0..100).all(|n| !stacking.count(7, start + Duration::from_millis(400 * n))));
    }
}
