//! What JavaScript was told of the windows, and what it takes to bring it up to date.

use std::collections::{BTreeMap, HashMap, HashSet};

use x11rb::protocol::xproto::Window;

use super::WindowChange;
use crate::x11::region::Rect;

/// What JavaScript was told.
#[derive(Default)]
pub struct Seen {
    /// The windows on the screen.
    pub shown: HashMap<Window, Rect>,
    /// The root's children bottom to top, those that are not on the screen too.
    pub order: Vec<Window>,
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
    /// The window right below, as far as is known.
    pub fn below(&self, window: Window) -> Window {
        let place = self.order.iter().position(|other| *other == window);
        place.and_then(|place| place.checked_sub(1)).map_or(x11rb::NONE, |place| self.order[place])
    }

    /// Takes over how things are now, and says what is different: at most one change a window.
    pub fn update(&mut self, now: Now) -> Vec<WindowChange> {
        let mut changes = Vec::new();
        let mut restacked = HashSet::new();
        if let Some(order) = now.order {
            // Among what was on the screen and still is: passing a window nobody sees changes nothing.
            let stays = |window: &Window| {
                self.shown.contains_key(window) && now.windows.get(window).is_none_or(|rect| rect.is_some())
            };
            let visible = |order: &[Window]| order.iter().copied().filter(stays).collect::<Vec<_>>();
            restacked = reordered(&visible(&self.order), &visible(&order));
            restacked.retain(|window| now.perhaps_restacked.contains(window));
            self.order = order;
        }
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
        Some(WindowChange { id: window, kind: kind.into(), x, y, width, height })
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
        Seen { shown: order.iter().map(|window| (*window, HERE)).collect(), order: order.to_vec() }
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
