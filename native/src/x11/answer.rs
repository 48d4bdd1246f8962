//! The two keys that answer a prompt: Ctrl+Shift+Y and Ctrl+Shift+N, taken from other programs only while it is up.

use napi::bindgen_prelude::{Env, Object, Result};
use napi_derive::napi;
use x11rb::protocol::Event;

use super::fault::Outcome;
use super::host::Host;
use super::hotkey::{Hotkey, HotkeyState};
use super::press::Press;
use super::server::Server;
use super::thread::Command;
use super::{X11Event, X11Host};
use crate::api::promise;

/// Which keys answer now; `taken`: another program has it, `off`: the keyboard has none.
#[napi(object, object_from_js = false)]
pub struct AnswerKeys {
    /// Ctrl+Shift+Y.
    #[napi(ts_type = "'ready' | 'taken' | 'off'")]
    pub yes: String,
    /// Ctrl+Shift+N.
    #[napi(ts_type = "'ready' | 'taken' | 'off'")]
    pub no: String,
}

pub struct Answer {
    yes: Press,
    no: Hotkey,
}

impl Answer {
    fn take(server: &Server) -> Outcome<Answer> {
        Ok(Answer { yes: Press::take(server, b'y')?, no: Hotkey::grab(server, b'n', true)? })
    }

    fn release(&self, server: &Server) -> Outcome<()> {
        self.yes.release(server)?;
        self.no.release(server)
    }

    pub fn regrab(&mut self, server: &Server) -> Outcome<()> {
        self.yes.regrab(server)?;
        self.no.regrab(server)
    }

    /// What an event says, if it is an answer.
    fn hear(&mut self, server: &Server, event: &Event) -> Outcome<Option<bool>> {
        match event {
            Event::KeyPress(event) if self.no.is_pressed_by(event) => Ok(Some(false)),
            _ => Ok(self.yes.hear(server, event)?.then_some(true)),
        }
    }
}

impl Host {
    /// Takes the keys, or gives them back; the keys are taken once, however often they are asked for.
    pub fn take_answers(&mut self, on: bool) -> Outcome<[HotkeyState; 2]> {
        if !on {
            if let Some(answer) = self.answer.take() {
                answer.release(&self.server)?;
            }
            return Ok([HotkeyState::Off; 2]);
        }
        let answer = match self.answer.take() {
            Some(answer) => answer,
            None => Answer::take(&self.server)?,
        };
        let states = [answer.yes.state(), answer.no.state];
        self.answer = Some(answer);
        Ok(states)
    }

    pub fn hear_answer(&mut self, event: &Event) -> Outcome<()> {
        if let Some(answer) = &mut self.answer
            && let Some(yes) = answer.hear(&self.server, event)?
        {
            (self.events)(X11Event::Answer { yes });
        }
        Ok(())
    }
}

#[napi]
impl X11Host {
    /// Takes Ctrl+Shift+Y and Ctrl+Shift+N from all other programs, until `releaseAnswerKeys`: each press is an `answer`
    /// event. A yes that is already down when it is taken counts only once it was let go and pressed again.
    #[napi(ts_return_type = "Promise<AnswerKeys>")]
    pub fn take_answer_keys<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |[yes, no]: [HotkeyState; 2]| AnswerKeys {
            yes: yes.as_str().into(),
            no: no.as_str().into(),
        })?;
        self.handle.send(Command::Answers(true, reply));
        Ok(promise)
    }

    /// Gives the keys back. Resolves when the server has let go of them; does nothing when they were not taken.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn release_answer_keys<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |_: [HotkeyState; 2]| ())?;
        self.handle.send(Command::Answers(false, reply));
        Ok(promise)
    }
}
