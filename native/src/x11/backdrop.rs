//! What lies below all windows where the root has no wallpaper.

use std::cell::Cell;
use std::time::{Duration, Instant};

use x11rb::connection::Connection;
use x11rb::protocol::composite::ConnectionExt as _;
use x11rb::protocol::render::CreatePictureAux;
use x11rb::protocol::shape::{ConnectionExt as _, SK, SO};
use x11rb::protocol::xproto::{
    ClipOrdering, ConfigureWindowAux, ConnectionExt as _, CreateWindowAux, Pixmap, StackMode, WindowClass,
};

use super::compose::{Board, Layers, Scene, TopLevel, capture_screen, read_rgba, root_pixmap};
use super::fault::{Fault, Outcome, gone_is_none};
use super::memory::{Memory, PIXEL, get};
use super::region::{Rect, subtract};
use super::server::{Server, size};

/// The background of a window that shows its parent's.
const PARENT_RELATIVE: Pixmap = 1;
/// So long a copy of the root's background is trusted after it was made again because the root looked otherwise.
const DOUBT_RESTS: Duration = Duration::from_secs(1);

/// What a root without a wallpaper looks like, as far as it was found out.
#[derive(Default)]
pub struct Backdrop {
    /// Its own background, as large as the root.
    pixmap: Cell<Option<Pixmap>>,
    current: Cell<bool>,
    /// When the root was last seen to look otherwise.
    doubted: Cell<Option<Instant>>,
    /// What a compositor shows in its place.
    color: Cell<Option<[u8; 3]>>,
}

pub enum Bare {
    Pixmap(Pixmap),
    Color([u8; 3]),
}

impl Backdrop {
    /// It may look otherwise by now.
    pub fn outdate(&self) {
        self.current.set(false);
        self.color.set(None);
    }

    pub fn release(&self, server: &Server) -> Outcome<()> {
        self.outdate();
        if let Some(pixmap) = self.pixmap.take() {
            server.conn.free_pixmap(pixmap)?;
        }
        Ok(())
    }

    /// The root's own background; `seen` is what it shows at a bare spot, to tell whether what we have still holds.
    fn pixmap(&self, server: &Server, seen: Option<(Rect, [u8; 3])>) -> Outcome<Option<Pixmap>> {
        if let (true, Some(pixmap), Some((spot, color))) = (self.current.get(), self.pixmap.get(), seen) {
            // A program that draws on the root itself would have it made again every time.
            let rested = self.doubted.get().is_none_or(|doubted| doubted.elapsed() >= DOUBT_RESTS);
            if rested && color_at(server, pixmap, spot)? != color {
                self.doubted.set(Some(Instant::now()));
                self.current.set(false);
            }
        }
        if !self.current.get() {
            self.release(server)?;
            self.pixmap.set(copy_background(server)?);
            self.current.set(true);
        }
        Ok(self.pixmap.get())
    }
}

/// X has no way to ask for a window's background, but a child can have its parent's: one below all other windows that
/// is there for no longer than it takes to draw that. `None` where the children of the root are not redirected.
fn copy_background(server: &Server) -> Outcome<Option<Pixmap>> {
    let (conn, root) = (&server.conn, server.root_rect()?);
    let (window, pixmap) = (conn.generate_id()?, conn.generate_id()?);
    let aux = CreateWindowAux::new().background_pixmap(PARENT_RELATIVE).override_redirect(1);
    let (width, height) = (size(root.width), size(root.height));
    let (class, depth, visual) = (WindowClass::INPUT_OUTPUT, server.root_depth, server.root_visual);
    conn.create_window(depth, window, server.root, 0, 0, width, height, 0, class, visual, &aux)?;
    conn.shape_rectangles(SO::SET, SK::INPUT, ClipOrdering::UNSORTED, window, 0, 0, &[])?;
    conn.configure_window(window, &ConfigureWindowAux::new().stack_mode(StackMode::BELOW))?;
    conn.map_window(window)?;
    let named = conn.composite_name_window_pixmap(window, pixmap)?;
    conn.destroy_window(window)?;
    Ok(gone_is_none(named.check())?.map(|()| pixmap))
}

