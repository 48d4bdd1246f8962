//! One monitor's window: never takes input, on the screen only while there is ink.

use x11rb::connection::Connection;
use x11rb::protocol::render::{ConnectionExt as _, CreatePictureAux, PictOp};
use x11rb::protocol::shape::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{
    AtomEnum, ChangeWindowAttributesAux, ClipOrdering, ColormapAlloc, ConfigureWindowAux, ConnectionExt as _,
    CreateGCAux, CreateWindowAux, EventMask, Gcontext, PropMode, StackMode, Window, WindowClass,
};
use x11rb::wrapper::ConnectionExt as _;

use super::fault::{Fault, Outcome};
use super::memory::{Memory, Place, put};
use super::region::{Rect, disjoint, subtract};
use super::server::{Server, short, size, wire};
use crate::monitor::Monitor;

/// Pixels around the ink that the shape may hold as well.
const ROOM_TO_MOVE: i32 = 128;
const MARKS: Kind = Kind { class: b"lets-overlay\0lets-overlay\0", name: b"Lets overlay", events: EventMask::EXPOSURE };

/// What a window of ours is.
pub struct Kind {
    pub class: &'static [u8],
    pub name: &'static [u8],
    pub events: EventMask,
}

/// How a window's pixels are.
#[derive(Clone, Copy)]
pub struct Looks {
    pub depth: u8,
    visual: u32,
    pub colormap: Option<u32>,
}

impl Looks {
    /// With alpha, where the server has that.
    pub fn best(server: &Server) -> Outcome<Looks> {
        Ok(match server.argb_visual {
            Some(visual) => {
                let colormap = server.conn.generate_id()?;
                server.conn.create_colormap(ColormapAlloc::NONE, colormap, server.root, visual)?;
                Looks { depth: 32, visual, colormap: Some(colormap) }
            }
            None => Looks { depth: server.root_depth, visual: server.root_visual, colormap: None },
        })
    }
}

pub struct Surface {
    pub monitor: Monitor,
    pub window: Window,
    looks: Looks,
    pub mapped: bool,
    /// What is drawn, as rectangles of the monitor that do not overlap.
    pub ink: Vec<Rect>,
    /// The ink's pixels for the whole monitor; only while there is ink.
    pub canvas: Option<Memory>,
    /// What the window is limited to; holds the ink.
    shape: Vec<Rect>,
    /// The window's background is left to software blending.
    software: bool,
    gc: Gcontext,
}

impl Surface {
    /// Creates the window, unmapped.
    pub fn new(server: &Server, monitor: &Monitor, software: bool) -> Outcome<Surface> {
        let looks = Looks::best(server)?;
        let (window, gc) = create_window(server, &area_of(monitor), looks, software, &MARKS)?;
        let monitor = monitor.clone();
        let (ink, shape) = (Vec::new(), Vec::new());
        Ok(Surface { monitor, window, looks, mapped: false, ink, canvas: None, shape, software, gc })
    }

    /// The monitor on the root.
    pub fn area(&self) -> Rect {
        area_of(&self.monitor)
    }

    /// The monitor in its own coordinates.
    pub fn bounds(&self) -> Rect {
        Rect::new(0, 0, self.monitor.width, self.monitor.height)
    }

    /// Where its ink is on the root.
    pub fn ink_on_root(&self) -> Vec<Rect> {
        self.ink.iter().map(|rect| rect.moved(self.monitor.x, self.monitor.y)).collect()
    }

    /// The canvas, made when it is first needed.
    pub fn canvas(&mut self, server: &Server) -> Outcome<&mut Memory> {
        let pixels = self.bounds().area();
        match &mut self.canvas {
            Some(canvas) => Ok(canvas),
            none => Ok(none.insert(Memory::new(server, pixels)?)),
        }
    }

    /// Limits the window to its ink, so that whatever becomes of blending, the rest of the screen is never covered:
    /// when a compositor ends, the server itself shows our bare pixels until we hear of it, and clear ones as black.
    /// Exactly in software mode; with some room to move otherwise, since compositors are slow to take a new shape.
    pub fn shape_to_ink(&mut self, server: &Server, software: bool) -> Outcome<()> {
        let shape = if software {
            self.ink.clone()
        } else if subtract(&self.ink, &self.shape).is_empty() && !self.shape.is_empty() {
            return Ok(());
        } else {
            let roomy: Vec<Rect> = self.ink.iter().map(|rect| rect.grown(ROOM_TO_MOVE)).collect();
            disjoint(&roomy, &self.bounds())
        };
        if shape == self.shape {
            return Ok(());
        }
        let rects: Vec<_> = shape.iter().map(wire).collect();
        let (set, bounding) = (shape::SO::SET, shape::SK::BOUNDING);
        server.conn.shape_rectangles(set, bounding, ClipOrdering::UNSORTED, self.window, 0, 0, &rects)?;
        self.shape = shape;
        Ok(())
    }

