//! What every system reports about a display.

use napi_derive::napi;

/// One display as the system lays it out.
#[napi(object)]
#[derive(Clone, Debug, PartialEq)]
pub struct Monitor {
    /// The system's own name; no two monitors of one list share it.
    pub name: String,
    /// Left edge in physical pixels of the root (the whole desktop).
    pub x: i32,
    /// Top edge in physical pixels of the root.
    pub y: i32,
    /// Width in physical pixels.
    pub width: i32,
    /// Height in physical pixels.
    pub height: i32,
    /// Width in millimetres as the monitor reports it; 0 when unknown. Often untrue.
    pub mm_width: i32,
    /// Height in millimetres as the monitor reports it; 0 when unknown. Often untrue.
    pub mm_height: i32,
    pub primary: bool,
    /// Physical pixels per logical point.
    pub scale: f64,
}
