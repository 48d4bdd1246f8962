//! The companion's window: as large as what is drawn of it, taking clicks where it was told to and nowhere else.

use x11rb::connection::SequenceNumber;
use x11rb::protocol::shape::{ConnectionExt as _, SK, SO};
use x11rb::protocol::xproto::{
    ChangeWindowAttributesAux, ClipOrdering, ConfigureWindowAux, ConnectionExt as _, EventMask, Gcontext, Gravity,
    Window,
};

use super::fault::{Fault, Outcome};
use super::memory::{Memory, PIXEL, Scratch};
use super::pixels::store_rgba;
use super::region::Rect;
use super::server::{Server, size, wire};
use super::spans::spans;
use super::surface::{Kind, Looks, create_window, put_picture, set_background, stacked};

/// A pixel takes clicks from this alpha on.
const SOLID: u8 = 128;
/// Any ink at all.
const FAINT: u8 = 1;

/// Presses are told, and the server itself gives the pointer back when the button is let go.
fn events() -> EventMask {
    EventMask::EXPOSURE | EventMask::BUTTON_PRESS
}

pub struct Figure {
    pub window: Window,
    looks: Looks,
    gc: Gcontext,
    /// Where it is on the root. The window is exactly this.
    pub frame: Rect,
    /// Tight, as large as the frame.
    canvas: Scratch,
    /// Where its pixels are; kept while blending in software.
    outline: Vec<Rect>,
    /// Where it takes clicks.
    input: Vec<Rect>,
    /// It lets all clicks through for the moment.
    aside: bool,
    pub mapped: bool,
    software: bool,
}

impl Figure {
    /// Creates the window, unmapped and taking no clicks.
    pub fn new(server: &Server, frame: Rect, software: bool) -> Outcome<Figure> {
        let looks = Looks::best(server)?;
        let kind = Kind { class: b"lets-companion\0lets-companion\0", name: b"Lets companion", events: events() };
        let (window, gc) = create_window(server, &frame, looks, software, &kind)?;
        // When it grows, what it shows stays where it is on the screen.
        let aux = ChangeWindowAttributesAux::new().bit_gravity(Gravity::STATIC);
        server.conn.change_window_attributes(window, &aux)?;
        Ok(Figure {
            window,
            looks,
            gc,
            frame,
            canvas: Scratch::default(),
            outline: Vec::new(),
            input: Vec::new(),
            aside: false,
            mapped: false,
            software,
        })
    }

    fn whole(&self) -> Rect {
        Rect::new(0, 0, self.frame.width, self.frame.height)
    }

    /// Keeps the pixels of the frame as large as it is from now on. They are not on the screen yet.
    pub fn keep(&mut self, server: &Server, frame: &Rect, rgba: &[u8]) -> Outcome<()> {
        let memory = self.canvas.room(server, frame.area())?;
        store_rgba(rgba, memory.bytes_mut(), frame.width as usize, &Rect::new(0, 0, frame.width, frame.height));
        if self.software {
            self.outline = spans(&memory.bytes()[..frame.area() * PIXEL], frame.width, FAINT);
        }
        Ok(())
    }

    pub fn pixels(&self) -> &[u8] {
        self.canvas.memory().map_or(&[], Memory::bytes)
    }

    /// Brings the window there. Its input region goes along with it; when the size changes there is none until it is set
    /// anew, so that at no moment it takes clicks where nothing is to be seen.
    pub fn place(&mut self, server: &Server, frame: Rect) -> Outcome<()> {
        if frame == self.frame {
            return Ok(());
        }
        let mut aux = ConfigureWindowAux::new().x(frame.x).y(frame.y);
        if (frame.width, frame.height) != (self.frame.width, self.frame.height) {
            self.set_input(server, Vec::new())?;
            aux = aux.width(u32::from(size(frame.width))).height(u32::from(size(frame.height)));
        }
        server.conn.configure_window(self.window, &aux)?;
        self.frame = frame;
        Ok(())
    }

