//! A picture of the screen without our own windows, put together from the other windows' off-screen pixmaps.
//!
//! There is no way to ask a server for "the screen without this window", and taking the window off for a moment
//! flickers. The server is deliberately not grabbed meanwhile: a process that is stopped while it holds a grab freezes
//! the whole desktop. So windows may vanish half-way; errors about them are expected and leave a gap where the next
//! event will bring a better picture.

use x11rb::connection::Connection;
use x11rb::protocol::composite::ConnectionExt as _;
use x11rb::protocol::render::{self, ConnectionExt as _, CreatePictureAux, PictOp, Picture, Repeat};
use x11rb::protocol::shape::SK;
use x11rb::protocol::xfixes::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, MapState, Pixmap, SubwindowMode, Visualid, Window, WindowClass,
};

use super::backdrop::{Backdrop, Bare, bare_root};
use super::claims::Ours;
use super::fault::{Fault, Outcome, gone_is_none};
use super::memory::{Memory, PIXEL, get};
use super::pixels::opaque_rgba;
use super::region::{Rect, bounds, disjoint, overlaps};
use super::server::{Server, short, size, wire};

/// A child of the root that can be seen.
pub struct TopLevel {
    pub window: Window,
    pub visual: Visualid,
    pub border: i32,
    pub override_redirect: bool,
    /// With its border, in root coordinates.
    pub outer: Rect,
}

/// The viewable children of the root, bottom to top.
pub fn top_levels(server: &Server) -> Outcome<Vec<TopLevel>> {
    let children = server.conn.query_tree(server.root)?.reply()?.children;
    let mut asked = Vec::with_capacity(children.len());
    for window in children {
        asked.push((window, server.conn.get_window_attributes(window)?, server.conn.get_geometry(window)?));
    }
    let mut result = Vec::with_capacity(asked.len());
    for (window, attributes, geometry) in asked {
        let (attributes, geometry) = (gone_is_none(attributes.reply())?, gone_is_none(geometry.reply())?);
        let (Some(attributes), Some(geometry)) = (attributes, geometry) else { continue };
        if attributes.map_state != MapState::VIEWABLE || attributes.class != WindowClass::INPUT_OUTPUT {
            continue;
        }
        let border = i32::from(geometry.border_width);
        result.push(TopLevel {
            window,
            visual: attributes.visual,
            border,
            override_redirect: attributes.override_redirect,
            outer: Rect::new(
                geometry.x.into(),
                geometry.y.into(),
                i32::from(geometry.width) + 2 * border,
                i32::from(geometry.height) + 2 * border,
            ),
        });
    }
    Ok(result)
}

/// What the composition depends on besides the server.
pub struct Scene<'a> {
    /// Windows to leave out.
    pub ours: Ours<'a>,
    /// Where our ink is on the screen, in root coordinates.
    pub ink: &'a [Rect],
    /// With a compositor windows with alpha are seen through; without one the server shows them as opaque.
    pub compositor: bool,
    pub backdrop: &'a Backdrop,
}

/// The viewable children of the root, bottom to top, as pictures need them.
pub struct Layers {
    /// Those to picture.
    pub below: Vec<TopLevel>,
    /// Those that another process draws for us. Where in them its ink is, is not known.
    pub veils: Vec<TopLevel>,
}

impl Layers {
    pub fn read(server: &Server, scene: &Scene) -> Outcome<Layers> {
        let windows = top_levels(server)?;
        let tops: Vec<Window> = windows.iter().map(|window| window.window).collect();
        let ours = scene.ours.among(server, &tops)?;
        let (mut veils, below): (Vec<_>, Vec<_>) =
            windows.into_iter().partition(|window| ours.contains(&window.window));
        veils.retain(|window| !scene.ours.own.contains(&window.window));
        Ok(Layers { below, veils })
    }

    fn veiled(&self) -> Vec<Rect> {
        self.veils.iter().map(|veil| veil.outer).collect()
    }
}

/// An off-screen picture of a part of the root, 32 bits deep.
pub struct Board {
    pixmap: Pixmap,
    picture: Picture,
    area: Rect,
}

impl Board {
    pub fn new(server: &Server, area: Rect) -> Outcome<Board> {
        let conn = &server.conn;
        let (pixmap, picture) = (conn.generate_id()?, conn.generate_id()?);
        conn.create_pixmap(32, pixmap, server.root, size(area.width), size(area.height))?;
        conn.render_create_picture(picture, pixmap, server.argb_format, &CreatePictureAux::new())?;
        Ok(Board { pixmap, picture, area })
    }

