//! Pixels on our side, shared with the server where it can be, and moving them there and back.
//!
//! All pixels here are 32 bits of BGRA (little-endian ARGB), premultiplied.

use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

use x11rb::connection::{Connection, RequestConnection};
use x11rb::errors::ReplyError;
use x11rb::protocol::shm::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{ConnectionExt as _, Drawable, Gcontext, ImageFormat};

use super::fault::{Fault, Outcome};
use super::region::Rect;
use super::server::{Server, short, size};

pub use crate::pixels::PIXEL;

/// Zeroed pixels. Dropping it unmaps our side; the server's side goes with `release` or with the connection.
pub enum Memory {
    Shared { segment: shm::Seg, address: *mut u8, length: usize },
    Own(Vec<u8>),
}

// SAFETY: the mapping belongs to this value alone on our side, and is only reached through `&self` and `&mut self`.
unsafe impl Send for Memory {}

impl Memory {
    /// Room for `pixels` pixels. Falls back to memory of our own when the server refuses to share.
    pub fn new(server: &Server, pixels: usize) -> Outcome<Memory> {
        let length = pixels.max(1) * PIXEL;
        if server.shm.get() {
            match Self::shared(server, length)? {
                Some(memory) => return Ok(memory),
                None => server.shm.set(false),
            }
        }
        Ok(Memory::Own(vec![0; length]))
    }

    fn shared(server: &Server, length: usize) -> Outcome<Option<Memory>> {
        // An anonymous file rather than a System V segment: it has no name anyone could attach to, and however this
        // process ends nothing is left behind.
        // SAFETY: the name is a C string; the result is checked before it becomes an owned descriptor.
        let raw = unsafe { libc::memfd_create(c"lets-pixels".as_ptr(), libc::MFD_CLOEXEC) };
        if raw < 0 {
            return Ok(None);
        }
        // SAFETY: `raw` was just created and nothing else owns it.
        let file = unsafe { OwnedFd::from_raw_fd(raw) };
        // SAFETY: plain system calls on an owned descriptor; the mapping is checked before use.
        let address = unsafe {
            if libc::ftruncate(file.as_raw_fd(), length as libc::off_t) != 0 {
                return Ok(None);
            }
            let protection = libc::PROT_READ | libc::PROT_WRITE;
            libc::mmap(std::ptr::null_mut(), length, protection, libc::MAP_SHARED, file.as_raw_fd(), 0)
        };
        if address == libc::MAP_FAILED {
            return Ok(None);
        }
        let segment = server.conn.generate_id()?;
        let memory = Memory::Shared { segment, address: address.cast(), length };
        match server.conn.shm_attach_fd(segment, file, false)?.check() {
            Ok(()) => Ok(Some(memory)),
            Err(ReplyError::X11Error(_)) => Ok(None),
            Err(ReplyError::ConnectionError(error)) => Err(error.into()),
        }
    }

    /// Room for `pixels` pixels that is not shared: for so few that sharing would cost more than sending.
    pub fn own(pixels: usize) -> Memory {
        Memory::Own(vec![0; pixels * PIXEL])
    }

    pub fn pixels(&self) -> usize {
        self.bytes().len() / PIXEL
    }

    pub fn bytes(&self) -> &[u8] {
        match self {
            // SAFETY: the mapping is `length` bytes and lives as long as `self`. The server writes to it only between
            // a request of ours and its reply, and nothing reads it in between.
            Memory::Shared { address, length, .. } => unsafe { std::slice::from_raw_parts(*address, *length) },
            Memory::Own(bytes) => bytes,
        }
    }

    pub fn bytes_mut(&mut self) -> &mut [u8] {
        match self {
            // SAFETY: as in `bytes`; `&mut self` makes it the only reference on our side.
            Memory::Shared { address, length, .. } => unsafe { std::slice::from_raw_parts_mut(*address, *length) },
            Memory::Own(bytes) => bytes,
        }
    }

    /// Gives the server's side back.
    pub fn release(self, server: &Server) -> Outcome<()> {
        if let Memory::Shared { segment, .. } = &self {
            server.conn.shm_detach(*segment)?;
        }
        Ok(())
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        if let Memory::Shared { address, length, .. } = self {
            // SAFETY: exactly what `shared` mapped, and no reference outlives `self`.
            unsafe { libc::munmap(address.cast(), *length) };
        }
    }
}

/// Memory that is used again and again: fresh pages cost more than what is done with them.
#[derive(Default)]
pub struct Scratch(Option<Memory>);

