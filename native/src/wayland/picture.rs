//! What a compositor copied of an output, as a part of what the person sees: upright, in our pixels, opaque RGBA.

use wayland_client::protocol::wl_output::Transform;
use wayland_client::protocol::wl_shm::Format;

use super::output::is_turned;
use crate::pixels::{PIXEL, opaque_rgba};
use crate::region::Rect;

/// A copy as it lies in memory.
pub struct Copied<'a> {
    pub bytes: &'a [u8],
    pub width: usize,
    pub height: usize,
    /// Bytes from row to row.
    pub stride: usize,
    pub format: Format,
    pub transform: Transform,
    /// The first row is the lowest.
    pub inverted: bool,
}

/// Whether `picture` can read it. In order of preference, since some are read quicker than others.
pub const FORMATS: [Format; 10] = [
    Format::Xrgb8888,
    Format::Argb8888,
    Format::Xbgr8888,
    Format::Abgr8888,
    Format::Bgr888,
    Format::Rgb888,
    Format::Xrgb2101010,
    Format::Argb2101010,
    Format::Xbgr2101010,
    Format::Abgr2101010,
];

fn bytes_per_pixel(format: Format) -> usize {
    if matches!(format, Format::Bgr888 | Format::Rgb888) { 3 } else { PIXEL }
}

/// Red, green and blue of the pixel that begins `bytes`.
fn colour(format: Format, bytes: &[u8]) -> [u8; 3] {
    let ten = |shift: u32| {
        let word = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        ((word >> shift) >> 2 & 0xff) as u8
    };
    match format {
        Format::Xbgr8888 | Format::Abgr8888 | Format::Bgr888 => [bytes[0], bytes[1], bytes[2]],
        Format::Xrgb2101010 | Format::Argb2101010 => [ten(20), ten(10), ten(0)],
        Format::Xbgr2101010 | Format::Abgr2101010 => [ten(0), ten(10), ten(20)],
        _ => [bytes[2], bytes[1], bytes[0]],
    }
}

