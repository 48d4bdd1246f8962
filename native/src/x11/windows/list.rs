//! The list of windows, put together in a few batches of requests, each sent as a whole before its first answer is read.
//!
//! As everywhere, the server is not grabbed meanwhile, so any window may vanish between two batches.

use std::collections::HashMap;

use x11rb::connection::Connection;
use x11rb::cookie::Cookie;
use x11rb::protocol::shape::{ConnectionExt as _, SK};
use x11rb::protocol::xproto::{
    AtomEnum, ConnectionExt as _, GetGeometryReply, GetPropertyReply, MapState, TranslateCoordinatesReply, Window,
    WindowClass,
};

use super::properties::{Question, ask_root, first, values};
use super::{PixelRect, WindowInfo};
use crate::x11::claims::Ours;
use crate::x11::fault::{Outcome, gone_is_none};
use crate::x11::pipe::XConnection;
use crate::x11::region::Rect;
use crate::x11::server::Server;

/// Helper windows are this small, in pixels; nobody can see them.
const TINY: usize = 4;
/// Window managers put at most this many windows around an application's own.
const DEEPEST_FRAME: usize = 4;

/// A child of the root.
#[derive(Clone, Copy)]
pub struct Child {
    pub window: Window,
    /// With its border, in root coordinates.
    pub outer: Rect,
    pub viewable: bool,
    pub override_redirect: bool,
    has_state: bool,
}

/// The windows, bottom to top, without `ours`.
pub fn list(server: &Server, ours: Ours) -> Outcome<Vec<WindowInfo>> {
    let (conn, atoms) = (&server.conn, &server.atoms);
    let tree = conn.query_tree(server.root)?;
    let stacked = ask_root(server, atoms._NET_CLIENT_LIST_STACKING)?;
    let plain = ask_root(server, atoms._NET_CLIENT_LIST)?;
    let current = ask_root(server, atoms._NET_CURRENT_DESKTOP)?;
    let mut order = tree.reply()?.children;
    let (stacked, plain) = (values(&stacked.reply()?), values(&plain.reply()?));
    let current = first(&current.reply()?);
    ours.leave_out(server, &mut order)?;

    let children = look_at(server, &order)?;
    let clients = if stacked.is_empty() { plain } else { stacked };
    let mut framed: HashMap<Window, Window> =
        tops(server, &clients)?.into_iter().map(|(client, top)| (top, client)).collect();
    for child in children.iter().filter(|child| child.has_state) {
        framed.entry(child.window).or_insert(child.window);
    }
    let unknown: Vec<Window> = children
        .iter()
        .filter(|child| child.viewable && !framed.contains_key(&child.window))
        .map(|child| child.window)
        .collect();
    framed.extend(framed_by(server, &unknown)?);

    let mut asked = Vec::with_capacity(children.len());
    for child in children {
        let client = framed.get(&child.window).copied();
        if child.viewable || client.is_some() {
            let client = client.unwrap_or(child.window);
            let place = Place::ask(server, client)?;
            // Of few windows, and for one thing only.
            let input = if child.override_redirect && client == child.window {
                Some(server.conn.shape_get_rectangles(client, SK::INPUT)?)
            } else {
                None
            };
            asked.push((child, client, place, input, Question::ask(server, client)?));
        }
    }
    let mut windows = Vec::with_capacity(asked.len());
    for (child, client, place, input, question) in asked {
        let (place, described) = (place.answer()?, question.answer(atoms, current)?);
        let input = input.map(|input| gone_is_none(input.reply())).transpose()?;
        let takes_clicks = input.is_none_or(|input| input.is_some_and(|input| !input.rectangles.is_empty()));
        let (Some(content), Some(described)) = (place, described) else { continue };
        windows.push(WindowInfo {
            id: child.window,
            client,
            x: child.outer.x,
            y: child.outer.y,
            width: child.outer.width,
            height: child.outer.height,
            content,
            class_name: described.class_name,
            instance: described.instance,
            title: described.title,
            pid: described.pid,
            override_redirect: child.override_redirect && client == child.window,
            viewable: child.viewable,
            minimized: described.minimized,
            hidden: described.hidden,
            full_screen: described.full_screen,
            maximized: described.maximized,
            furniture: described.furniture,
            takes_clicks,
        });
    }
    Ok(windows)
}

/// Where a window is on the root, asked and not yet answered.
struct Place<'c> {
    size: Cookie<'c, XConnection, GetGeometryReply>,
    origin: Cookie<'c, XConnection, TranslateCoordinatesReply>,
    /// How far the shadow reaches that the application draws itself: left, right, top, bottom.
    shadow: Cookie<'c, XConnection, GetPropertyReply>,
}

