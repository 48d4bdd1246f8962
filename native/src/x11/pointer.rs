//! Where the pointer is, told while JavaScript wants to know.
//!
//! The first motion wakes the thread; from then on the pointer is looked at, at a steady pace and with no motion
//! listened to, until it rests. So a mouse that reports a thousand times a second costs no more than any other, and one
//! that rests costs nothing.
//!
//! A place tells nothing of who put the pointer there. So while looking, motion of a device is listened to for a moment now
//! and then: when there is none, a program moves the pointer, and that is not told.

use std::time::{Duration, Instant};

use napi::bindgen_prelude::{Env, Object, Result};
use napi_derive::napi;
use x11rb::protocol::xproto::ConnectionExt as _;

use super::fault::Outcome;
use super::host::Host;
use super::thread::Command;
use super::{X11Event, X11Host};
use crate::api::promise;

/// Between two looks at a pointer that moves.
const PACE: Duration = Duration::from_micros(16_667);
/// So long a device is taken to move it after it last did.
const TRUST: Duration = Duration::from_millis(500);
/// And so long it is then waited for that it does again.
const DOUBT: Duration = Duration::from_millis(100);

#[derive(Default)]
pub struct Pointer {
    on: bool,
    /// It moves, and is looked at again then.
    pub due: Option<Instant>,
    told: Option<(i16, i16)>,
    /// When a device last moved it, as far as that was listened to.
    moved: Option<Instant>,
    /// Listened to anew, because that is long ago: until then.
    doubted: Option<Instant>,
}

impl Pointer {
    pub fn wants_motion(&self) -> bool {
        self.on && (self.due.is_none() || self.doubted.is_some())
    }

    fn is_a_programs_doing(&mut self, now: Instant) -> bool {
        if self.doubted.is_none() && self.moved.is_none_or(|moved| now.duration_since(moved) > TRUST) {
            self.doubted = Some(now + DOUBT);
        }
        self.doubted.is_some_and(|until| until <= now)
    }
}

/// In physical pixels of the root.
#[napi(object, object_from_js = false)]
pub struct PointerPlace {
    pub x: i32,
    pub y: i32,
}

impl Host {
    pub fn watch_pointer(&mut self, on: bool) -> Outcome<()> {
        if on && !self.pointer.on {
            self.pointer.told = Some(self.pointer_place()?);
        }
        self.pointer.on = on;
        self.pointer.due = None;
        self.pointer.doubted = None;
        self.listen_raw()
    }

    pub fn pointer_place(&self) -> Outcome<(i16, i16)> {
        let place = self.server.conn.query_pointer(self.server.root)?.reply()?;
        Ok((place.root_x, place.root_y))
    }

    /// A device moved it.
    pub fn pointer_moved(&mut self) {
        if self.pointer.wants_motion() {
            let now = Instant::now();
            self.pointer.moved = Some(now);
            self.pointer.doubted = None;
            self.pointer.due.get_or_insert(now);
        }
    }

    /// Looks at a pointer that moves, if it is time to.
    pub fn tell_pointer(&mut self, now: Instant) -> Outcome<()> {
        if self.pointer.due.is_none_or(|due| due > now) {
            return Ok(());
        }
        if self.pointer.is_a_programs_doing(now) {
            // It is a program that moves it. Where to is not told, and neither is the way back to where a device moves it next.
            (self.pointer.due, self.pointer.doubted) = (None, None);
            self.pointer.told = Some(self.pointer_place()?);
            return self.listen_raw();
        }
        self.listen_raw()?;
        let moves = self.tell_pointer_place()?;
        self.pointer.due = moves.then(|| now + PACE);
        if moves {
            return Ok(());
        }
        self.pointer.doubted = None;
        // It rests. Looked at once more when motion is listened to again: it may have moved in between.
        self.listen_raw()?;
        if self.tell_pointer_place()? {
            self.pointer.due = Some(now + PACE);
            self.listen_raw()?;
        }
        Ok(())
    }

    fn tell_pointer_place(&mut self) -> Outcome<bool> {
        let place = self.pointer_place()?;
        let moved = self.pointer.told != Some(place);
        if moved {
            self.pointer.told = Some(place);
            (self.events)(X11Event::Pointer { x: place.0.into(), y: place.1.into() });
        }
        Ok(moved)
    }
}

#[napi]
impl X11Host {
    /// Whether `pointer` events are sent; off at first. On: of every move after the promise resolves. Off: none is sent, and
    /// the thread does nothing for it; one may still be under way when this resolves.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn watch_pointer<'env>(&self, env: &'env Env, on: bool) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        self.handle.send(Command::WatchPointer(on, reply));
        Ok(promise)
    }

    /// Where the pointer is now.
    #[napi(ts_return_type = "Promise<PointerPlace>")]
    pub fn pointer<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |(x, y): (i16, i16)| PointerPlace { x: x.into(), y: y.into() })?;
        self.handle.send(Command::Pointer(reply));
        Ok(promise)
    }
}
