//! Bringing a window forward, by asking the window manager or, without one, by hand.

use x11rb::protocol::xproto::{
    Atom, AtomEnum, ClientMessageEvent, ConfigureWindowAux, ConnectionExt as _, EventMask, InputFocus, StackMode,
    Window,
};

use super::list::tops;
use super::properties::{first, is_elsewhere, root_values};
use crate::x11::fault::{Fault, Outcome, gone_is_none};
use crate::x11::server::Server;

/// EWMH's word for a request that comes from the person and not from the application itself. Window managers heed it
/// without asking when the application was last used.
const FROM_A_PERSON: u32 = 2;

pub fn activate(server: &Server, client: Window) -> Outcome<()> {
    let (conn, atoms) = (&server.conn, &server.atoms);
    if client == server.root || gone_is_none(conn.get_window_attributes(client)?.reply())?.is_none() {
        return Fault::failed(format!("there is no window 0x{client:x}"));
    }
    if !has_manager(server)? {
        return by_hand(server, client);
    }
    let state = conn.get_property(false, client, atoms.WM_STATE, AtomEnum::ANY, 0, 1)?.reply();
    if gone_is_none(state)?.is_none_or(|state| first(&state).is_none()) {
        return Fault::failed(format!("the window manager does not manage the window 0x{client:x}"));
    }
    // Not every window manager goes to another workspace by itself.
    let desktop = conn.get_property(false, client, atoms._NET_WM_DESKTOP, AtomEnum::ANY, 0, 1)?.reply();
    let desktop = gone_is_none(desktop)?.and_then(|desktop| first(&desktop));
    let current = root_values(server, atoms._NET_CURRENT_DESKTOP)?.first().copied();
    if let Some(desktop) = desktop.filter(|_| is_elsewhere(desktop, current)) {
        tell_manager(server, server.root, atoms._NET_CURRENT_DESKTOP, [desktop, x11rb::CURRENT_TIME, 0, 0, 0])?;
    }
    let request = [FROM_A_PERSON, x11rb::CURRENT_TIME, x11rb::NONE, 0, 0];
    tell_manager(server, client, atoms._NET_ACTIVE_WINDOW, request)
}

fn tell_manager(server: &Server, about: Window, what: Atom, data: [u32; 5]) -> Outcome<()> {
    let message = ClientMessageEvent::new(32, about, what, data);
    let to = EventMask::SUBSTRUCTURE_REDIRECT | EventMask::SUBSTRUCTURE_NOTIFY;
    server.conn.send_event(false, server.root, to, message)?.check()?;
    Ok(())
}

/// Whether a window manager that can do it runs. What one that was killed wrote on the root stays there; its own window
/// does not.
fn has_manager(server: &Server) -> Outcome<bool> {
    let atoms = &server.atoms;
    let check = atoms._NET_SUPPORTING_WM_CHECK;
    let Some(window) = root_values(server, check)?.first().copied() else { return Ok(false) };
    let own = server.conn.get_property(false, window, check, AtomEnum::WINDOW, 0, 1)?.reply();
    let alive = gone_is_none(own)?.is_some_and(|own| first(&own) == Some(window));
    Ok(alive && root_values(server, atoms._NET_SUPPORTED)?.contains(&atoms._NET_ACTIVE_WINDOW))
}

fn by_hand(server: &Server, client: Window) -> Outcome<()> {
    let conn = &server.conn;
    let top = tops(server, &[client])?.first().map_or(client, |(_, top)| *top);
    conn.map_window(client)?;
    conn.configure_window(top, &ConfigureWindowAux::new().stack_mode(StackMode::ABOVE))?;
    // Refused while the window is not on the screen, as when an old window manager maps it in its own time: the focus is
    // then that window manager's business.
    gone_is_none(conn.set_input_focus(InputFocus::PARENT, client, x11rb::CURRENT_TIME)?.check())?;
    Ok(())
}
