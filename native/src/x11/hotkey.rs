//! The global hotkey, Ctrl+Shift+K, as a passive grab on the root.

use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{ConnectionExt as _, GrabMode, KeyPressEvent, Keycode, ModMask};

use super::fault::Outcome;
use super::server::Server;

const KEYSYM_K: u32 = 0x6b;
const KEYSYM_NUM_LOCK: u32 = 0xff7f;

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HotkeyState {
    Ready,
    Taken,
    Off,
}

impl HotkeyState {
    pub fn as_str(self) -> &'static str {
        match self {
            HotkeyState::Ready => "ready",
            HotkeyState::Taken => "taken",
            HotkeyState::Off => "off",
        }
    }
}

pub struct Hotkey {
    pub state: HotkeyState,
    wanted: bool,
    keycode: Option<Keycode>,
}

impl Hotkey {
    /// Grabs the key with every state of Caps Lock and Num Lock; all of them or none.
    pub fn grab(server: &Server, wanted: bool) -> Outcome<Hotkey> {
        let off = Hotkey { state: HotkeyState::Off, wanted, keycode: None };
        if !wanted {
            return Ok(off);
        }
        let Some(keycode) = keycode_of(server, KEYSYM_K)? else { return Ok(off) };
        let mut state = HotkeyState::Ready;
        for modifiers in modifier_states(server)? {
            let asked =
                server.conn.grab_key(false, server.root, modifiers, keycode, GrabMode::ASYNC, GrabMode::ASYNC)?;
            match asked.check() {
                Ok(()) => {}
                Err(ReplyError::X11Error(_)) => state = HotkeyState::Taken,
                Err(ReplyError::ConnectionError(error)) => return Err(error.into()),
            }
        }
        let hotkey = Hotkey { state, wanted, keycode: Some(keycode) };
        if state == HotkeyState::Taken {
            hotkey.release(server)?;
        }
        Ok(hotkey)
    }

    /// The keyboard mapping changed: the letter may be on another key now.
    pub fn regrab(&mut self, server: &Server) -> Outcome<()> {
        self.release(server)?;
        *self = Hotkey::grab(server, self.wanted)?;
        Ok(())
    }

    pub fn is_pressed_by(&self, event: &KeyPressEvent) -> bool {
        self.state == HotkeyState::Ready && self.keycode == Some(event.detail)
    }

    pub fn note(&self) -> Option<String> {
        match self.state {
            HotkeyState::Taken => {
                Some("Another program already uses Ctrl+Shift+K, so it does not clear the marks.".into())
            }
            HotkeyState::Off if self.wanted => Some("This keyboard has no K, so no hotkey clears the marks.".into()),
            _ => None,
        }
    }

    fn release(&self, server: &Server) -> Outcome<()> {
        if let Some(keycode) = self.keycode {
            // Removes only our own grabs; the other program's stays.
            server.conn.ungrab_key(keycode, server.root, ModMask::ANY)?;
        }
        Ok(())
    }
}

fn keycode_of(server: &Server, keysym: u32) -> Outcome<Option<Keycode>> {
    let setup = server.conn.setup();
    let (first, count) = (setup.min_keycode, setup.max_keycode - setup.min_keycode + 1);
    let mapping = server.conn.get_keyboard_mapping(first, count)?.reply()?;
    let per_key = usize::from(mapping.keysyms_per_keycode).max(1);
    let row = mapping.keysyms.chunks(per_key).position(|keysyms| keysyms.contains(&keysym));
    Ok(row.and_then(|row| u8::try_from(usize::from(first) + row).ok()))
}

fn modifier_states(server: &Server) -> Outcome<[ModMask; 4]> {
    let base = ModMask::CONTROL | ModMask::SHIFT;
    let num_lock = match keycode_of(server, KEYSYM_NUM_LOCK)? {
        Some(keycode) => {
            let mapping = server.conn.get_modifier_mapping()?.reply()?;
            let per_modifier = usize::from(mapping.keycodes_per_modifier()).max(1);
            mapping.keycodes.chunks(per_modifier).position(|keys| keys.contains(&keycode)).map(|bit| 1u16 << bit)
        }
        None => None,
    };
    let num_lock = num_lock.map_or(ModMask::M2, ModMask::from);
    Ok([base, base | ModMask::LOCK, base | num_lock, base | ModMask::LOCK | num_lock])
}
