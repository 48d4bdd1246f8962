//! What every surface takes and gives.

use napi_derive::napi;

use crate::region::Rect;

/// In whole physical pixels.
#[napi(object)]
pub struct PixelRect {
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
}

impl From<PixelRect> for Rect {
    fn from(rect: PixelRect) -> Rect {
        Rect::new(rect.x, rect.y, rect.width, rect.height)
    }
}

#[napi(object, object_from_js = false)]
pub struct PresentResult {
    /// The screen now shows what was asked for.
    pub shown: bool,
    /// Nothing was done: the displays changed meanwhile, and the epoch is an old one.
    pub stale: bool,
    /// It is not all to be seen: behind a screen locker or a window that insists on being on top, or on a display that is
    /// off.
    pub covered: bool,
    /// Clicks pass through the whole surface, as far as the display server says. Never false: that rejects, with nothing
    /// left on the display.
    pub input_empty: bool,
}
