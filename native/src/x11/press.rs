//! A hotkey that answers something that has only just come up: a press from before is no answer to it.

use x11rb::protocol::Event;

use super::fault::Outcome;
use super::hotkey::{Hotkey, HotkeyState};
use super::server::Server;

pub struct Press {
    key: Hotkey,
    /// It was down when it was taken, and was not let go since: that press does not count, nor do its repeats.
    held: bool,
}

impl Press {
    pub fn take(server: &Server, letter: u8) -> Outcome<Press> {
        let key = Hotkey::grab(server, letter, true)?;
        let held = key.is_down(server)?;
        Ok(Press { key, held })
    }

    pub fn state(&self) -> HotkeyState {
        self.key.state
    }

    pub fn release(&self, server: &Server) -> Outcome<()> {
        self.key.release(server)
    }

    pub fn regrab(&mut self, server: &Server) -> Outcome<()> {
        self.key.regrab(server)
    }

    /// Whether an event is a press that counts.
    pub fn hear(&mut self, server: &Server, event: &Event) -> Outcome<bool> {
        match event {
            Event::KeyPress(event) if self.key.is_pressed_by(event) && !self.held => self.key.is_current(server),
            // A key that repeats is let go in events, and still down.
            Event::KeyRelease(_) if self.held => {
                self.held = self.key.is_down(server)?;
                Ok(false)
            }
            _ => Ok(false),
        }
    }
}