impl Copied<'_> {
    /// How wide and high it is as the person sees it.
    pub fn upright(&self) -> (usize, usize) {
        if is_turned(self.transform) { (self.height, self.width) } else { (self.width, self.height) }
    }

    /// Where in memory the pixel is that the person sees at `x`, `y`.
    fn offset(&self, x: usize, y: usize) -> usize {
        let (right, bottom) = (self.upright().0 - 1 - x, self.upright().1 - 1 - y);
        let (column, row) = match self.transform {
            Transform::_90 => (y, right),
            Transform::_180 => (right, bottom),
            Transform::_270 => (bottom, x),
            Transform::Flipped => (right, y),
            Transform::Flipped90 => (y, x),
            Transform::Flipped180 => (x, bottom),
            Transform::Flipped270 => (bottom, right),
            _ => (x, y),
        };
        let row = if self.inverted { self.height - 1 - row } else { row };
        row * self.stride + column * bytes_per_pixel(self.format)
    }

    /// The part `area` of a display of `size` pixels, all of which was copied. `None` when there are not the pixels for it.
    pub fn picture(&self, area: &Rect, size: (i32, i32)) -> Option<Vec<u8>> {
        let whole = Rect::new(0, 0, size.0, size.1);
        let row_bytes = self.width * bytes_per_pixel(self.format);
        if area.is_empty() || !whole.contains(area) || self.width == 0 || self.height == 0 || row_bytes > self.stride {
            return None;
        }
        if self.bytes.len() < self.stride * (self.height - 1) + row_bytes {
            return None;
        }
        let (width, height) = self.upright();
        let same_size = (width, height) == (size.0 as usize, size.1 as usize);
        let (left, top) = (area.x as usize, area.y as usize);
        let mut rgba = Vec::with_capacity(area.area() * PIXEL);
        if same_size
            && self.transform == Transform::Normal
            && matches!(self.format, Format::Xrgb8888 | Format::Argb8888)
        {
            for row in 0..area.height as usize {
                let start = self.offset(left, top + row);
                rgba.extend(opaque_rgba(&self.bytes[start..start + area.width as usize * PIXEL]));
            }
            return Some(rgba);
        }
        for row in 0..area.height as usize {
            let y = (top + row) * height / size.1 as usize;
            for column in 0..area.width as usize {
                let x = (left + column) * width / size.0 as usize;
                let [red, green, blue] = colour(self.format, &self.bytes[self.offset(x, y)..]);
                rgba.extend([red, green, blue, 0xff]);
            }
        }
        Some(rgba)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three columns, two rows; every pixel's red tells which it is.
    fn copied(bytes: &[u8], transform: Transform) -> Copied<'_> {
        Copied { bytes, width: 3, height: 2, stride: 12, format: Format::Xrgb8888, transform, inverted: false }
    }

    fn bytes() -> Vec<u8> {
        (0..6u8).flat_map(|at| [30, 20, at, 0]).collect()
    }

    fn reds(rgba: &[u8]) -> Vec<u8> {
        rgba.chunks(4).map(|pixel| pixel[0]).collect()
    }

    #[test]
    fn a_part_is_cut_out_and_opaque() {
        let bytes = bytes();
        let part = copied(&bytes, Transform::Normal).picture(&Rect::new(1, 0, 2, 2), (3, 2)).expect("a part");
        assert_eq!(reds(&part), [1, 2, 4, 5]);
        assert_eq!(part[..4], [1, 20, 30, 255]);
        assert!(copied(&bytes, Transform::Normal).picture(&Rect::new(2, 0, 2, 2), (3, 2)).is_none());
        assert!(copied(&bytes[..20], Transform::Normal).picture(&Rect::new(0, 0, 1, 1), (3, 2)).is_none());
    }

    #[test]
    fn turned_outputs_are_seen_upright() {
        let bytes = bytes();
        let seen = |transform, size: (i32, i32)| {
            let whole = Rect::new(0, 0, size.0, size.1);
            reds(&copied(&bytes, transform).picture(&whole, size).expect("a picture"))
        };
        assert_eq!(seen(Transform::_90, (2, 3)), [3, 0, 4, 1, 5, 2]);
        assert_eq!(seen(Transform::_270, (2, 3)), [2, 5, 1, 4, 0, 3]);
        assert_eq!(seen(Transform::_180, (3, 2)), [5, 4, 3, 2, 1, 0]);
        assert_eq!(seen(Transform::Flipped, (3, 2)), [2, 1, 0, 5, 4, 3]);
        assert_eq!(seen(Transform::Flipped180, (3, 2)), [3, 4, 5, 0, 1, 2]);
        assert_eq!(seen(Transform::Flipped90, (2, 3)), [0, 3, 1, 4, 2, 5]);
        assert_eq!(seen(Transform::Flipped270, (2, 3)), [5, 2, 4, 1, 3, 0]);
    }

    #[test]
    fn copies_of_another_size_and_upside_down_are_read_right() {
        let bytes = bytes();
        let inverted = Copied { inverted: true, ..copied(&bytes, Transform::Normal) };
        let picture = inverted.picture(&Rect::new(0, 0, 6, 4), (6, 4)).expect("a picture");
        assert_eq!(reds(&picture)[..6], [3, 3, 4, 4, 5, 5]);
        assert_eq!(reds(&picture)[18..], [0, 0, 1, 1, 2, 2]);
    }

    #[test]
    fn every_format_gives_the_same_colour() {
        let ten = |red: u32, green: u32, blue: u32| (red << 20 | green << 10 | blue).to_le_bytes();
        assert_eq!(colour(Format::Argb8888, &[3, 2, 1, 0]), [1, 2, 3]);
        assert_eq!(colour(Format::Xbgr8888, &[1, 2, 3, 0]), [1, 2, 3]);
        assert_eq!(colour(Format::Bgr888, &[1, 2, 3]), [1, 2, 3]);
        assert_eq!(colour(Format::Rgb888, &[3, 2, 1]), [1, 2, 3]);
        assert_eq!(colour(Format::Xrgb2101010, &ten(4, 8, 1023)), [1, 2, 255]);
        assert_eq!(colour(Format::Abgr2101010, &ten(1023, 8, 4)), [1, 2, 255]);
    }
}
