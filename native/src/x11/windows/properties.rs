//! What applications and window managers write on windows, as far as it matters here.

use x11rb::cookie::Cookie;
use x11rb::protocol::xproto::{Atom, AtomEnum, ConnectionExt as _, GetPropertyReply, Window};

use crate::x11::fault::{Outcome, gone_is_none};
use crate::x11::pipe::XConnection;
use crate::x11::server::{Atoms, Server};

/// In units of four bytes. What follows is not looked at.
const LONGEST_TEXT: u32 = 1024;
/// Enough for any number of clients and of supported atoms.
const LONGEST_LIST: u32 = 1 << 16;
const ICONIC: u32 = 3;
const EVERY_DESKTOP: u32 = u32::MAX;

type Asked<'c> = Cookie<'c, XConnection, GetPropertyReply>;

/// What a window's properties say, put into words.
#[derive(Debug, Default, PartialEq)]
pub struct Described {
    pub class_name: String,
    pub instance: String,
    pub title: String,
    pub pid: Option<u32>,
    pub minimized: bool,
    pub hidden: bool,
    pub full_screen: bool,
    pub maximized: bool,
    pub furniture: bool,
}

/// A question about a window that was sent and not answered yet.
pub struct Question<'c> {
    wm_class: Asked<'c>,
    net_name: Asked<'c>,
    name: Asked<'c>,
    pid: Asked<'c>,
    wm_state: Asked<'c>,
    net_state: Asked<'c>,
    desktop: Asked<'c>,
    kind: Asked<'c>,
}

impl<'c> Question<'c> {
    pub fn ask(server: &'c Server, window: Window) -> Outcome<Question<'c>> {
        let get = |property, length| server.conn.get_property(false, window, property, AtomEnum::ANY, 0, length);
        let atoms = &server.atoms;
        Ok(Question {
            wm_class: get(AtomEnum::WM_CLASS.into(), LONGEST_TEXT)?,
            net_name: get(atoms._NET_WM_NAME, LONGEST_TEXT)?,
            name: get(AtomEnum::WM_NAME.into(), LONGEST_TEXT)?,
            pid: get(atoms._NET_WM_PID, 1)?,
            wm_state: get(atoms.WM_STATE, 1)?,
            net_state: get(atoms._NET_WM_STATE, LONGEST_TEXT)?,
            desktop: get(atoms._NET_WM_DESKTOP, 1)?,
            kind: get(atoms._NET_WM_WINDOW_TYPE, LONGEST_TEXT)?,
        })
    }

    /// `None` when the window is gone. `current` is the workspace that is shown.
    pub fn answer(self, atoms: &Atoms, current: Option<u32>) -> Outcome<Option<Described>> {
        // All of them are taken before any is judged: a reply that is left lying costs the connection memory.
        let Question { wm_class, net_name, name, pid, wm_state, net_state, desktop, kind } = self;
        let replies = [wm_class, net_name, name, pid, wm_state, net_state, desktop, kind]
            .map(|asked| gone_is_none(asked.reply()));
        let mut found = Vec::with_capacity(replies.len());
        for reply in replies {
            found.push(reply?);
        }
        let found: Option<Vec<GetPropertyReply>> = found.into_iter().collect();
        let Some([wm_class, net_name, name, pid, wm_state, net_state, desktop, kind]) = found.as_deref() else {
            return Ok(None);
        };
        let (instance, class_name) = class(&wm_class.value);
        let net_title = utf8(&net_name.value);
        let title = match (net_title.is_empty(), name.type_ == atoms.UTF8_STRING) {
            (false, _) => net_title,
            (true, true) => utf8(&name.value),
            (true, false) => latin1(&name.value),
        };
        let (states, kinds) = (values(net_state), values(kind));
        let state = State {
            iconic: first(wm_state) == Some(ICONIC),
            elsewhere: is_elsewhere(first(desktop), current),
            shaded: states.contains(&atoms._NET_WM_STATE_SHADED),
            hidden: states.contains(&atoms._NET_WM_STATE_HIDDEN),
        };
        Ok(Some(Described {
            class_name,
            instance,
            title,
            pid: first(pid).filter(|pid| *pid != 0),
            minimized: state.is_minimized(),
            hidden: state.elsewhere || state.hidden,
            full_screen: states.contains(&atoms._NET_WM_STATE_FULLSCREEN),
            maximized: states.contains(&atoms._NET_WM_STATE_MAXIMIZED_HORZ)
                || states.contains(&atoms._NET_WM_STATE_MAXIMIZED_VERT),
            furniture: kinds.contains(&atoms._NET_WM_WINDOW_TYPE_DESKTOP)
                || kinds.contains(&atoms._NET_WM_WINDOW_TYPE_DOCK),
        }))
    }
}

/// The part of a window's state that is about not being seen.
#[derive(Clone, Copy, Default)]
struct State {
    iconic: bool,
    elsewhere: bool,
    shaded: bool,
    hidden: bool,
}

impl State {
    /// Some window managers call a window iconic that is merely on another workspace, or rolled up to its title.
    fn is_minimized(self) -> bool {
        self.iconic && !self.shaded && (self.hidden || !self.elsewhere)
    }
}

/// Whether a window is on another workspace than the one that is shown.
pub fn is_elsewhere(desktop: Option<u32>, current: Option<u32>) -> bool {
    match (desktop, current) {
        (Some(desktop), Some(current)) => desktop != current && desktop != EVERY_DESKTOP,
        _ => false,
    }
}

/// A property of the root that holds 32-bit values; empty when it is not there.
pub fn root_values(server: &Server, property: Atom) -> Outcome<Vec<u32>> {
    Ok(values(&ask_root(server, property)?.reply()?))
}

pub fn ask_root(server: &Server, property: Atom) -> Outcome<Asked<'_>> {
    Ok(server.conn.get_property(false, server.root, property, AtomEnum::ANY, 0, LONGEST_LIST)?)
}

