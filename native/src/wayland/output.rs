//! Outputs as displays: how large they are, and how many of their pixels a logical point has.

use napi_derive::napi;
use smithay_client_toolkit::output::OutputInfo;
use wayland_client::protocol::wl_output::{Transform, WlOutput};

use crate::region::Rect;

/// Scales are counted in this part of one, as `wp_fractional_scale_v1` counts them.
const STEPS: i32 = 120;
const SMALLEST_STEPS: i32 = STEPS / 4;
const LARGEST_STEPS: i32 = 8 * STEPS;

/// One output as the compositor lays it out.
#[napi(object)]
#[derive(Clone, Debug, PartialEq)]
pub struct WaylandOutput {
    /// The compositor's own name, such as `DP-1`; no two outputs of one list share it.
    pub name: String,
    /// Left edge in the compositor's logical points.
    pub x: i32,
    /// Top edge in the compositor's logical points.
    pub y: i32,
    /// Width in physical pixels, as the person sees it: a turned output is as wide as its mode is high.
    pub width: i32,
    /// Height in physical pixels, as the person sees it.
    pub height: i32,
    /// Wayland knows no primary: the output at the top left of all counts as that. In which order they are told is no
    /// help: some compositors begin with the last one.
    pub primary: bool,
    /// Physical pixels per logical point.
    pub scale: f64,
}

/// An output, with what only this side needs to know.
#[derive(Clone, Debug, PartialEq)]
pub struct Head {
    pub output: WlOutput,
    pub shown: WaylandOutput,
    pub transform: Transform,
    /// In logical points.
    pub logical: (i32, i32),
}

impl Head {
    /// `None`: it is off, or has no extent.
    pub fn new(output: WlOutput, info: &OutputInfo, viewports: bool) -> Option<Head> {
        let mode = info.modes.iter().find(|mode| mode.current).map(|mode| upright(mode.dimensions, info.transform));
        let sizes = Sizes { mode, logical: info.logical_size, whole_scale: info.scale_factor.max(1), viewports };
        let (pixels, logical, scale) = sizes.settle()?;
        let (x, y) = info.logical_position.unwrap_or(info.location);
        let name = info.name.clone().unwrap_or_else(|| format!("output-{}", info.id));
        let shown = WaylandOutput { name, x, y, width: pixels.0, height: pixels.1, primary: false, scale };
        Some(Head { output, shown, transform: info.transform, logical })
    }
}

impl Head {
    /// How far it is from the top left of all outputs: the nearest is the primary one.
    pub fn distance(&self) -> i64 {
        i64::from(self.shown.x) + i64::from(self.shown.y)
    }

    /// The logical rectangle around some pixels, where whole points are whole pixels and nothing is turned: only there is
    /// it known which pixels a compositor takes for it. `None` also when it would save little.
    pub fn part(&self, pixels: &Rect) -> Option<Rect> {
        let scale = self.shown.scale as i32;
        let whole = Rect::new(0, 0, self.shown.width, self.shown.height);
        let exact = f64::from(scale) == self.shown.scale
            && self.transform == Transform::Normal
            && (self.logical.0 * scale, self.logical.1 * scale) == (whole.width, whole.height);
        if !exact || pixels.is_empty() || !whole.contains(pixels) || pixels.area() * 2 > whole.area() {
            return None;
        }
        let (x, y) = (pixels.x / scale, pixels.y / scale);
        let (right, bottom) = ((pixels.right() + scale - 1) / scale, (pixels.bottom() + scale - 1) / scale);
        Some(Rect::new(x, y, right - x, bottom - y))
    }
}

/// Whether an output shows its mode lying on its side.
pub fn is_turned(transform: Transform) -> bool {
    matches!(transform, Transform::_90 | Transform::_270 | Transform::Flipped90 | Transform::Flipped270)
}

fn upright((width, height): (i32, i32), transform: Transform) -> (i32, i32) {
    if is_turned(transform) { (height, width) } else { (width, height) }
}

/// What a compositor says about the size of an output.
struct Sizes {
    /// In pixels, upright.
    mode: Option<(i32, i32)>,
    logical: Option<(i32, i32)>,
    /// `wl_output.scale`: the true scale rounded up to a whole number.
    whole_scale: i32,
    /// A buffer may have any number of pixels; otherwise a whole multiple of the logical size.
    viewports: bool,
}

/// Width and height.
type Extent = (i32, i32);

impl Sizes {
    /// Pixels to draw, logical points and scale.
    fn settle(&self) -> Option<(Extent, Extent, f64)> {
        let whole = self.whole_scale;
        let logical = self.logical.filter(is_extent).or_else(|| {
            let (width, height) = self.mode?;
            Some((width / whole, height / whole))
        });
        let logical = logical.filter(is_extent)?;
        let drawn_whole = ((logical.0 * whole, logical.1 * whole), logical, f64::from(whole));
        // Nested and remote compositors may have outputs without a mode.
        let Some(mode) = self.mode.filter(is_extent).filter(|_| self.viewports) else { return Some(drawn_whole) };
        Some((mode, logical, scale_of(mode, logical)))
    }
}

