//! The part of a picture that is there, as rectangles: what a window shape is made of.

use super::memory::PIXEL;
use super::region::Rect;

/// Where the alpha (the fourth byte of each pixel) is at least `least`, exactly: runs of each row, and rows alike as one
/// rectangle. `pixels` are tight rows of `width` pixels.
pub fn spans(pixels: &[u8], width: i32, least: u8) -> Vec<Rect> {
    let mut done: Vec<Rect> = Vec::new();
    // Rectangles that reach down to the row above.
    let mut open: Vec<Rect> = Vec::new();
    let Ok(stride) = usize::try_from(width) else { return done };
    if stride == 0 {
        return done;
    }
    for (y, row) in pixels.chunks_exact(stride * PIXEL).enumerate() {
        let runs = runs(row, least);
        if runs.len() == open.len() && runs.iter().zip(&open).all(|(run, rect)| *run == (rect.x, rect.width)) {
            open.iter_mut().for_each(|rect| rect.height += 1);
            continue;
        }
        done.append(&mut open);
        open.extend(runs.into_iter().map(|(x, width)| Rect::new(x, y as i32, width, 1)));
    }
    done.append(&mut open);
    done
}

fn runs(row: &[u8], least: u8) -> Vec<(i32, i32)> {
    let mut runs = Vec::new();
    let mut start = None;
    let pixels = row.as_chunks::<PIXEL>().0;
    for (x, pixel) in pixels.iter().enumerate() {
        match (pixel[3] >= least, start) {
            (true, None) => start = Some(x),
            (false, Some(from)) => {
                runs.push((from as i32, (x - from) as i32));
                start = None;
            }
            _ => {}
        }
    }
    if let Some(from) = start {
        runs.push((from as i32, (pixels.len() - from) as i32));
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(rows: &[&str]) -> Vec<u8> {
        let alpha = |pixel| match pixel {
            b'#' => 255,
            b'+' => 128,
            b'-' => 127,
            _ => 0,
        };
        rows.iter().flat_map(|row| row.bytes().flat_map(move |pixel| [0, 0, 0, alpha(pixel)])).collect()
    }

    #[test]
    fn rows_alike_are_one_rectangle_and_half_there_is_there() {
        let rects = spans(&picture(&[".##.", ".+#-", "#..#", "...."]), 4, 128);
        assert_eq!(rects, [Rect::new(1, 0, 2, 2), Rect::new(0, 2, 1, 1), Rect::new(3, 2, 1, 1)]);
    }

    #[test]
    fn nothing_is_no_rectangle_and_everything_is_one() {
        assert_eq!(spans(&picture(&["..", ".-"]), 2, 128), []);
        assert_eq!(spans(&picture(&["##", "##"]), 2, 128), [Rect::new(0, 0, 2, 2)]);
        assert_eq!(spans(&[], 0, 128), []);
    }
}
