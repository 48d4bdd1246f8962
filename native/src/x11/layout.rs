//! The monitors of a root, read from RandR.

use x11rb::connection::Connection;
use x11rb::protocol::randr::ConnectionExt as _;
use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, Window};

use super::fault::Outcome;
use super::pipe::XConnection;
use crate::monitor::Monitor;
use crate::scale::{ScaleHints, scale_for, xft_dpi};

/// Long enough for any resource database; what follows a megabyte is not looked at.
const LONGEST_RESOURCES: u32 = 1 << 18;

/// The monitors as they are now, in RandR's order. Without RandR 1.5 the root is the one monitor, named `screen`.
pub fn read(conn: &impl Connection, root: Window, randr: bool) -> Outcome<Vec<Monitor>> {
    let hints = read_hints(conn, root)?;
    if randr {
        let infos = conn.randr_get_monitors(root, true)?.reply()?.monitors;
        let mut monitors = Vec::with_capacity(infos.len());
        for info in infos.iter().filter(|info| info.width > 0 && info.height > 0) {
            let name = conn.get_atom_name(info.name)?.reply()?.name;
            let name = String::from_utf8_lossy(&name).into_owned();
            let (width, mm_width) = (info.width.into(), millimetres(info.width_in_millimeters));
            monitors.push(Monitor {
                scale: scale_for(&hints, &name, width, mm_width),
                name,
                x: info.x.into(),
                y: info.y.into(),
                width,
                height: info.height.into(),
                mm_width,
                mm_height: millimetres(info.height_in_millimeters),
                primary: info.primary,
            });
        }
        if !monitors.is_empty() {
            return Ok(monitors);
        }
    }
    let geometry = conn.get_geometry(root)?.reply()?;
    let (width, height) = (geometry.width.into(), geometry.height.into());
    Ok(vec![Monitor {
        name: "screen".into(),
        x: 0,
        y: 0,
        width,
        height,
        mm_width: 0,
        mm_height: 0,
        primary: true,
        scale: scale_for(&hints, "screen", width, 0),
    }])
}

/// The monitors of a display nothing else is known about yet.
pub fn read_once(conn: &XConnection) -> Outcome<Vec<Monitor>> {
    let Some(screen) = conn.setup().roots.first() else { return Ok(Vec::new()) };
    read(conn, screen.root, super::server::has_monitors(conn)?)
}

fn read_hints(conn: &impl Connection, root: Window) -> Outcome<ScaleHints> {
    let resources = conn
        .get_property(false, root, AtomEnum::RESOURCE_MANAGER, AtomEnum::STRING, 0, LONGEST_RESOURCES)?
        .reply()?
        .value;
    Ok(ScaleHints {
        lets_scale: std::env::var("LETS_SCALE").ok(),
        xft_dpi: xft_dpi(&String::from_utf8_lossy(&resources)),
        gdk_scale: std::env::var("GDK_SCALE").ok(),
    })
}

fn millimetres(value: u32) -> i32 {
    i32::try_from(value).unwrap_or(0)
}