pub fn values(reply: &GetPropertyReply) -> Vec<u32> {
    reply.value32().map(Iterator::collect).unwrap_or_default()
}

pub fn first(reply: &GetPropertyReply) -> Option<u32> {
    reply.value32().and_then(|mut values| values.next())
}

/// Instance and class.
fn class(value: &[u8]) -> (String, String) {
    let mut parts = value.split(|byte| *byte == 0);
    let mut next = || latin1(parts.next().unwrap_or_default());
    (next(), next())
}

fn utf8(value: &[u8]) -> String {
    String::from_utf8_lossy(value).trim_end_matches('\0').into()
}

fn latin1(value: &[u8]) -> String {
    let text: String = value.iter().map(|byte| char::from(*byte)).collect();
    text.trim_end_matches('\0').into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_class_comes_after_the_instance() {
        assert_eq!(class(b"xterm\0XTerm\0"), ("xterm".into(), "XTerm".into()));
        assert_eq!(class(b"xterm"), ("xterm".into(), String::new()));
        assert_eq!(class(b""), (String::new(), String::new()));
    }

    #[test]
    fn titles_of_any_bytes_become_text() {
        assert_eq!(utf8("Übersicht\0".as_bytes()), "Übersicht");
        assert_eq!(utf8(&[b'a', 0xff]), "a\u{fffd}");
        assert_eq!(latin1(&[0xdc, b'b']), "Üb");
    }

    #[test]
    fn another_workspace_is_known_only_when_both_are_said() {
        assert!(is_elsewhere(Some(1), Some(0)));
        for (desktop, current) in [(Some(1), Some(1)), (Some(u32::MAX), Some(0)), (None, Some(0)), (Some(1), None)] {
            assert!(!is_elsewhere(desktop, current), "{desktop:?} {current:?}");
        }
    }

    #[test]
    fn iconic_alone_does_not_make_a_window_minimised() {
        let iconic = State { iconic: true, ..State::default() };
        assert!(iconic.is_minimized());
        assert!(!State::default().is_minimized());
        assert!(!State { elsewhere: true, ..iconic }.is_minimized());
        assert!(State { elsewhere: true, hidden: true, ..iconic }.is_minimized());
        assert!(!State { shaded: true, ..iconic }.is_minimized());
    }
}