    fn clip(&self, server: &Server, rects: &[Rect]) -> Outcome<()> {
        let rects: Vec<_> = rects.iter().map(|rect| wire(&rect.moved(-self.area.x, -self.area.y))).collect();
        server.conn.render_set_picture_clip_rectangles(self.picture, 0, 0, &rects)?;
        Ok(())
    }

    /// Copies a drawable that covers the root.
    pub fn copy_root_like(&self, server: &Server, drawable: u32, aux: &CreatePictureAux) -> Outcome<()> {
        let conn = &server.conn;
        let source = conn.generate_id()?;
        let format = server.visual_formats[&server.root_visual].id;
        conn.render_create_picture(source, drawable, format, aux)?;
        let (x, y, width, height) = (short(self.area.x), short(self.area.y), self.area.width, self.area.height);
        conn.render_composite(
            PictOp::SRC,
            source,
            x11rb::NONE,
            self.picture,
            x,
            y,
            0,
            0,
            0,
            0,
            size(width),
            size(height),
        )?;
        conn.render_free_picture(source)?;
        Ok(())
    }

    fn fill(&self, server: &Server, color: [u8; 3]) -> Outcome<()> {
        let [red, green, blue] = color.map(|channel| u16::from(channel) * 0x101);
        let color = render::Color { red, green, blue, alpha: 0xffff };
        let all = wire(&Rect::new(0, 0, self.area.width, self.area.height));
        server.conn.render_fill_rectangles(PictOp::SRC, self.picture, color, &[all])?;
        Ok(())
    }

    /// Draws a window within its shape and `wanted`, a region of the board: outside of its shape a window's pixmap holds
    /// anything. The clip is the board's, because that of a source is not heeded.
    fn draw(&self, server: &Server, window: &TopLevel, compositor: bool, wanted: xfixes::Region) -> Outcome<()> {
        let conn = &server.conn;
        let Some(format) = server.visual_formats.get(&window.visual) else { return Ok(()) };
        let (pixmap, picture, region) = (conn.generate_id()?, conn.generate_id()?, conn.generate_id()?);
        conn.composite_name_window_pixmap(window.window, pixmap)?;
        conn.render_create_picture(picture, pixmap, format.id, &CreatePictureAux::new())?;
        conn.xfixes_create_region_from_window(region, window.window, SK::BOUNDING)?;
        let (x, y) = (window.outer.x + window.border - self.area.x, window.outer.y + window.border - self.area.y);
        conn.xfixes_translate_region(region, short(x), short(y))?;
        conn.xfixes_intersect_region(region, wanted, region)?;
        conn.xfixes_set_picture_clip_region(self.picture, region, 0, 0)?;
        conn.render_composite(
            if compositor && format.has_alpha { PictOp::OVER } else { PictOp::SRC },
            picture,
            x11rb::NONE,
            self.picture,
            0,
            0,
            0,
            0,
            short(window.outer.x - self.area.x),
            short(window.outer.y - self.area.y),
            size(window.outer.width),
            size(window.outer.height),
        )?;
        conn.xfixes_destroy_region(region)?;
        conn.render_free_picture(picture)?;
        conn.free_pixmap(pixmap)?;
        Ok(())
    }

    /// What lies below our windows, within `rects` (root coordinates). The windows must be redirected.
    fn compose(&self, server: &Server, scene: &Scene, layers: &Layers, rects: &[Rect]) -> Outcome<()> {
        self.clip(server, rects)?;
        match root_pixmap(server)? {
            Some(pixmap) => {
                self.copy_root_like(server, pixmap, &CreatePictureAux::new().repeat(Repeat::NORMAL))?;
            }
            None => match bare_root(server, scene, layers)? {
                Bare::Pixmap(pixmap) => self.copy_root_like(server, pixmap, &CreatePictureAux::new())?,
                Bare::Color(color) => self.fill(server, color)?,
            },
        }
        let relative: Vec<_> = rects.iter().map(|rect| wire(&rect.moved(-self.area.x, -self.area.y))).collect();
        let wanted = server.conn.generate_id()?;
        server.conn.xfixes_create_region(wanted, &relative)?;
        for window in &layers.below {
            if rects.iter().any(|rect| rect.intersect(&window.outer).is_some()) {
                self.draw(server, window, scene.compositor, wanted)?;
            }
        }
        server.conn.xfixes_destroy_region(wanted)?;
        Ok(())
    }

    /// Reads parts back (root coordinates) and lets go of the board.
    fn read(self, server: &Server, rects: &[Rect], memory: &mut Memory) -> Outcome<Vec<usize>> {
        let relative: Vec<Rect> = rects.iter().map(|rect| rect.moved(-self.area.x, -self.area.y)).collect();
        let offsets = get(server, self.pixmap, &relative, memory);
        server.conn.render_free_picture(self.picture)?;
        server.conn.free_pixmap(self.pixmap)?;
        offsets
    }
}

