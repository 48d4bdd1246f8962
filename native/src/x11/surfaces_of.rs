//! The truth about another process's windows, as the server has it: above all, where they take clicks.

use std::collections::HashMap;

use napi::bindgen_prelude::{Env, Object, Result};
use napi_derive::napi;
use x11rb::protocol::shape::{ConnectionExt as _, GetRectanglesReply, SK};
use x11rb::protocol::xproto::{Atom, AtomEnum, ConnectionExt as _, MapState, Window, WindowClass};

use super::claims::{Claims, Ours, Owner, connection_of, owned_among, processes};
use super::fault::{Outcome, gone_is_none};
use super::region::{Rect, overlaps};
use super::server::Server;
use super::thread::Command;
use super::windows::{self, WindowInfo};
use super::{PixelRect, X11Host};
use crate::api::promise;

const LONGEST_STATE: u32 = 1024;

/// A child of the root that is a window of the one asked about, or a window manager's frame around it. All places are in
/// physical pixels of the root.
#[napi(object, object_from_js = false, use_nullable = true)]
pub struct OwnedSurface {
    /// The child of the root: the frame, when a window manager puts one around the window.
    pub id: u32,
    /// The window itself; the same as `id` when there is no frame.
    pub client: u32,
    /// The process that opened it, as the server says, or null when it does not.
    pub pid: Option<u32>,
    /// Of the frame, both borders included.
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
    /// It is on the screen, though others may cover it.
    pub viewable: bool,
    /// The window asks window managers to leave it alone.
    pub override_redirect: bool,
    /// It is never drawn and can still take clicks.
    pub input_only: bool,
    /// Bits per pixel of the window: with 32 it can be transparent, where a compositor runs.
    pub depth: u32,
    /// `_NET_WM_STATE` of the window, such as `_NET_WM_STATE_ABOVE`; empty without a window manager.
    pub states: Vec<String>,
    /// Where it takes clicks while it is on the screen, the frame's part included. Empty: all of them pass through.
    pub input: Vec<PixelRect>,
    /// Where the window itself, without its frame, asks for clicks.
    pub own_input: Vec<PixelRect>,
    /// Windows above it that are on the screen and over some of it, bottom to top, as `id` of `WindowInfo`.
    pub covered_by: Vec<u32>,
    /// No window that a window manager has a say in is above it and over some of it.
    pub above: bool,
}

/// As they are now, bottom to top. One that vanishes meanwhile is left out.
pub fn surfaces_of(server: &Server, owner: &Owner) -> Outcome<Vec<OwnedSurface>> {
    let conn = &server.conn;
    let order = conn.query_tree(server.root)?.reply()?.children;
    let owned = owned_among(server, owner, &order)?;
    if owned.is_empty() {
        return Ok(Vec::new());
    }
    let mut claims = Claims::default();
    claims.replace(owner.clone());
    let others = windows::list(server, Ours { own: &[], claims: &claims })?;
    let known = if server.tells_processes { processes(conn)? } else { HashMap::new() };
    let mut names = Names { server, known: HashMap::new() };
    let mut surfaces = Vec::with_capacity(owned.len());
    for (place, top) in order.iter().enumerate() {
        let Some(client) = owned.get(top).copied() else { continue };
        let Some((top, window, states)) = ask(server, *top, client)? else { continue };
        let over = over(&others, &order[place + 1..], &top.outer);
        surfaces.push(OwnedSurface {
            id: top.window,
            client,
            pid: known.get(&connection_of(server, client)).copied(),
            x: top.outer.x,
            y: top.outer.y,
            width: top.outer.width,
            height: top.outer.height,
            viewable: top.viewable && window.viewable,
            override_redirect: window.override_redirect,
            input_only: window.input_only,
            depth: window.depth.into(),
            states: names.of(&states)?,
            input: top.input.iter().map(pixel_rect).collect(),
            own_input: window.input.iter().map(pixel_rect).collect(),
            above: over.iter().all(|other| other.override_redirect),
            covered_by: over.iter().map(|other| other.id).collect(),
        });
    }
    Ok(surfaces)
}

/// What one window is, on its own.
struct Described {
    window: Window,
    /// With its border, on the root.
    outer: Rect,
    viewable: bool,
    override_redirect: bool,
    input_only: bool,
    depth: u8,
    /// Where it takes clicks, on the root, as far as windows around it let any through to it.
    input: Vec<Rect>,
}

/// The frame, the window in it (the same without one) and the window's states.
fn ask(server: &Server, top: Window, client: Window) -> Outcome<Option<(Described, Described, Vec<Atom>)>> {
    let net_state = server.atoms._NET_WM_STATE;
    let states = server.conn.get_property(false, client, net_state, AtomEnum::ATOM, 0, LONGEST_STATE)?;
    let (top, window) = (describe(server, top)?, describe(server, client)?);
    let states = gone_is_none(states.reply())?;
    let (Some(top), Some(window), Some(states)) = (top, window, states) else { return Ok(None) };
    let states = states.value32().map(Iterator::collect).unwrap_or_default();
    Ok(Some((top, window, states)))
}

