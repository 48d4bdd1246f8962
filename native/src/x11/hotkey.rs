//! Global hotkeys with Ctrl+Shift, as passive grabs on the root: Ctrl+Shift+K for as long as the connection lives, the two
//! that answer a prompt for as long as it is up, the one to the next step for as long as somebody waits for it, and the companion's.

use x11rb::connection::Connection;
use x11rb::errors::ReplyError;
use x11rb::protocol::xproto::{ConnectionExt as _, GrabMode, KeyPressEvent, Keycode, ModMask};

use super::fault::Outcome;
use super::server::Server;

/// The letter of the hotkey that clears everything.
pub const CLEAR: u8 = b'k';
const KEYSYM_NUM_LOCK: u32 = 0xff7f;
/// The second layout's letters, where there is one, stand behind the first one's two.
const PER_LAYOUT: usize = 2;

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
    keysym: u32,
    /// What is held with it.
    base: ModMask,
    keycode: Option<Keycode>,
    num_lock: ModMask,
}

impl Hotkey {
    /// Grabs Ctrl+Shift+`letter` (Latin, in lower case, or the space: its keysym is its code).
    pub fn grab(server: &Server, letter: u8, wanted: bool) -> Outcome<Hotkey> {
        Hotkey::grab_key(server, letter.into(), ModMask::CONTROL | ModMask::SHIFT, wanted)
    }

    /// Grabs a key with every state of Caps Lock and Num Lock; all of them or none.
    pub fn grab_key(server: &Server, keysym: u32, base: ModMask, wanted: bool) -> Outcome<Hotkey> {
        let num_lock = num_lock(server)?;
        let off = Hotkey { state: HotkeyState::Off, wanted, keysym, base, keycode: None, num_lock };
        if !wanted {
            return Ok(off);
        }
        let Some(keycode) = keycode_of(server, keysym)? else { return Ok(off) };
        let mut state = HotkeyState::Ready;
        for modifiers in [base, base | ModMask::LOCK, base | num_lock, base | ModMask::LOCK | num_lock] {
            let asked =
                server.conn.grab_key(false, server.root, modifiers, keycode, GrabMode::ASYNC, GrabMode::ASYNC)?;
            match asked.check() {
                Ok(()) => {}
                Err(ReplyError::X11Error(_)) => state = HotkeyState::Taken,
                Err(ReplyError::ConnectionError(error)) => return Err(error.into()),
            }
        }
        let hotkey = Hotkey { state, wanted, keysym, base, keycode: Some(keycode), num_lock };
        if state == HotkeyState::Taken {
            hotkey.release(server)?;
        }
        Ok(hotkey)
    }

    /// The keyboard mapping changed: the letter may be on another key now.
    pub fn regrab(&mut self, server: &Server) -> Outcome<()> {
        // Another keyboard is no other mapping, and a key that is let go and grabbed again may be pressed in between.
        if self.state == HotkeyState::Ready && self.is_current(server)? && self.num_lock == num_lock(server)? {
            return Ok(());
        }
        self.release(server)?;
        *self = Hotkey::grab_key(server, self.keysym, self.base, self.wanted)?;
        Ok(())
    }

    pub fn is_pressed_by(&self, event: &KeyPressEvent) -> bool {
        self.state == HotkeyState::Ready && self.keycode == Some(event.detail)
    }

    /// Whether the key still has the letter: the person may have switched to another layout since it was grabbed.
    pub fn is_current(&self, server: &Server) -> Outcome<bool> {
        Ok(self.keycode.is_some() && keycode_of(server, self.keysym)? == self.keycode)
    }

    /// Whether the key is down at this moment.
    pub fn is_down(&self, server: &Server) -> Outcome<bool> {
        let Some(keycode) = self.keycode else { return Ok(false) };
        let keys = server.conn.query_keymap()?.reply()?.keys;
        Ok(keys[usize::from(keycode / 8)] & (1 << (keycode % 8)) != 0)
    }

    pub fn note(&self) -> Option<String> {
        let key = char::from_u32(self.keysym).unwrap_or_default().to_ascii_uppercase();
        match self.state {
            HotkeyState::Taken => {
                Some(format!("Another program already uses Ctrl+Shift+{key}, so it does not clear the marks."))
            }
            HotkeyState::Off if self.wanted => {
                Some(format!("This keyboard has no {key}, so no hotkey clears the marks."))
            }
            _ => None,
        }
    }

    /// Returns once the server has let go of it.
    pub fn release(&self, server: &Server) -> Outcome<()> {
        if let Some(keycode) = self.keycode {
            // Removes only our own grabs; the other program's stays.
            server.conn.ungrab_key(keycode, server.root, ModMask::ANY)?.check()?;
        }
        Ok(())
    }
}

/// The key with this letter on the layout that is in use, or else on any: two layouts may have it on different keys.
fn keycode_of(server: &Server, keysym: u32) -> Outcome<Option<Keycode>> {
    let setup = server.conn.setup();
    let (first, count) = (setup.min_keycode, setup.max_keycode - setup.min_keycode + 1);
    let mapping = server.conn.get_keyboard_mapping(first, count)?.reply()?;
    let per_key = usize::from(mapping.keysyms_per_keycode).max(1);
    // Where the server has several layouts, these two bits say which is in use.
    let pointer = server.conn.query_pointer(server.root)?.reply()?;
    let column = usize::from(u16::from(pointer.mask) >> 13 & 3) * PER_LAYOUT;
    let mut rows = mapping.keysyms.chunks(per_key);
    let row = rows
        .clone()
        .position(|keysyms| keysyms.get(column) == Some(&keysym))
        .or_else(|| rows.position(|keysyms| keysyms.contains(&keysym)));
    Ok(row.and_then(|row| u8::try_from(usize::from(first) + row).ok()))
}

/// The modifier that stands for Num Lock.
fn num_lock(server: &Server) -> Outcome<ModMask> {
    let num_lock = match keycode_of(server, KEYSYM_NUM_LOCK)? {
        Some(keycode) => {
            let mapping = server.conn.get_modifier_mapping()?.reply()?;
            let per_modifier = usize::from(mapping.keycodes_per_modifier()).max(1);
            mapping.keycodes.chunks(per_modifier).position(|keys| keys.contains(&keycode)).map(|bit| 1u16 << bit)
        }
        None => None,
    };
    Ok(num_lock.map_or(ModMask::M2, ModMask::from))
}
