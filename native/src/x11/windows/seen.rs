//! What JavaScript was told of the windows, and what it takes to bring it up to date.

use std::collections::{BTreeMap, HashMap, HashSet};

use x11rb::protocol::xproto::Window;

use super::WindowChange;
use crate::x11::region::Rect;

/// What JavaScript was told.
pub struct Seen {
    /// The windows on the screen.
    pub shown: HashMap<Window, Rect>,
    /// The root's children bottom to top, those that are not on the screen too.
    pub order: Vec<Window>,
    /// Windows that `update` just found in another place without having heard why: the events about it came with the
    /// answer that held the order, and are in the next round.
    unexplained: HashSet<Window>,
}

/// How things are now. What is not mentioned is as it was.
#[derive(Default)]
pub struct Now {
    /// Rectangles of windows on the screen; `None`: it is not on the screen.
    pub windows: BTreeMap<Window, Option<Rect>>,
    pub order: Option<Vec<Window>>,
    /// Whose place in the stacking may have changed.
    pub perhaps_restacked: HashSet<Window>,
    /// Everything that is shown counts as restacked.
    pub workspace_changed: bool,
}

impl Seen {
    pub fn new(shown: HashMap<Window, Rect>, order: Vec<Window>) -> Seen {
        Seen { shown, order, unexplained: HashSet::new() }
    }

    /// Whether a window that is right above `sibling` may have been restacked.
    pub fn is_news(&self, window: Window, sibling: Window) -> bool {
        let place = self.order.iter().position(|other| *other == window);
        let below = place.and_then(|place| place.checked_sub(1)).map_or(x11rb::NONE, |place| self.order[place]);
        below != sibling || self.unexplained.contains(&window)
    }

    /// Takes over how things are now, and says what is different: at most one change a window.
    pub fn update(&mut self, now: Now) -> Vec<WindowChange> {
        let mut changes = Vec::new();
        let mut restacked = std::mem::take(&mut self.unexplained);
        if let Some(order) = now.order {
            // Among what was on the screen and still is: passing a window nobody sees changes nothing.
            let stays = |window: &Window| {
                self.shown.contains_key(window) && now.windows.get(window).is_none_or(|rect| rect.is_some())
            };
            let visible = |order: &[Window]| order.iter().copied().filter(stays).collect::<Vec<_>>();
            let found = reordered(&visible(&self.order), &visible(&order));
            self.unexplained = found.difference(&now.perhaps_restacked).copied().collect();
            restacked.extend(found);
            self.order = order;
        }
        restacked.retain(|window| now.perhaps_restacked.contains(window));
        for (window, rect) in now.windows {
            let kind = match (self.shown.get(&window), rect) {
                (None, None) => continue,
                (None, Some(_)) => "appeared",
                (Some(_), None) => "gone",
                (Some(before), Some(rect)) if *before != rect => "moved",
                (Some(_), Some(_)) => continue,
            };
            if let Some(rect) = rect {
                self.shown.insert(window, rect);
            }
            changes.extend(self.change(window, kind));
            if rect.is_none() {
                self.shown.remove(&window);
            }
        }
        if now.workspace_changed {
            restacked.extend(self.shown.keys());
        }
        let mut restacked: Vec<Window> = restacked.into_iter().collect();
        restacked.retain(|window| !changes.iter().any(|change| change.id == *window));
        restacked.sort_unstable();
        changes.extend(restacked.into_iter().filter_map(|window| self.change(window, "restacked")));
        changes
    }

    pub fn change(&self, window: Window, kind: &str) -> Option<WindowChange> {
        let rect = self.shown.get(&window)?;
        let (x, y, width, height) = (rect.x, rect.y, rect.width, rect.height);
        Some(WindowChange { id: window, kind: kind.into(), x, y, width, height, filling: false })
    }
}

/// The windows in both lists that have others of both below them than before.
pub fn reordered(before: &[Window], after: &[Window]) -> HashSet<Window> {
    let places: HashMap<Window, usize> = before.iter().enumerate().map(|(place, window)| (*window, place)).collect();
    let common: Vec<(Window, usize)> =
        after.iter().filter_map(|window| places.get(window).map(|place| (*window, *place))).collect();
    if common.is_sorted_by_key(|(_, place)| place) {
        return HashSet::new();
    }
    let changed = |(at, (_, place)): (usize, &(Window, usize))| {
        common[..at].iter().any(|(_, other)| other > place) || common[at + 1..].iter().any(|(_, other)| other < place)
    };
    common.iter().enumerate().filter(|entry| changed(*entry)).map(|(_, (window, _))| *window).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const HERE: Rect = Rect::new(10, 20, 300, 200);
    const THERE: Rect = Rect::new(50, 20, 300, 200);

    fn seen(order: &[Window]) -> Seen {
        Seen::new(order.iter().map(|window| (*window, HERE)).collect(), order.to_vec())
    }

    fn kinds(changes: &[WindowChange]) -> Vec<(Window, &str, i32)> {
        changes.iter().map(|change| (change.id, change.kind.as_str(), change.x)).collect()
    }

    fn windows<const N: usize>(windows: [(Window, Option<Rect>); N]) -> Now {
        Now { windows: windows.into(), ..Now::default() }
    }

    #[test]
    fn only_differences_are_told_and_once() {
        let mut seen = seen(&[1, 2, 3]);
        let now = || windows([(1, Some(THERE)), (2, None), (3, Some(HERE)), (4, Some(HERE)), (5, None)]);
        assert_eq!(kinds(&seen.update(now())), [(1, "moved", 50), (2, "gone", 10), (4, "appeared", 10)]);
        assert_eq!(kinds(&seen.update(now())), []);
    }

    #[test]
    fn a_raised_window_is_restacked_and_those_it_passed_are_not() {
        let mut seen = seen(&[1, 2, 3]);
        let raise = |order: &[Window]| Now {
            order: Some(order.to_vec()),
            perhaps_restacked: HashSet::from([1]),
            ..Now::default()
        };
        assert_eq!(kinds(&seen.update(raise(&[2, 3, 1]))), [(1, "restacked", 10)]);
        assert_eq!(kinds(&seen.update(raise(&[2, 3, 9, 1]))), [], "it passed a window nobody sees");
    }

    #[test]
    fn an_order_that_is_known_before_its_reason_is_told_with_the_reason() {
        let mut seen = seen(&[1, 2, 3]);
        let now = |window| Now { perhaps_restacked: HashSet::from([window]), ..Now::default() };
        assert_eq!(kinds(&seen.update(Now { order: Some(vec![2, 3, 1]), ..now(9) })), []);
        assert!(seen.is_news(1, 3), "it is where the event says, and that was not told yet");
        assert_eq!(kinds(&seen.update(now(1))), [(1, "restacked", 10)]);
        assert!(!seen.is_news(1, 3));
        assert_eq!(kinds(&seen.update(now(2))), [], "one that was passed, much later");
    }

    #[test]
    fn a_change_of_workspace_is_told_of_all_that_stay() {
        let mut seen = seen(&[1, 2, 3]);
        let now = Now { workspace_changed: true, ..windows([(1, None), (2, Some(THERE))]) };
        assert_eq!(kinds(&seen.update(now)), [(1, "gone", 10), (2, "moved", 50), (3, "restacked", 10)]);
    }

    #[test]
    fn places_are_compared_among_common_windows() {
        assert_eq!(reordered(&[1, 2, 3], &[1, 4, 3]), HashSet::new());
        assert_eq!(reordered(&[1, 2, 3, 4], &[1, 3, 2, 4]), HashSet::from([2, 3]));
    }
}
