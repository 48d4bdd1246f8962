//! Arithmetic on pixels: RGBA (JavaScript's order) and BGRA (a display server's).

use crate::fault::{Fault, Outcome};
use crate::region::Rect;

/// Bytes of one pixel.
pub const PIXEL: usize = 4;

/// Red and blue change places; as whole words, because compilers turn that into vector code and byte shuffles not.
fn swap_red_and_blue(pixel: [u8; PIXEL]) -> u32 {
    let pixel = u32::from_le_bytes(pixel);
    (pixel & 0xff00_ff00) | ((pixel >> 16) & 0xff) | ((pixel & 0xff) << 16)
}

/// Copies tight RGBA rows into `target` at `rect`, as BGRA; `stride` is the target's width in pixels.
pub fn store_rgba(rgba: &[u8], target: &mut [u8], stride: usize, rect: &Rect) {
    let row_bytes = rect.width as usize * PIXEL;
    for (row, source) in rgba.chunks_exact(row_bytes).enumerate().take(rect.height as usize) {
        let start = ((rect.y as usize + row) * stride + rect.x as usize) * PIXEL;
        let line = &mut target[start..start + row_bytes];
        for (to, from) in line.as_chunks_mut::<PIXEL>().0.iter_mut().zip(source.as_chunks::<PIXEL>().0) {
            *to = swap_red_and_blue(*from).to_le_bytes();
        }
    }
}

/// Makes `rect` of the target clear.
pub fn clear(target: &mut [u8], stride: usize, rect: &Rect) {
    for row in 0..rect.height as usize {
        let start = ((rect.y as usize + row) * stride + rect.x as usize) * PIXEL;
        target[start..start + rect.width as usize * PIXEL].fill(0);
    }
}

/// BGRX as opaque RGBA.
pub fn opaque_rgba(bgrx: &[u8]) -> Vec<u8> {
    let mut rgba = vec![0; bgrx.len()];
    for (to, from) in rgba.as_chunks_mut::<PIXEL>().0.iter_mut().zip(bgrx.as_chunks::<PIXEL>().0) {
        *to = (swap_red_and_blue(*from) | 0xff00_0000).to_le_bytes();
    }
    rgba
}

/// Lays `rect` of the ink (premultiplied, `stride` pixels wide) over the tight picture `under`, which becomes opaque.
pub fn blend_over(ink: &[u8], stride: usize, rect: &Rect, under: &mut [u8]) {
    let row_bytes = rect.width as usize * PIXEL;
    for (row, line) in under.chunks_exact_mut(row_bytes).enumerate().take(rect.height as usize) {
        let start = ((rect.y as usize + row) * stride + rect.x as usize) * PIXEL;
        for (to, from) in line.chunks_exact_mut(PIXEL).zip(ink[start..start + row_bytes].chunks_exact(PIXEL)) {
            let through = 255 - u32::from(from[3]);
            for channel in 0..3 {
                // Rounded division by 255; a sum past 255 can only come from ink that was not premultiplied.
                let product = u32::from(to[channel]) * through + 128;
                let dimmed = (product + (product >> 8)) >> 8;
                to[channel] = (u32::from(from[channel]) + dimmed).min(255) as u8;
            }
            to[3] = 0xff;
        }
    }
}

/// Whether patches lie on a display of these bounds, and have their pixels.
pub fn check_patches(patches: &[Rect], bounds: &Rect, bytes: usize) -> Outcome<()> {
    if let Some(patch) = patches.iter().find(|patch| patch.is_empty() || !bounds.contains(patch)) {
        return Fault::failed(format!(
            "the patch {}x{} at {},{} is not within its monitor of {}x{}",
            patch.width, patch.height, patch.x, patch.y, bounds.width, bounds.height
        ));
    }
    let wanted: usize = patches.iter().map(|patch| patch.area() * PIXEL).sum();
    if wanted != bytes {
        return Fault::failed(format!("the patches need {wanted} bytes of pixels, and {bytes} were given"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patches_land_at_their_place_in_server_order() {
        let mut target = vec![0; 3 * 2 * PIXEL];
        store_rgba(&[1, 2, 3, 4, 5, 6, 7, 8], &mut target, 3, &Rect::new(1, 1, 2, 1));
        assert_eq!(target[..16], [0; 16]);
        assert_eq!(target[16..], [3, 2, 1, 4, 7, 6, 5, 8]);
    }

    #[test]
    fn clear_ink_leaves_what_is_below_and_opaque_ink_hides_it() {
        let ink = [0, 0, 0, 0, 10, 20, 30, 255, 0, 51, 102, 102];
        let mut under = vec![200, 100, 50, 0, 200, 100, 50, 0, 200, 100, 50, 0];
        blend_over(&ink, 3, &Rect::new(0, 0, 3, 1), &mut under);
        assert_eq!(under[..4], [200, 100, 50, 255]);
        assert_eq!(under[4..8], [10, 20, 30, 255]);
        assert_eq!(under[8..], [120, 111, 132, 255], "forty per cent ink");
    }

    #[test]
    fn ink_that_was_not_premultiplied_saturates_instead_of_wrapping() {
        let mut under = vec![255, 255, 255, 0];
        blend_over(&[200, 200, 200, 100], 1, &Rect::new(0, 0, 1, 1), &mut under);
        assert_eq!(under, [255; 4]);
    }
}
