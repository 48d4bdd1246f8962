//! The key that takes a person to the next step, Ctrl+Shift+Space: taken from other programs only while somebody waits for it.

use napi::bindgen_prelude::{Env, Object, Result};
use napi_derive::napi;
use x11rb::protocol::Event;

use super::fault::Outcome;
use super::host::Host;
use super::hotkey::HotkeyState;
use super::press::Press;
use super::thread::Command;
use super::{X11Event, X11Host};
use crate::api::promise;

impl Host {
    /// Takes the key, or gives it back; it is taken once, however often it is asked for.
    pub fn take_next(&mut self, on: bool) -> Outcome<HotkeyState> {
        if !on {
            if let Some(next) = self.next.take() {
                next.release(&self.server)?;
            }
            return Ok(HotkeyState::Off);
        }
        let next = match self.next.take() {
            Some(next) => next,
            None => Press::take(&self.server, b' ')?,
        };
        let state = next.state();
        self.next = Some(next);
        Ok(state)
    }

    pub fn hear_next(&mut self, event: &Event) -> Outcome<()> {
        if let Some(next) = &mut self.next
            && next.hear(&self.server, event)?
        {
            (self.events)(X11Event::Next);
        }
        Ok(())
    }
}

#[napi]
impl X11Host {
    /// Takes Ctrl+Shift+Space from all other programs, until `releaseNextKey`: each press is a `next` event. Resolves with
    /// whether it could be had; `taken`: another program has it, `off`: the keyboard has none. A key that is already down
    /// when it is taken counts only once it was let go and pressed again.
    #[napi(ts_return_type = "Promise<'ready' | 'taken' | 'off'>")]
    pub fn take_next_key<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |state: HotkeyState| state.as_str().to_string())?;
        self.handle.send(Command::Next(true, reply));
        Ok(promise)
    }

    /// Gives the key back. Resolves when the server has let go of it; does nothing when it was not taken.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn release_next_key<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |_: HotkeyState| ())?;
        self.handle.send(Command::Next(false, reply));
        Ok(promise)
    }
}
