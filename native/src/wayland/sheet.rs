//! Pixels shared with the compositor: sheets of one size that take turns, since it may still read from the last one.

use smithay_client_toolkit::shm::Shm;
use smithay_client_toolkit::shm::slot::{Buffer, SlotPool};
use wayland_client::protocol::wl_shm::Format;
use wayland_client::protocol::wl_surface::WlSurface;

use crate::fault::{Fault, Outcome};
use crate::pixels::PIXEL;
use crate::region::{Rect, disjoint};

/// One shown, one that waits to be, and one to draw on.
const MOST_SHEETS: usize = 3;
/// Places a sheet lacks, until they are drawn together.
const MOST_LACKS: usize = 256;

/// One buffer in memory of its own.
pub struct Sheet {
    pool: SlotPool,
    buffer: Buffer,
    /// What the sheet that is shown has, and this one not yet.
    lacks: Vec<Rect>,
}

impl Sheet {
    /// Clear.
    pub fn new(shm: &Shm, width: i32, height: i32) -> Outcome<Sheet> {
        Sheet::of(shm, width, height, width.saturating_mul(PIXEL as i32), Format::Argb8888)
    }

    pub fn of(shm: &Shm, width: i32, height: i32, stride: i32, format: Format) -> Outcome<Sheet> {
        let bytes = i64::from(stride) * i64::from(height);
        let failed = |why: String| Fault::Failed(format!("no memory to share for {width}x{height} pixels: {why}"));
        if bytes <= 0 || bytes > i64::from(i32::MAX) {
            return Err(failed(format!("{bytes} bytes")));
        }
        let mut pool = SlotPool::new(bytes as usize, shm).map_err(|error| failed(error.to_string()))?;
        let made = pool.create_buffer(width, height, stride, format).map_err(|error| failed(error.to_string()))?;
        let buffer = made.0;
        Ok(Sheet { pool, buffer, lacks: Vec::new() })
    }

    pub fn attach(&self, surface: &WlSurface) {
        // Attached already, and not given back yet: it may be attached again all the same.
        if self.buffer.attach_to(surface).is_err() {
            surface.attach(Some(self.buffer.wl_buffer()), 0, 0);
        }
    }

    pub fn buffer(&self) -> &Buffer {
        &self.buffer
    }

    pub fn bytes(&mut self) -> &mut [u8] {
        let length = self.buffer.height() as usize * self.buffer.stride() as usize;
        &mut self.pool.raw_data_mut(&self.buffer.slot())[..length]
    }

    fn is_free(&self) -> bool {
        !self.buffer.slot().has_active_buffers()
    }
}

/// The sheets of one surface, all of one size.
#[derive(Default)]
pub struct Sheets {
    sheets: Vec<Sheet>,
    /// The one that is shown.
    front: usize,
}

impl Sheets {
    /// The sheet that is shown.
    pub fn front(&self) -> Option<&Sheet> {
        self.sheets.get(self.front)
    }

    /// Whether there is one to draw on, or one could be made.
    pub fn has_room(&self) -> bool {
        self.sheets.len() < MOST_SHEETS || self.sheets.iter().any(Sheet::is_free)
    }

    /// A sheet that the compositor does not read, with what is shown now on it. It becomes the front; `changes` is what
    /// the caller draws there. `ink` is everything that is drawn so far. `None`: all are still read from.
    pub fn turn(
        &mut self,
        shm: &Shm,
        (width, height): (i32, i32),
        ink: &[Rect],
        changes: &[Rect],
    ) -> Outcome<Option<&mut [u8]>> {
        let free = |sheets: &[Sheet], index: usize| sheets.get(index).is_some_and(Sheet::is_free);
        let next = if free(&self.sheets, self.front) {
            self.front
        } else if let Some(index) = (0..self.sheets.len()).find(|index| free(&self.sheets, *index)) {
            index
        } else if self.sheets.len() < MOST_SHEETS {
            let mut sheet = Sheet::new(shm, width, height)?;
            sheet.lacks = ink.to_vec();
            self.sheets.push(sheet);
            self.sheets.len() - 1
        } else {
            return Ok(None);
        };
        if next != self.front {
            let lacks = std::mem::take(&mut self.sheets[next].lacks);
            copy(&mut self.sheets, self.front, next, &lacks, width as usize);
            self.front = next;
        }
        for (index, sheet) in self.sheets.iter_mut().enumerate() {
            if index == next {
                sheet.lacks.clear();
            } else {
                sheet.lacks.extend_from_slice(changes);
                // One that is never its turn must not remember for ever.
                if sheet.lacks.len() > MOST_LACKS {
                    sheet.lacks = disjoint(&sheet.lacks, &Rect::new(0, 0, width, height));
                }
            }
        }
        Ok(Some(self.sheets[next].bytes()))
    }
}

fn copy(sheets: &mut [Sheet], from: usize, to: usize, rects: &[Rect], stride: usize) {
    let Ok([from, to]) = sheets.get_disjoint_mut([from, to]) else { return };
    let (source, target) = (from.bytes(), to.bytes());
    for rect in rects {
        for row in 0..rect.height as usize {
            let start = ((rect.y as usize + row) * stride + rect.x as usize) * PIXEL;
            let line = start..start + rect.width as usize * PIXEL;
            target[line.clone()].copy_from_slice(&source[line]);
        }
    }
}