fn describe(server: &Server, window: Window) -> Outcome<Option<Described>> {
    let conn = &server.conn;
    let attributes = conn.get_window_attributes(window)?;
    let geometry = conn.get_geometry(window)?;
    // Of the corner inside the border, from which shapes are counted.
    let corner = conn.translate_coordinates(window, server.root, 0, 0)?;
    let (input, bounding) =
        (conn.shape_get_rectangles(window, SK::INPUT)?, conn.shape_get_rectangles(window, SK::BOUNDING)?);
    let (attributes, geometry) = (gone_is_none(attributes.reply())?, gone_is_none(geometry.reply())?);
    let corner = gone_is_none(corner.reply())?;
    let (input, bounding) = (gone_is_none(input.reply())?, gone_is_none(bounding.reply())?);
    let (Some(attributes), Some(geometry), Some(corner)) = (attributes, geometry, corner) else { return Ok(None) };
    let (Some(input), Some(bounding)) = (input, bounding) else { return Ok(None) };
    let (x, y) = (i32::from(corner.dst_x), i32::from(corner.dst_y));
    let border = i32::from(geometry.border_width);
    let (width, height) = (i32::from(geometry.width) + 2 * border, i32::from(geometry.height) + 2 * border);
    let outer = Rect::new(x - border, y - border, width, height);
    Ok(Some(Described {
        window,
        outer,
        viewable: attributes.map_state == MapState::VIEWABLE,
        override_redirect: attributes.override_redirect,
        input_only: attributes.class == WindowClass::INPUT_ONLY,
        depth: geometry.depth,
        input: effective(&outer, &on_root(&bounding, x, y), &on_root(&input, x, y)),
    }))
}

fn on_root(shape: &GetRectanglesReply, x: i32, y: i32) -> Vec<Rect> {
    let rects = shape.rectangles.iter();
    rects
        .map(|rect| Rect::new(rect.x.into(), rect.y.into(), rect.width.into(), rect.height.into()).moved(x, y))
        .collect()
}

/// Where the server looks for a click in a window: within its edges and both its shapes.
fn effective(outer: &Rect, bounding: &[Rect], input: &[Rect]) -> Vec<Rect> {
    overlaps(&overlaps(input, bounding), &[*outer])
}

/// Those of `others` that are over `outer`; `above` are the children of the root above it.
fn over<'a>(others: &'a [WindowInfo], above: &[Window], outer: &Rect) -> Vec<&'a WindowInfo> {
    let is_over = |other: &&WindowInfo| {
        let rect = Rect::new(other.x, other.y, other.width, other.height);
        other.viewable && above.contains(&other.id) && rect.intersect(outer).is_some()
    };
    others.iter().filter(is_over).collect()
}

fn pixel_rect(rect: &Rect) -> PixelRect {
    PixelRect { x: rect.x, y: rect.y, width: rect.width, height: rect.height }
}

/// Atoms' names, each asked for once.
struct Names<'a> {
    server: &'a Server,
    known: HashMap<Atom, String>,
}

impl Names<'_> {
    fn of(&mut self, atoms: &[Atom]) -> Outcome<Vec<String>> {
        let mut names = Vec::with_capacity(atoms.len());
        for atom in atoms {
            if !self.known.contains_key(atom) {
                let Some(reply) = gone_is_none(self.server.conn.get_atom_name(*atom)?.reply())? else { continue };
                self.known.insert(*atom, String::from_utf8_lossy(&reply.name).into_owned());
            }
            names.extend(self.known.get(atom).cloned());
        }
        Ok(names)
    }
}

#[napi]
impl X11Host {
    /// What the server says of an owner's windows at this moment, bottom to top; empty when there are none. Windows that an
    /// application took into one of its own, as a panel does with an icon, are not among them. A window manager may still
    /// frame or move a window that has only just come up. Key and button grabs are nothing a server tells of.
    #[napi(ts_return_type = "Promise<Array<OwnedSurface>>")]
    pub fn surfaces_of<'env>(&self, env: &'env Env, owner: Owner) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |surfaces: Vec<OwnedSurface>| surfaces)?;
        self.handle.send(Command::SurfacesOf(owner, reply));
        Ok(promise)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTER: Rect = Rect::new(100, 50, 400, 300);

    #[test]
    fn clicks_are_taken_only_within_the_edges_and_both_shapes() {
        assert_eq!(effective(&OUTER, &[OUTER], &[]), []);
        assert_eq!(effective(&OUTER, &[OUTER], &[OUTER]), [OUTER]);
        let wide = Rect::new(0, 0, 5000, 60);
        assert_eq!(effective(&OUTER, &[Rect::new(0, 0, 5000, 5000)], &[wide]), [Rect::new(100, 50, 400, 10)]);
        let hole = [Rect::new(100, 50, 400, 20), Rect::new(100, 330, 400, 20)];
        let middle = Rect::new(100, 60, 400, 200);
        assert_eq!(effective(&OUTER, &hole, &[middle]), [Rect::new(100, 60, 400, 10)]);
    }

    #[test]
    fn over_is_what_is_on_the_screen_above_it_and_meets_it() {
        let window = |id, x, viewable| WindowInfo {
            id,
            client: id,
            x,
            y: 60,
            width: 50,
            height: 50,
            content: PixelRect { x, y: 60, width: 50, height: 50 },
            class_name: String::new(),
            instance: String::new(),
            title: String::new(),
            pid: None,
            override_redirect: false,
            viewable,
            minimized: false,
            hidden: false,
            full_screen: false,
            maximized: false,
            furniture: false,
            takes_clicks: true,
        };
        let others = [window(1, 120, true), window(2, 120, true), window(3, 120, false), window(4, 900, true)];
        let ids: Vec<u32> = over(&others, &[2, 3, 4], &OUTER).iter().map(|other| other.id).collect();
        assert_eq!(ids, [2]);
    }
}