    /// What the server paints by itself when a part of the window appears: nothing in software mode, where it would be
    /// a black flash; clear pixels otherwise.
    pub fn set_background(&mut self, server: &Server, software: bool) -> Outcome<()> {
        self.software = software;
        set_background(server, self.window, software)
    }

    /// Maps the window on top of everything, or right below `below`.
    pub fn map(&mut self, server: &Server, below: Option<Window>) -> Outcome<()> {
        server.conn.configure_window(self.window, &stacked(below))?;
        server.conn.map_window(self.window)?;
        self.mapped = true;
        Ok(())
    }

    /// Takes everything off this monitor and lets go of its pixels. The next time is a new window's: a compositor keeps
    /// the damage of an unmapped one as seen, and may never look at what is put right after it is mapped again.
    pub fn clear(&mut self, server: &Server) -> Outcome<()> {
        let was_mapped = self.mapped;
        self.take_off(server)?;
        if was_mapped {
            server.conn.free_gc(self.gc)?;
            server.conn.destroy_window(self.window)?;
            (self.window, self.gc) = create_window(server, &self.area(), self.looks, self.software, &MARKS)?;
            self.shape.clear();
        }
        Ok(())
    }

    fn take_off(&mut self, server: &Server) -> Outcome<()> {
        if self.mapped {
            server.conn.unmap_window(self.window)?;
            self.mapped = false;
        }
        self.ink.clear();
        if let Some(canvas) = self.canvas.take() {
            canvas.release(server)?;
        }
        Ok(())
    }

    /// Sends canvas pixels of `rects` (monitor coordinates) to the window as they are.
    pub fn put_canvas(&self, server: &Server, rects: &[Rect]) -> Outcome<()> {
        let Some(canvas) = &self.canvas else { return Ok(()) };
        let place = Place { offset: 0, stride: self.monitor.width as usize };
        for rect in rects {
            put(server, (self.window, self.gc, self.looks.depth), canvas, place, rect, (rect.x, rect.y))?;
        }
        Ok(())
    }

    /// Sends one tight picture, `offset` pixels into `memory`, to `rect` of the window.
    pub fn put_picture(&self, server: &Server, memory: &Memory, offset: usize, rect: &Rect) -> Outcome<()> {
        put_picture(server, (self.window, self.gc, self.looks.depth), memory, offset, rect)
    }

    /// Waits until the server has done all that was sent, and says whether clicks pass through the whole window.
    pub fn input_is_empty(&self, server: &Server) -> Outcome<bool> {
        Ok(server.conn.shape_get_rectangles(self.window, shape::SK::INPUT)?.reply()?.rectangles.is_empty())
    }

    pub fn destroy(mut self, server: &Server) -> Outcome<()> {
        self.take_off(server)?;
        server.conn.free_gc(self.gc)?;
        server.conn.destroy_window(self.window)?;
        if let Some(colormap) = self.looks.colormap {
            server.conn.free_colormap(colormap)?;
        }
        Ok(())
    }
}

/// Sends one tight picture, `offset` pixels into `memory`, to `rect` of a window.
pub fn put_picture(
    server: &Server,
    (window, gc, depth): (Window, Gcontext, u8),
    memory: &Memory,
    offset: usize,
    rect: &Rect,
) -> Outcome<()> {
    let place = Place { offset, stride: rect.width as usize };
    let whole = Rect::new(0, 0, rect.width, rect.height);
    if depth != 32 && !server.root_is_bgrx {
        return put_converted(server, window, memory, place, rect);
    }
    put(server, (window, gc, depth), memory, place, &whole, (rect.x, rect.y))
}