impl Scratch {
    /// Room for at least `pixels` pixels, with whatever was in it before.
    pub fn room(&mut self, server: &Server, pixels: usize) -> Outcome<&mut Memory> {
        if self.0.as_ref().is_none_or(|memory| memory.pixels() < pixels) {
            self.release(server)?;
        }
        match &mut self.0 {
            Some(memory) => Ok(memory),
            none => Ok(none.insert(Memory::new(server, pixels)?)),
        }
    }

    pub fn memory(&self) -> Option<&Memory> {
        self.0.as_ref()
    }

    pub fn release(&mut self, server: &Server) -> Outcome<()> {
        self.0.take().map_or(Ok(()), |memory| memory.release(server))
    }
}

/// A picture inside a `Memory`: `offset` pixels in, rows `stride` pixels apart.
#[derive(Clone, Copy)]
pub struct Place {
    pub offset: usize,
    pub stride: usize,
}

/// Sends `source` (in the picture's own coordinates) to `at` of a drawable of 32 bits per pixel. Unchecked: a drawable
/// that vanished is no error.
pub fn put(
    server: &Server,
    target: (Drawable, Gcontext, u8),
    memory: &Memory,
    place: Place,
    source: &Rect,
    at: (i32, i32),
) -> Outcome<()> {
    let (drawable, gc, depth) = target;
    match memory {
        Memory::Shared { segment, .. } => {
            let rows = source.bottom();
            server.conn.shm_put_image(
                drawable,
                gc,
                size(place.stride as i32),
                size(rows),
                size(source.x),
                size(source.y),
                size(source.width),
                size(source.height),
                short(at.0),
                short(at.1),
                depth,
                ImageFormat::Z_PIXMAP.into(),
                false,
                *segment,
                (place.offset * PIXEL) as u32,
            )?;
        }
        Memory::Own(bytes) => {
            let row_bytes = source.width as usize * PIXEL;
            let most = (server.conn.maximum_request_bytes().saturating_sub(64) / row_bytes.max(1)).max(1) as i32;
            let mut top = 0;
            while top < source.height {
                let rows = most.min(source.height - top);
                let mut data = Vec::with_capacity(row_bytes * rows as usize);
                for row in top..top + rows {
                    let start = (place.offset + (source.y + row) as usize * place.stride + source.x as usize) * PIXEL;
                    data.extend_from_slice(&bytes[start..start + row_bytes]);
                }
                server.conn.put_image(
                    ImageFormat::Z_PIXMAP,
                    drawable,
                    gc,
                    size(source.width),
                    size(rows),
                    short(at.0),
                    short(at.1 + top),
                    0,
                    depth,
                    &data,
                )?;
                top += rows;
            }
        }
    }
    Ok(())
}

/// Reads rectangles of a drawable of 32 bits per pixel into `memory`, one tight picture after the other, and returns
/// where each begins (in pixels). All requests leave before the first answer is awaited.
pub fn get(server: &Server, drawable: Drawable, rects: &[Rect], memory: &mut Memory) -> Outcome<Vec<usize>> {
    let offsets: Vec<usize> = rects
        .iter()
        .scan(0, |next, rect| {
            let offset = *next;
            *next += rect.area();
            Some(offset)
        })
        .collect();
    let total: usize = rects.iter().map(Rect::area).sum();
    if total > memory.pixels() {
        return Fault::failed("internal: the pixel memory is too small for what is to be read");
    }
    match memory {
        Memory::Shared { segment, .. } => {
            let mut cookies = Vec::with_capacity(rects.len());
            for (rect, offset) in rects.iter().zip(&offsets) {
                cookies.push(server.conn.shm_get_image(
                    drawable,
                    short(rect.x),
                    short(rect.y),
                    size(rect.width),
                    size(rect.height),
                    !0,
                    ImageFormat::Z_PIXMAP.into(),
                    *segment,
                    (offset * PIXEL) as u32,
                )?);
            }
            for cookie in cookies {
                cookie.reply()?;
            }
        }
        Memory::Own(bytes) => {
            for (rect, offset) in rects.iter().zip(&offsets) {
                let (width, height) = (size(rect.width), size(rect.height));
                let image = server
                    .conn
                    .get_image(ImageFormat::Z_PIXMAP, drawable, short(rect.x), short(rect.y), width, height, !0)?
                    .reply()?;
                let wanted = rect.area() * PIXEL;
                let Some(data) = image.data.get(..wanted) else {
                    return Fault::failed("the X server sent fewer pixels than it was asked for");
                };
                bytes[offset * PIXEL..offset * PIXEL + wanted].copy_from_slice(data);
            }
        }
    }
    Ok(offsets)
}
