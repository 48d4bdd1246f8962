//! What the person does with the companion: presses on it, the keys of its open menu, and the key that summons it.

use std::time::{Duration, Instant};

use napi::bindgen_prelude::{Env, Object, Result};
use napi_derive::napi;
use x11rb::protocol::Event;
use x11rb::protocol::xproto::{ButtonPressEvent, ConnectionExt as _, ModMask};

use super::fault::Outcome;
use super::host::Host;
use super::hotkey::{Hotkey, HotkeyState};
use super::server::Server;
use super::thread::Command;
use super::{X11Event, X11Host};
use crate::api::promise;

/// The keys of the menu: their keysyms and what they are called.
const MENU_KEYS: [(u32, &str); 5] =
    [(0xff52, "up"), (0xff54, "down"), (0xff0d, "enter"), (0xff8d, "enter"), (0xff1b, "escape")];
/// The key that summons it, with Ctrl and Shift.
const SUMMON: u8 = b'.';
/// The buttons that wheels press.
const WHEEL: std::ops::RangeInclusive<u32> = 4..=7;
/// So long after the last turn of a wheel clicks go through the companion to what is below, as turns do.
const ASIDE: Duration = Duration::from_millis(600);
/// A pointer that moves over the menu is told of at most this often.
const HOVER_PACE: Duration = Duration::from_millis(16);

#[derive(Default)]
pub struct Touch {
    /// The keys of the menu, while it is open.
    menu: Option<Vec<(Hotkey, &'static str)>>,
    summon: Option<Hotkey>,
    /// Until when it lets everything through.
    aside: Option<Instant>,
    /// Where the pointer is over it (`true`), or that it left; not told yet.
    hover: Option<(i16, i16, bool)>,
    last_hover: Option<Instant>,
}

impl Touch {
    pub fn wants_presses(&self) -> bool {
        self.menu.is_some() || self.aside.is_some()
    }

    pub fn due(&self) -> Option<Instant> {
        let hover = self.hover.map(|_| self.last_hover.map_or_else(Instant::now, |last| last + HOVER_PACE));
        [self.aside, hover].into_iter().flatten().min()
    }

