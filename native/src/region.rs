//! Rectangles and lists of them, in whole pixels.

/// Half-open: `x + width` is the first column outside. Never empty inside a list this module returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rect {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

impl Rect {
    pub const fn new(x: i32, y: i32, width: i32, height: i32) -> Self {
        Self { x, y, width, height }
    }

    pub fn right(&self) -> i32 {
        self.x.saturating_add(self.width)
    }

    pub fn bottom(&self) -> i32 {
        self.y.saturating_add(self.height)
    }

    pub fn is_empty(&self) -> bool {
        self.width <= 0 || self.height <= 0
    }

    pub fn intersect(&self, other: &Rect) -> Option<Rect> {
        let (x, y) = (self.x.max(other.x), self.y.max(other.y));
        let rect = Rect::new(x, y, self.right().min(other.right()) - x, self.bottom().min(other.bottom()) - y);
        (!rect.is_empty()).then_some(rect)
    }

    pub fn contains(&self, other: &Rect) -> bool {
        other.x >= self.x && other.y >= self.y && other.right() <= self.right() && other.bottom() <= self.bottom()
    }

    pub fn moved(&self, dx: i32, dy: i32) -> Rect {
        Rect::new(self.x.saturating_add(dx), self.y.saturating_add(dy), self.width, self.height)
    }

    /// With `margin` more on every side.
    pub fn grown(&self, margin: i32) -> Rect {
        let twice = margin.saturating_mul(2);
        Rect::new(
            self.x.saturating_sub(margin),
            self.y.saturating_sub(margin),
            self.width.saturating_add(twice),
            self.height.saturating_add(twice),
        )
    }

    /// Pixels covered; lists of rectangles are sized by it, so it is wide enough for a whole root.
    pub fn area(&self) -> usize {
        if self.is_empty() {
            return 0;
        }
        self.width as usize * self.height as usize
    }

    /// What is left of `self` without `hole`: at most four rectangles.
    fn without(&self, hole: &Rect) -> Vec<Rect> {
        let Some(cut) = self.intersect(hole) else { return vec![*self] };
        [
            Rect::new(self.x, self.y, self.width, cut.y - self.y),
            Rect::new(self.x, cut.bottom(), self.width, self.bottom() - cut.bottom()),
            Rect::new(self.x, cut.y, cut.x - self.x, cut.height),
            Rect::new(cut.right(), cut.y, self.right() - cut.right(), cut.height),
        ]
        .into_iter()
        .filter(|rect| !rect.is_empty())
        .collect()
    }
}

/// The smallest rectangle around all; `None` for an empty list.
pub fn bounds(rects: &[Rect]) -> Option<Rect> {
    rects.iter().filter(|rect| !rect.is_empty()).copied().reduce(|a, b| {
        let (x, y) = (a.x.min(b.x), a.y.min(b.y));
        Rect::new(x, y, a.right().max(b.right()) - x, a.bottom().max(b.bottom()) - y)
    })
}

/// Beyond this many rectangles the server spends longer on a shape than on the pixels.
const MOST_RECTS: usize = 64;

/// The same area as rectangles that do not overlap, clipped to `within`. A list that would grow past 64 becomes its
/// bounding rectangle: more area, never less.
pub fn disjoint(rects: &[Rect], within: &Rect) -> Vec<Rect> {
    let clipped: Vec<Rect> = rects.iter().filter_map(|rect| rect.intersect(within)).collect();
    let mut result: Vec<Rect> = Vec::new();
    for rect in &clipped {
        let fresh = subtract(&[*rect], &result);
        result.extend(fresh);
        if result.len() > MOST_RECTS {
            return bounds(&clipped).into_iter().collect();
        }
    }
    result
}

/// `rects` without every one of `holes`.
pub fn subtract(rects: &[Rect], holes: &[Rect]) -> Vec<Rect> {
    holes.iter().fold(rects.to_vec(), |left, hole| left.iter().flat_map(|rect| rect.without(hole)).collect())
}

/// Every overlap of one of `a` with one of `b`.
pub fn overlaps(a: &[Rect], b: &[Rect]) -> Vec<Rect> {
    a.iter().flat_map(|one| b.iter().filter_map(|other| one.intersect(other))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCREEN: Rect = Rect::new(0, 0, 100, 100);

    fn area(rects: &[Rect]) -> usize {
        rects.iter().map(Rect::area).sum()
    }

    #[test]
    fn touching_is_not_overlapping() {
        assert_eq!(Rect::new(0, 0, 10, 10).intersect(&Rect::new(10, 0, 10, 10)), None);
        assert_eq!(Rect::new(0, 0, 10, 10).intersect(&Rect::new(9, 9, 10, 10)), Some(Rect::new(9, 9, 1, 1)));
    }

    #[test]
    fn a_hole_in_the_middle_leaves_four_sides() {
        let left = subtract(&[SCREEN], &[Rect::new(40, 40, 20, 20)]);
        assert_eq!(left.len(), 4);
        assert_eq!(area(&left), 10_000 - 400);
    }

    #[test]
    fn disjoint_keeps_the_area_and_removes_overlap() {
        let rects = [Rect::new(0, 0, 50, 50), Rect::new(25, 25, 50, 50), Rect::new(90, 90, 50, 50)];
        let result = disjoint(&rects, &SCREEN);
        assert_eq!(area(&result), 2500 + 2500 - 625 + 100);
        for (index, one) in result.iter().enumerate() {
            assert!(result[index + 1..].iter().all(|other| one.intersect(other).is_none()));
        }
    }

    #[test]
    fn too_many_rectangles_become_one_that_covers_them() {
        let checkers: Vec<Rect> = (0..100).map(|n| Rect::new(n % 10 * 10, n / 10 * 10, 5, 5)).collect();
        assert_eq!(disjoint(&checkers, &SCREEN), [Rect::new(0, 0, 95, 95)]);
    }

    #[test]
    fn extreme_coordinates_do_not_overflow() {
        let huge = Rect::new(i32::MAX - 1, i32::MIN, i32::MAX, i32::MAX);
        assert_eq!(huge.intersect(&SCREEN), None);
        assert_eq!(disjoint(&[huge, Rect::new(5, 5, -3, 10)], &SCREEN), []);
        assert_eq!(bounds(&[Rect::new(1, 1, 0, 4)]), None);
    }
}