/// What lies below our windows in each of `rects` (root coordinates, all on the root), as tight BGRX pictures in
/// `memory`, which must have room for them; returns where each begins. The windows must be redirected.
pub fn read_below(server: &Server, scene: &Scene, rects: &[Rect], memory: &mut Memory) -> Outcome<Vec<usize>> {
    read_layers(server, scene, &Layers::read(server, scene)?, rects, memory)
}

/// The same of layers that are known.
pub fn read_layers(
    server: &Server,
    scene: &Scene,
    layers: &Layers,
    rects: &[Rect],
    memory: &mut Memory,
) -> Outcome<Vec<usize>> {
    let Some(area) = bounds(rects) else { return Ok(Vec::new()) };
    let board = Board::new(server, area)?;
    board.compose(server, scene, layers, rects)?;
    board.read(server, rects, memory)
}

/// Brings a window's pixmap, of whatever depth, into `memory` as one tight BGRX picture.
pub fn convert_pixmap(
    server: &Server,
    pixmap: Pixmap,
    visual: Visualid,
    area: Rect,
    memory: &mut Memory,
) -> Outcome<()> {
    let conn = &server.conn;
    let Some(format) = server.visual_formats.get(&visual) else {
        return Fault::failed("RENDER does not know the visual of that window");
    };
    let board = Board::new(server, area)?;
    let picture = conn.generate_id()?;
    conn.render_create_picture(picture, pixmap, format.id, &CreatePictureAux::new())?;
    let (width, height) = (size(area.width), size(area.height));
    conn.render_composite(PictOp::SRC, picture, x11rb::NONE, board.picture, 0, 0, 0, 0, 0, 0, width, height)?;
    conn.render_free_picture(picture)?;
    board.read(server, &[area], memory)?;
    Ok(())
}

/// The screen without our windows, as RGBA. `area` must lie on the root, and `memory` have room for it.
pub fn capture_below(server: &Server, scene: &Scene, area: Rect, memory: &mut Memory) -> Outcome<Vec<u8>> {
    if !scene.compositor && scene.ink.is_empty() && scene.ours.claims.is_empty() {
        return capture_screen(server, area, memory);
    }
    let layers = Layers::read(server, scene)?;
    let mut covered = layers.veiled();
    covered.extend(scene.ink);
    let hidden = disjoint(&overlaps(&covered, &[area]), &area);
    if !scene.compositor && hidden.is_empty() {
        return capture_screen(server, area, memory);
    }
    let board = Board::new(server, area)?;
    if scene.compositor {
        // All of it is composed, ink or not: what the compositor shows lags behind by a frame and may still hold ink
        // that was taken off, and a picture must not depend on whether marks were up.
        board.compose(server, scene, &layers, &[area])?;
    } else {
        copy_screen(server, &board)?;
        board.compose(server, scene, &layers, &hidden)?;
    }
    read_rgba(server, board, memory)
}

/// The screen as the person sees it, our windows included, as RGBA. As `capture_below` otherwise.
pub fn capture_screen(server: &Server, area: Rect, memory: &mut Memory) -> Outcome<Vec<u8>> {
    if server.root_is_bgrx {
        get(server, server.root, &[area], memory)?;
        return Ok(opaque_rgba(&memory.bytes()[..area.area() * PIXEL]));
    }
    let board = Board::new(server, area)?;
    copy_screen(server, &board)?;
    read_rgba(server, board, memory)
}

fn copy_screen(server: &Server, board: &Board) -> Outcome<()> {
    let aux = CreatePictureAux::new().subwindowmode(SubwindowMode::INCLUDE_INFERIORS);
    board.copy_root_like(server, server.root, &aux)
}

pub fn read_rgba(server: &Server, board: Board, memory: &mut Memory) -> Outcome<Vec<u8>> {
    let area = board.area;
    board.read(server, &[area], memory)?;
    Ok(opaque_rgba(&memory.bytes()[..area.area() * PIXEL]))
}

/// The wallpaper, as desktops leave it on the root for others to use.
pub fn root_pixmap(server: &Server) -> Outcome<Option<Pixmap>> {
    let property =
        server.conn.get_property(false, server.root, server.atoms._XROOTPMAP_ID, AtomEnum::PIXMAP, 0, 1)?.reply()?;
    let Some(pixmap) = property.value32().and_then(|mut values| values.next()).filter(|id| *id != x11rb::NONE) else {
        return Ok(None);
    };
    // The property outlives the pixmap when the program that set it was killed.
    Ok(gone_is_none(server.conn.get_geometry(pixmap)?.reply())?
        .filter(|geometry| geometry.depth == server.root_depth)
        .map(|_| pixmap))
}