fn color_at(server: &Server, drawable: u32, spot: Rect) -> Outcome<[u8; 3]> {
    let mut memory = Memory::own(1);
    let board = Board::new(server, spot)?;
    board.copy_root_like(server, drawable, &CreatePictureAux::new())?;
    let rgba = read_rgba(server, board, &mut memory)?;
    Ok([rgba[0], rgba[1], rgba[2]])
}

/// Remembers what a compositor makes of a root without a wallpaper, before ink may hide all of it.
pub fn notice_bare_root(server: &Server, scene: &Scene) -> Outcome<()> {
    if root_pixmap(server)?.is_none() {
        let seen = see_bare_root(server, scene, &Layers::read(server, scene)?)?;
        scene.backdrop.color.set(seen.map(|(_, color)| color).or(scene.backdrop.color.get()));
    }
    Ok(())
}

/// What is below all windows where there is no wallpaper. Compositors show one colour of their own choice.
pub fn bare_root(server: &Server, scene: &Scene, layers: &Layers) -> Outcome<Bare> {
    let seen = see_bare_root(server, scene, layers)?;
    let color = seen.map(|(_, color)| color);
    if scene.compositor {
        scene.backdrop.color.set(color.or(scene.backdrop.color.get()));
        if let Some(color) = scene.backdrop.color.get() {
            return Ok(Bare::Color(color));
        }
    }
    Ok(match scene.backdrop.pixmap(server, seen)? {
        Some(pixmap) => Bare::Pixmap(pixmap),
        None => Bare::Color(color.unwrap_or_default()),
    })
}

/// A spot where no window and no ink covers the root, and its colour.
fn see_bare_root(server: &Server, scene: &Scene, layers: &Layers) -> Outcome<Option<(Rect, [u8; 3])>> {
    let covered: Vec<Rect> = layers.below.iter().map(|window| window.outer).collect();
    let bare = subtract(&subtract(&[server.root_rect()?], &covered), scene.ink);
    // In the middle of the largest bare part, away from shadows a compositor draws around windows.
    let Some(largest) = bare.iter().max_by_key(|rect| rect.width.min(rect.height)) else { return Ok(None) };
    for spot in spots(largest) {
        if is_unveiled(server, scene, layers, spot)? {
            let rgba = capture_screen(server, spot, &mut Memory::own(1))?;
            return Ok(Some((spot, [rgba[0], rgba[1], rgba[2]])));
        }
    }
    Ok(None)
}

/// Places to look at a bare part in: its middle first.
fn spots(bare: &Rect) -> impl Iterator<Item = Rect> {
    let (x, y, width, height) = (bare.x, bare.y, bare.width, bare.height);
    [(2, 2), (1, 1), (3, 3), (3, 1), (1, 3)]
        .into_iter()
        .map(move |(across, down)| Rect::new(x + width * across / 4, y + height * down / 4, 1, 1))
}

/// Whether what the screen shows at a spot is not another process's ink: its windows there are clear.
fn is_unveiled(server: &Server, scene: &Scene, layers: &Layers, spot: Rect) -> Outcome<bool> {
    for veil in layers.veils.iter().filter(|veil| veil.outer.contains(&spot)) {
        if !scene.compositor || !is_clear(server, veil, spot)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn is_clear(server: &Server, window: &TopLevel, spot: Rect) -> Outcome<bool> {
    let conn = &server.conn;
    if !server.visual_formats.get(&window.visual).is_some_and(|format| format.has_alpha) {
        return Ok(false);
    }
    let pixmap = conn.generate_id()?;
    if gone_is_none(conn.composite_name_window_pixmap(window.window, pixmap)?.check())?.is_none() {
        return Ok(false);
    }
    let mut memory = Memory::own(1);
    let read = get(server, pixmap, &[spot.moved(-window.outer.x, -window.outer.y)], &mut memory);
    conn.free_pixmap(pixmap)?;
    match read {
        Ok(_) => Ok(memory.bytes()[PIXEL - 1] == 0),
        Err(Fault::Failed(_)) => Ok(false),
        Err(lost) => Err(lost),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spots_are_within_the_bare_part_however_small() {
        for bare in [Rect::new(10, 20, 400, 300), Rect::new(5, 5, 1, 1), Rect::new(-7, 3, 2, 9)] {
            assert!(spots(&bare).all(|spot| bare.contains(&spot)), "{bare:?}");
        }
    }
}