fn is_extent((width, height): &(i32, i32)) -> bool {
    *width > 0 && *height > 0
}

/// The scale of an output: logical sizes are rounded to whole points, so of all the scales that lead to this one, the
/// roundest is it.
fn scale_of(pixels: (i32, i32), logical: (i32, i32)) -> f64 {
    let fits = |steps: i32| {
        let scale = f64::from(steps) / f64::from(STEPS);
        let off = |pixels: i32, logical: i32| (f64::from(pixels) / scale - f64::from(logical)).abs();
        off(pixels.0, logical.0) < 1.0 && off(pixels.1, logical.1) < 1.0
    };
    let ratio = f64::from(pixels.0) / f64::from(logical.0);
    let distance = |steps: i32| (f64::from(steps) / f64::from(STEPS) - ratio).abs();
    // Whole scales, quarters, tenths, then all there are.
    for part in [STEPS, STEPS / 4, STEPS / 10, 1] {
        let fitting = (SMALLEST_STEPS..=LARGEST_STEPS).filter(|steps| steps % part == 0 && fits(*steps));
        if let Some(steps) = fitting.min_by(|a, b| distance(*a).total_cmp(&distance(*b))) {
            return f64::from(steps) / f64::from(STEPS);
        }
    }
    ratio
}

/// The logical size a surface has, when the compositor leaves it to us (0), or says something senseless.
pub fn size_for(configured: (u32, u32), logical: (i32, i32)) -> (i32, i32) {
    let side = |said: u32, own: i32| i32::try_from(said).ok().filter(|side| *side > 0).unwrap_or(own);
    (side(configured.0, logical.0), side(configured.1, logical.1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(mode: (i32, i32), logical: (i32, i32), whole_scale: i32, viewports: bool) -> Sizes {
        Sizes { mode: Some(mode), logical: Some(logical), whole_scale, viewports }
    }

    #[test]
    fn the_scale_is_the_roundest_that_leads_to_the_logical_size() {
        assert_eq!(scale_of((1280, 800), (1280, 800)), 1.0);
        assert_eq!(scale_of((1280, 800), (1024, 640)), 1.25);
        assert_eq!(scale_of((1366, 768), (1093, 614)), 1.25);
        assert_eq!(scale_of((1366, 768), (1092, 614)), 1.25, "rounded down");
        assert_eq!(scale_of((3840, 2160), (1920, 1080)), 2.0);
        assert_eq!(scale_of((2560, 1600), (1506, 941)), 1.7);
        assert_eq!(scale_of((1000, 1000), (3, 500)), 1000.0 / 3.0, "no scale fits both sides");
    }

    #[test]
    fn the_whole_scale_is_not_believed_where_the_pixels_are_known() {
        let (pixels, logical, scale) = sizes((1280, 800), (1024, 640), 2, true).settle().expect("an extent");
        assert_eq!((pixels, logical, scale), ((1280, 800), (1024, 640), 1.25));
    }

    #[test]
    fn without_viewports_a_buffer_is_a_whole_multiple() {
        assert_eq!(sizes((1280, 800), (1024, 640), 2, false).settle(), Some(((2048, 1280), (1024, 640), 2.0)));
    }

    #[test]
    fn an_output_without_a_mode_or_a_logical_size_still_has_one() {
        let without_mode = Sizes { mode: None, logical: Some((800, 600)), whole_scale: 2, viewports: true };
        assert_eq!(without_mode.settle(), Some(((1600, 1200), (800, 600), 2.0)));
        let without_logical = Sizes { mode: Some((1600, 1200)), logical: None, whole_scale: 2, viewports: true };
        assert_eq!(without_logical.settle(), Some(((1600, 1200), (800, 600), 2.0)));
        assert_eq!(sizes((0, 0), (0, 0), 1, true).settle(), None);
    }

    #[test]
    fn a_turned_output_is_as_wide_as_its_mode_is_high() {
        assert_eq!(upright((1280, 800), Transform::_90), (800, 1280));
        assert_eq!(upright((1280, 800), Transform::Flipped180), (1280, 800));
    }

    #[test]
    fn a_configure_of_nothing_leaves_the_size_to_the_output() {
        assert_eq!(size_for((0, 0), (1024, 640)), (1024, 640));
        assert_eq!(size_for((500, 0), (1024, 640)), (500, 640));
        assert_eq!(size_for((u32::MAX, 300), (1024, 640)), (1024, 300));
    }
}
