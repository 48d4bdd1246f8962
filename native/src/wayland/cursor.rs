//! What the pointer looks like over our surface. Whoever's surface it enters has to say so: otherwise it stays what the window
//! before made of it, and that may be nothing at all.

use smithay_client_toolkit::compositor::Surface;
use wayland_client::QueueHandle;
use wayland_client::globals::GlobalList;
use wayland_client::protocol::wl_pointer::WlPointer;
use wayland_client::protocol::wl_shm::Format;
use wayland_protocols::wp::cursor_shape::v1::client::wp_cursor_shape_device_v1::WpCursorShapeDeviceV1;
use wayland_protocols::wp::cursor_shape::v1::client::wp_cursor_shape_manager_v1::WpCursorShapeManagerV1;
use xcursor::parser::{Image, parse_xcursor};

use super::sheet::Sheet;
use super::state::{Globals, Quiet, State};
use crate::pixels::PIXEL;

/// What the arrow is called, the newer name first.
const NAMES: [&str; 2] = ["default", "left_ptr"];
/// How large a cursor is where nobody says so, in logical points.
const USUAL_SIZE: u32 = 24;
/// No cursor is larger, in pixels a side.
const LARGEST: u32 = 512;

/// Arrows for all pointers that are heard.
pub struct Cursors {
    /// Where the compositor draws cursors by their names; `None`: their images are ours to find.
    named: Option<WpCursorShapeManagerV1>,
    /// Kept once it was needed: a cursor that goes leaves none, until the next window shows its own.
    drawn: Option<Drawn>,
}

impl Cursors {
    pub fn new(list: &GlobalList, queue: &QueueHandle<State>) -> Cursors {
        Cursors { named: list.bind(queue, 1..=1, Quiet).ok(), drawn: None }
    }

    /// For one pointer, where the compositor draws them.
    pub fn device(&self, pointer: &WlPointer, queue: &QueueHandle<State>) -> Option<WpCursorShapeDeviceV1> {
        self.named.as_ref().map(|manager| manager.get_pointer(pointer, queue, Quiet))
    }

    /// A pointer of which the compositor draws none came over our surface, on an output of this scale.
    pub fn draw(&mut self, globals: &Globals, queue: &QueueHandle<State>, pointer: &WlPointer, entry: (u32, f64)) {
        let (serial, scale) = (entry.0, entry.1.ceil() as i32);
        if self.drawn.as_ref().is_none_or(|drawn| drawn.scale != scale) {
            self.drawn = Drawn::new(globals, queue, scale);
        }
        // Without any theme it stays what it was.
        if let Some(Drawn { surface, hot, .. }) = &self.drawn {
            pointer.set_cursor(serial, Some(surface.wl_surface()), hot.0, hot.1);
        }
    }
}

/// The arrow of the person's own theme.
struct Drawn {
    surface: Surface,
    /// Whole pixels a point: the scale of the output, rounded up.
    scale: i32,
    /// The arrow's tip, in logical points.
    hot: (i32, i32),
    /// What the surface shows: it is read for as long as it is shown.
    _sheet: Sheet,
}

impl Drawn {
    /// `None`: there is no theme, or nothing to draw it with.
    fn new(globals: &Globals, queue: &QueueHandle<State>, scale: i32) -> Option<Drawn> {
        let Image { width, height, xhot, yhot, pixels_rgba: pixels, .. } = arrow(scale.unsigned_abs())?;
        let (width, height) = (width as i32, height as i32);
        // A buffer that is no multiple of its scale ends the connection.
        let multiple = if width % scale == 0 && height % scale == 0 { scale } else { 1 };
        let mut sheet = Sheet::of(&globals.shm, width, height, width * PIXEL as i32, Format::Argb8888).ok()?;
        // The file has them as the compositor wants them: blue, green, red, alpha, premultiplied.
        sheet.bytes().copy_from_slice(&pixels);
        let surface = Surface::new(&globals.compositor, queue).ok()?;
        sheet.attach(surface.wl_surface());
        surface.wl_surface().set_buffer_scale(multiple);
        surface.wl_surface().damage_buffer(0, 0, width, height);
        surface.wl_surface().commit();
        let hot = (xhot as i32 / multiple, yhot as i32 / multiple);
        Some(Drawn { surface, scale, hot, _sheet: sheet })
    }
}

/// The image that the person's theme has for the size they chose, times `scale`.
fn arrow(scale: u32) -> Option<Image> {
    let chosen = std::env::var("XCURSOR_SIZE").ok().and_then(|size| size.parse().ok());
    let size = chosen.filter(|size| (1..=LARGEST).contains(size)).unwrap_or(USUAL_SIZE) * scale;
    let theme = xcursor::CursorTheme::load(&std::env::var("XCURSOR_THEME").unwrap_or_else(|_| "default".into()));
    let file = NAMES.iter().find_map(|name| theme.load_icon(name))?;
    nearest(parse_xcursor(&std::fs::read(file).ok()?)?, size)
}

fn nearest(images: Vec<Image>, size: u32) -> Option<Image> {
    let usable = |image: &Image| {
        let sides = 1..=LARGEST;
        sides.contains(&image.width)
            && sides.contains(&image.height)
            && image.pixels_rgba.len() == (image.width * image.height) as usize * PIXEL
    };
    images.into_iter().filter(usable).min_by_key(|image| image.size.abs_diff(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn image(size: u32, side: u32) -> Image {
        let pixels = vec![0; (side * side) as usize * PIXEL];
        let [xhot, yhot, delay] = [0; 3];
        Image { size, width: side, height: side, xhot, yhot, delay, pixels_rgba: pixels.clone(), pixels_argb: pixels }
    }

    #[test]
    fn the_image_nearest_to_the_size_is_taken_and_none_that_is_no_cursor() {
        let sizes =
            |wanted: u32| nearest(vec![image(24, 24), image(48, 50), image(96, 2000)], wanted).map(|one| one.size);
        assert_eq!((sizes(24), sizes(30), sizes(48)), (Some(24), Some(24), Some(48)));
        assert_eq!(sizes(96), Some(48), "the nearest one covers the screen");
        assert_eq!(nearest(Vec::new(), 24), None, "a theme may have none at all");
        let short = Image { pixels_rgba: vec![0; 4], ..image(24, 24) };
        assert_eq!(nearest(vec![short], 24), None);
    }
}