    pub fn regrab(&mut self, server: &Server) -> Outcome<()> {
        for (key, _) in self.menu.iter_mut().flatten() {
            key.regrab(server)?;
        }
        self.summon.as_mut().map_or(Ok(()), |summon| summon.regrab(server))
    }
}

impl Host {
    pub fn hear_touch(&mut self, event: &Event) -> Outcome<()> {
        // What another program made up is nothing the person did.
        if event.sent_event() {
            return Ok(());
        }
        let window = self.figure.as_ref().map(|figure| figure.window);
        match event {
            Event::ButtonPress(event) if Some(event.event) == window => self.companion_pressed(event),
            Event::MotionNotify(event) if Some(event.event) == window => {
                self.touch.hover = Some((event.root_x, event.root_y, true));
                Ok(())
            }
            Event::LeaveNotify(event) if Some(event.event) == window => {
                self.touch.hover = Some((event.root_x, event.root_y, false));
                Ok(())
            }
            Event::KeyPress(event) => {
                let pressed = |(key, _): &&(Hotkey, _)| key.is_pressed_by(event);
                if let Some((_, name)) = self.touch.menu.iter().flatten().find(pressed) {
                    (self.events)(X11Event::Menu { key: (*name).into() });
                }
                if self.touch.summon.as_ref().is_some_and(|summon| summon.is_pressed_by(event)) {
                    (self.events)(X11Event::Summon { x: event.root_x.into(), y: event.root_y.into() });
                }
                Ok(())
            }
            Event::XinputRawButtonPress(event) => self.pressed_anywhere(event.detail),
            Event::XinputRawMotion(_) => {
                self.pointer_moved();
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn companion_pressed(&mut self, event: &ButtonPressEvent) -> Outcome<()> {
        let detail = u32::from(event.detail);
        if WHEEL.contains(&detail) {
            return self.step_aside();
        }
        let button = match detail {
            1 => "primary",
            3 => "secondary",
            _ => return Ok(()),
        };
        let (x, y) = (event.root_x.into(), event.root_y.into());
        (self.events)(X11Event::Press { x, y, button: button.into() });
        Ok(())
    }

    /// A wheel was turned over it. What it stands on is what the person scrolls: from the next turn on that is what gets it.
    fn step_aside(&mut self) -> Outcome<()> {
        let Some(figure) = &mut self.figure else { return Ok(()) };
        figure.step_aside(&self.server, true)?;
        self.touch.aside = Some(Instant::now() + ASIDE);
        self.listen_raw()
    }

    fn pressed_anywhere(&mut self, detail: u32) -> Outcome<()> {
        if WHEEL.contains(&detail) {
            if let Some(until) = &mut self.touch.aside {
                *until = Instant::now() + ASIDE;
            }
            return Ok(());
        }
        if self.touch.menu.is_some() {
            // Raw events carry no position.
            let below = self.server.conn.query_pointer(self.server.root)?.reply()?.child;
            if self.figure.as_ref().is_none_or(|figure| figure.window != below) {
                (self.events)(X11Event::Elsewhere);
            }
        }
        Ok(())
    }

    /// Acts on what is due.
    pub fn tell_touch(&mut self, now: Instant) -> Outcome<()> {
        if self.touch.aside.is_some_and(|until| until <= now) {
            self.touch.aside = None;
            if let Some(figure) = &mut self.figure {
                figure.step_aside(&self.server, false)?;
            }
            self.listen_raw()?;
        }
        let rested = self.touch.last_hover.is_none_or(|last| last + HOVER_PACE <= now);
        if rested && let Some((x, y, inside)) = self.touch.hover.take() {
            self.touch.last_hover = Some(now);
            if self.touch.menu.is_some() {
                (self.events)(X11Event::Over { x: x.into(), y: y.into(), inside });
            }
        }
        Ok(())
    }

    /// Takes the keys of the menu, or gives them back.
    pub fn open_menu(&mut self, open: bool) -> Outcome<()> {
        if open == self.touch.menu.is_some() {
            return Ok(());
        }
        if open {
            let mut keys = Vec::with_capacity(MENU_KEYS.len());
            for (keysym, name) in MENU_KEYS {
                keys.push((Hotkey::grab_key(&self.server, keysym, ModMask::default(), true)?, name));
            }
            self.touch.menu = Some(keys);
        } else {
            for (key, _) in self.touch.menu.take().into_iter().flatten() {
                key.release(&self.server)?;
            }
        }
        if let Some(figure) = &self.figure {
            figure.watch_pointer(&self.server, open)?;
        }
        self.listen_raw()
    }

    /// The companion's window is going.
    pub fn forget_press(&mut self) -> Outcome<()> {
        (self.touch.aside, self.touch.hover) = (None, None);
        self.listen_raw()
    }

    pub fn take_summon(&mut self, on: bool) -> Outcome<HotkeyState> {
        if !on {
            if let Some(summon) = self.touch.summon.take() {
                summon.release(&self.server)?;
            }
            return Ok(HotkeyState::Off);
        }
        let summon = match self.touch.summon.take() {
            Some(summon) if summon.state == HotkeyState::Ready => summon,
            _ => Hotkey::grab(&self.server, SUMMON, true)?,
        };
        let state = summon.state;
        self.touch.summon = Some(summon);
        Ok(state)
    }
}

#[napi]
impl X11Host {
    /// Takes Ctrl+Shift+Period from all other programs, until `releaseSummonKey`: each press is a `summon` event. Resolves
    /// with whether it could be had; `taken`: another program has it, `off`: the keyboard has none.
    #[napi(ts_return_type = "Promise<'ready' | 'taken' | 'off'>")]
    pub fn take_summon_key<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |state: HotkeyState| state.as_str().to_string())?;
        self.handle.send(Command::Summon(true, reply));
        Ok(promise)
    }

    /// Gives the key back. Resolves when the server has let go of it; does nothing when it was not taken.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn release_summon_key<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |_: HotkeyState| ())?;
        self.handle.send(Command::Summon(false, reply));
        Ok(promise)
    }
}