impl<'c> Place<'c> {
    fn ask(server: &'c Server, window: Window) -> Outcome<Place<'c>> {
        let (conn, shadow) = (&server.conn, server.atoms._GTK_FRAME_EXTENTS);
        Ok(Place {
            size: conn.get_geometry(window)?,
            origin: conn.translate_coordinates(window, server.root, 0, 0)?,
            shadow: conn.get_property(false, window, shadow, AtomEnum::CARDINAL, 0, 4)?,
        })
    }

    fn answer(self) -> Outcome<Option<PixelRect>> {
        let (size, origin) = (gone_is_none(self.size.reply())?, gone_is_none(self.origin.reply())?);
        let shadow = gone_is_none(self.shadow.reply())?;
        let (Some(size), Some(origin), Some(shadow)) = (size, origin, shadow) else { return Ok(None) };
        let (width, height) = (i32::from(size.width), i32::from(size.height));
        // What a program says of itself is believed only as far as something of the window is left.
        let inside = |value: &u32, most: i32| i32::try_from(*value).unwrap_or(most).min(most);
        let [left, right, top, bottom] = match values(&shadow)[..] {
            [left, right, top, bottom] => [
                inside(&left, width / 3),
                inside(&right, width / 3),
                inside(&top, height / 3),
                inside(&bottom, height / 3),
            ],
            _ => [0; 4],
        };
        Ok(Some(PixelRect {
            x: i32::from(origin.dst_x) + left,
            y: i32::from(origin.dst_y) + top,
            width: width - left - right,
            height: height - top - bottom,
        }))
    }
}

/// Those of `windows`, all children of the root, that are there and large enough to be seen, in the same order.
pub fn look_at(server: &Server, windows: &[Window]) -> Outcome<Vec<Child>> {
    let conn = &server.conn;
    let mut asked = Vec::with_capacity(windows.len());
    for window in windows.iter().copied().filter(|window| !is_servers_own(server, *window)) {
        let attributes = conn.get_window_attributes(window)?;
        let geometry = conn.get_geometry(window)?;
        let state = conn.get_property(false, window, server.atoms.WM_STATE, AtomEnum::ANY, 0, 1)?;
        asked.push((window, attributes, geometry, state));
    }
    let mut children = Vec::with_capacity(asked.len());
    for (window, attributes, geometry, state) in asked {
        let (attributes, geometry) = (gone_is_none(attributes.reply())?, gone_is_none(geometry.reply())?);
        let state = gone_is_none(state.reply())?;
        let (Some(attributes), Some(geometry), Some(state)) = (attributes, geometry, state) else { continue };
        let twice = 2 * i32::from(geometry.border_width);
        let (width, height) = (i32::from(geometry.width) + twice, i32::from(geometry.height) + twice);
        let outer = Rect::new(geometry.x.into(), geometry.y.into(), width, height);
        if attributes.class == WindowClass::INPUT_OUTPUT && outer.area() > TINY {
            children.push(Child {
                window,
                outer,
                viewable: attributes.map_state == MapState::VIEWABLE,
                override_redirect: attributes.override_redirect,
                // Zero stands for a window that its application has withdrawn.
                has_state: first(&state).is_some_and(|state| state != 0),
            });
        }
    }
    Ok(children)
}

/// The compositor's overlay window and the screen saver's: the server makes them itself, and gives them ids that belong to
/// no client. Asking for the overlay window by its request would put it on the screen.
fn is_servers_own(server: &Server, window: Window) -> bool {
    window & !server.conn.setup().resource_id_mask == 0
}

/// The child of the root that each of `clients` is or is in.
pub fn tops(server: &Server, clients: &[Window]) -> Outcome<Vec<(Window, Window)>> {
    let mut found = Vec::with_capacity(clients.len());
    let mut climbing: Vec<(Window, Window)> = clients.iter().map(|client| (*client, *client)).collect();
    for _ in 0..=DEEPEST_FRAME {
        let mut asked = Vec::with_capacity(climbing.len());
        for (client, at) in climbing.drain(..) {
            asked.push((client, at, server.conn.query_tree(at)?));
        }
        for (client, at, tree) in asked {
            match gone_is_none(tree.reply())?.map(|tree| tree.parent) {
                Some(parent) if parent == server.root => found.push((client, at)),
                Some(parent) if parent != x11rb::NONE => climbing.push((client, parent)),
                _ => {}
            }
        }
        if climbing.is_empty() {
            break;
        }
    }
    // Several clients may share a frame, as tabs: then the topmost one counts, wherever it was found.
    let place: HashMap<Window, usize> = clients.iter().enumerate().map(|(place, client)| (*client, place)).collect();
    found.sort_by_key(|(client, _)| place.get(client).copied());
    Ok(found)
}

/// The applications' windows in `frames`, of a window manager that keeps no list: they carry `WM_STATE`. As pairs of a
/// frame and what it frames.
fn framed_by(server: &Server, frames: &[Window]) -> Outcome<Vec<(Window, Window)>> {
    let mut found: Vec<(Window, Window)> = Vec::new();
    let mut level: Vec<(Window, Window)> = frames.iter().map(|frame| (*frame, *frame)).collect();
    for _ in 0..2 {
        let mut asked = Vec::with_capacity(level.len());
        for (frame, at) in level.drain(..) {
            asked.push((frame, server.conn.query_tree(at)?));
        }
        let mut states = Vec::new();
        for (frame, tree) in asked {
            for inner in gone_is_none(tree.reply())?.map(|tree| tree.children).unwrap_or_default() {
                let state = server.conn.get_property(false, inner, server.atoms.WM_STATE, AtomEnum::ANY, 0, 1)?;
                states.push((frame, inner, state));
            }
        }
        let mut below = Vec::new();
        for (frame, inner, state) in states {
            match gone_is_none(state.reply())? {
                Some(state) if first(&state).is_some_and(|state| state != 0) => found.push((frame, inner)),
                Some(_) => below.push((frame, inner)),
                None => {}
            }
        }
        below.retain(|(frame, _)| !found.iter().any(|(known, _)| known == frame));
        level = below;
        if level.is_empty() {
            break;
        }
    }
    Ok(found)
}