    /// Limits the window to its pixels where nobody blends it; otherwise it is all there, and clear. The number of the
    /// request that did it.
    pub fn shape(&self, server: &Server) -> Outcome<SequenceNumber> {
        if self.software {
            self.set_region(server, SK::BOUNDING, &self.outline)
        } else {
            let cookie = server.conn.shape_mask(SO::SET, SK::BOUNDING, self.window, 0, 0, x11rb::NONE)?;
            Ok(cookie.sequence_number())
        }
    }

    pub fn set_software(&mut self, server: &Server, software: bool) -> Outcome<()> {
        self.software = software;
        if software {
            let pixels = &self.pixels()[..self.frame.area() * PIXEL];
            self.outline = spans(pixels, self.frame.width, FAINT);
        }
        self.shape(server)?;
        set_background(server, self.window, software)
    }

    pub fn map(&mut self, server: &Server, below: Option<Window>) -> Outcome<()> {
        server.conn.configure_window(self.window, &stacked(below))?;
        server.conn.map_window(self.window)?;
        self.mapped = true;
        Ok(())
    }

    /// Sends the pixels as they are.
    pub fn put_canvas(&self, server: &Server) -> Outcome<()> {
        let Some(canvas) = self.canvas.memory() else { return Ok(()) };
        self.put(server, canvas, 0, &self.whole())
    }

    /// Sends one tight picture, `offset` pixels into `memory`, to `rect` of the window.
    pub fn put(&self, server: &Server, memory: &Memory, offset: usize, rect: &Rect) -> Outcome<()> {
        put_picture(server, (self.window, self.gc, self.looks.depth), memory, offset, rect)
    }

    /// Takes clicks from now on where `rgba`, as large as the frame, is solid.
    pub fn take_clicks(&mut self, server: &Server, rgba: &[u8]) -> Outcome<()> {
        let input = spans(rgba, self.frame.width, SOLID);
        self.set_input(server, input)
    }

    fn set_input(&mut self, server: &Server, input: Vec<Rect>) -> Outcome<()> {
        if input != self.input {
            self.input = input;
            self.show_input(server)?;
        }
        Ok(())
    }

    /// Lets all clicks through, or takes them where it did.
    pub fn step_aside(&mut self, server: &Server, aside: bool) -> Outcome<()> {
        self.aside = aside;
        self.show_input(server)
    }

    fn show_input(&self, server: &Server) -> Outcome<()> {
        self.set_region(server, SK::INPUT, if self.aside { &[] } else { &self.input })?;
        Ok(())
    }

    fn set_region(&self, server: &Server, kind: SK, rects: &[Rect]) -> Outcome<SequenceNumber> {
        let rects: Vec<_> = rects.iter().map(wire).collect();
        // An empty list is an empty region; none would be the whole window.
        let cookie = server.conn.shape_rectangles(SO::SET, kind, ClipOrdering::UNSORTED, self.window, 0, 0, &rects)?;
        Ok(cookie.sequence_number())
    }

    /// Waits until the server has done all that was sent. Rejects when the window takes clicks elsewhere than it was told.
    pub fn check_input(&self, server: &Server) -> Outcome<()> {
        let kept = server.conn.shape_get_rectangles(self.window, SK::INPUT)?.reply()?.rectangles;
        let area = |width: u16, height: u16| usize::from(width) * usize::from(height);
        let kept: usize = kept.iter().map(|rect| area(rect.width, rect.height)).sum();
        let wanted: usize = if self.aside { 0 } else { self.input.iter().map(Rect::area).sum() };
        if kept == wanted {
            return Ok(());
        }
        Fault::failed(
            "the X server did not keep the companion's input region, so it was taken off rather than block clicks",
        )
    }

    /// Has the server tell where the pointer is over it, or no more.
    pub fn watch_pointer(&self, server: &Server, on: bool) -> Outcome<()> {
        let events = if on { events() | EventMask::POINTER_MOTION | EventMask::LEAVE_WINDOW } else { events() };
        server.conn.change_window_attributes(self.window, &ChangeWindowAttributesAux::new().event_mask(events))?;
        Ok(())
    }

    pub fn destroy(mut self, server: &Server) -> Outcome<()> {
        server.conn.free_gc(self.gc)?;
        server.conn.destroy_window(self.window)?;
        if let Some(colormap) = self.looks.colormap {
            server.conn.free_colormap(colormap)?;
        }
        self.canvas.release(server)
    }
}