/// As `put_picture`, for a window whose pixels are laid out otherwise (16 bits, say): the server converts.
fn put_converted(server: &Server, window: Window, memory: &Memory, place: Place, rect: &Rect) -> Outcome<()> {
    let conn = &server.conn;
    let (pixmap, gc) = (conn.generate_id()?, conn.generate_id()?);
    let (source, target) = (conn.generate_id()?, conn.generate_id()?);
    let whole = Rect::new(0, 0, rect.width, rect.height);
    let (width, height) = (size(rect.width), size(rect.height));
    conn.create_pixmap(32, pixmap, server.root, width, height)?;
    conn.create_gc(gc, pixmap, &CreateGCAux::new().graphics_exposures(0))?;
    put(server, (pixmap, gc, 32), memory, place, &whole, (0, 0))?;
    conn.render_create_picture(source, pixmap, server.argb_format, &CreatePictureAux::new())?;
    let format = server.visual_formats[&server.root_visual].id;
    conn.render_create_picture(target, window, format, &CreatePictureAux::new())?;
    let (x, y) = (short(rect.x), short(rect.y));
    conn.render_composite(PictOp::SRC, source, x11rb::NONE, target, 0, 0, 0, 0, x, y, width, height)?;
    conn.render_free_picture(target)?;
    conn.render_free_picture(source)?;
    conn.free_gc(gc)?;
    conn.free_pixmap(pixmap)?;
    Ok(())
}

pub fn set_background(server: &Server, window: Window, software: bool) -> Outcome<()> {
    let aux = if software {
        ChangeWindowAttributesAux::new().background_pixmap(x11rb::NONE)
    } else {
        ChangeWindowAttributesAux::new().background_pixel(0)
    };
    server.conn.change_window_attributes(window, &aux)?;
    Ok(())
}

/// On top of everything, or right below `below`.
pub fn stacked(below: Option<Window>) -> ConfigureWindowAux {
    match below {
        Some(sibling) => ConfigureWindowAux::new().sibling(sibling).stack_mode(StackMode::BELOW),
        None => ConfigureWindowAux::new().stack_mode(StackMode::ABOVE),
    }
}

pub fn area_of(monitor: &Monitor) -> Rect {
    Rect::new(monitor.x, monitor.y, monitor.width, monitor.height)
}

/// A window and its graphics context, unmapped. The input region is empty from before it can ever be seen.
pub fn create_window(
    server: &Server,
    area: &Rect,
    looks: Looks,
    software: bool,
    kind: &Kind,
) -> Outcome<(Window, Gcontext)> {
    let conn = &server.conn;
    let (window, gc) = (conn.generate_id()?, conn.generate_id()?);
    let aux = CreateWindowAux::new()
        .background_pixmap(software.then_some(x11rb::NONE))
        .background_pixel((!software).then_some(0))
        .border_pixel(0)
        .override_redirect(1)
        .event_mask(kind.events)
        .colormap(looks.colormap);
    let (x, y) = (short(area.x), short(area.y));
    let (width, height) = (size(area.width), size(area.height));
    let class = WindowClass::INPUT_OUTPUT;
    conn.create_window(looks.depth, window, server.root, x, y, width, height, 0, class, looks.visual, &aux)?.check()?;
    conn.create_gc(gc, window, &CreateGCAux::new().graphics_exposures(0))?;
    // An empty list, not no list: without one the region becomes the whole window and blocks the desktop.
    conn.shape_rectangles(shape::SO::SET, shape::SK::INPUT, ClipOrdering::UNSORTED, window, 0, 0, &[])?;
    set_properties(server, window, kind)?;
    Ok((window, gc))
}

/// Tells window managers and compositors to leave the window alone: no dimming, no shadow, no fading.
fn set_properties(server: &Server, window: Window, kind: &Kind) -> Result<(), Fault> {
    let (conn, atoms) = (&server.conn, &server.atoms);
    let replace = PropMode::REPLACE;
    conn.change_property8(replace, window, AtomEnum::WM_CLASS, AtomEnum::STRING, kind.class)?;
    conn.change_property8(replace, window, AtomEnum::WM_NAME, AtomEnum::STRING, kind.name)?;
    conn.change_property8(replace, window, atoms._NET_WM_NAME, atoms.UTF8_STRING, kind.name)?;
    let notification = [atoms._NET_WM_WINDOW_TYPE_NOTIFICATION];
    conn.change_property32(replace, window, atoms._NET_WM_WINDOW_TYPE, AtomEnum::ATOM, &notification)?;
    conn.change_property32(replace, window, atoms._NET_WM_WINDOW_OPACITY, AtomEnum::CARDINAL, &[u32::MAX])?;
    conn.change_property32(replace, window, atoms._COMPTON_SHADOW, AtomEnum::CARDINAL, &[0])?;
    Ok(())
}
