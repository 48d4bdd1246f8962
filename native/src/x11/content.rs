//! What windows show: being told when it changes near a mark, and reading it.
//!
//! Each watched window has a damage object that reports once and is then silent until it is emptied. Damage that is not
//! near any mark is thrown away here; damage that is, is told once, and JavaScript hears no more of that window until it
//! has looked. So a window that never stops drawing costs as much as the pace at which it is looked at.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use napi::bindgen_prelude::{Buffer, Env, Object, Result};
use napi_derive::napi;
use x11rb::connection::Connection;
use x11rb::protocol::composite::ConnectionExt as _;
use x11rb::protocol::damage::{self, ConnectionExt as _, Damage, ReportLevel};
use x11rb::protocol::xfixes::ConnectionExt as _;
use x11rb::protocol::xinput;
use x11rb::protocol::xproto::{ConnectionExt as _, Window};

use super::X11Host;
use super::compose;
use super::fault::{Fault, Outcome, gone_is_none};
use super::host::{Host, Picture};
use super::memory::{PIXEL, get};
use super::region::Rect;
use super::server::Server;
use super::thread::Command;
use super::{PixelRect, X11Event};
use crate::api::promise;

/// Damage of one window is looked into at most this often.
const PACE: Duration = Duration::from_millis(8);
/// A wheel that was turned this long ago may be why a window changes.
const SCROLL_LASTS: Duration = Duration::from_millis(500);
/// The buttons that wheels press.
const WHEEL: std::ops::RangeInclusive<u32> = 4..=7;

/// A window whose content is watched.
#[napi(object)]
pub struct WatchedContent {
    /// As in `WindowInfo`.
    pub window: u32,
    /// Where a change matters, in physical pixels from the window's outer top left corner.
    pub areas: Vec<PixelRect>,
}

#[napi(object)]
pub struct LookRequest {
    /// As in `WindowInfo`.
    pub window: u32,
}

#[napi(object, object_from_js = false)]
pub struct LookResult {
    /// The window with its borders, in physical pixels.
    pub width: i32,
    pub height: i32,
    /// Opaque BGRA, rows without padding.
    pub data: Buffer,
}

#[derive(Default)]
pub struct Content {
    watched: HashMap<Window, Watched>,
    /// When `settle` has to look into damage that was reported too soon after the last time.
    pub due: Option<Instant>,
}

struct Watched {
    damage: Damage,
    areas: Vec<Rect>,
    /// Damage was reported and not looked into yet.
    noted: bool,
    /// JavaScript was told, and has not looked yet.
    told: bool,
    looked_into: Option<Instant>,
    scrolled: Option<Instant>,
}

impl Content {
    pub fn is_watched(&self) -> bool {
        !self.watched.is_empty()
    }

    /// Takes note of damage; `false` when it is not about what is watched here.
    pub fn damaged(&mut self, event: &damage::NotifyEvent) -> bool {
        match self.watched.get_mut(&event.drawable) {
            Some(watched) if watched.damage == event.damage => {
                watched.noted = true;
                true
            }
            _ => false,
        }
    }
}

impl Host {
    /// Watches exactly these windows from now on. One that is gone is left out, and so is one of ours.
    pub fn watch_content(&mut self, mut wanted: Vec<(Window, Vec<Rect>)>) -> Outcome<()> {
        let tops: Vec<Window> = wanted.iter().map(|(window, _)| *window).collect();
        let ours = self.ours(&self.our_windows()).among(&self.server, &tops)?;
        wanted.retain(|(window, _)| !ours.contains(window));
        let conn = &self.server.conn;
        let mut before = std::mem::take(&mut self.content.watched);
        for (window, areas) in wanted {
            let watched = match before.remove(&window) {
                Some(known) => Watched { areas, ..known },
                None => {
                    let damage = conn.generate_id()?;
                    if gone_is_none(conn.damage_create(damage, window, ReportLevel::NON_EMPTY)?.check())?.is_none() {
                        continue;
                    }
                    Watched { damage, areas, noted: false, told: false, looked_into: None, scrolled: None }
                }
            };
            self.content.watched.insert(window, watched);
        }
        for watched in before.into_values() {
            conn.damage_destroy(watched.damage)?;
        }
        if self.content.is_watched() {
            self.redirect()?;
        }
        self.listen_raw()?;
        self.rest_if_idle()
    }

    /// The pixels of a window as they are now, whatever covers it.
    pub fn look(&mut self, window: Window) -> Outcome<Picture> {
        if self.ours(&self.our_windows()).among(&self.server, &[window])?.contains(&window) {
            return Fault::failed(format!("the window 0x{window:x} is one of the marks"));
        }
        let conn = &self.server.conn;
        if let Some(watched) = self.content.watched.get_mut(&window) {
            // Emptied before the pixels are read: what changes from here on is told anew.
            conn.damage_subtract(watched.damage, x11rb::NONE, x11rb::NONE)?;
            (watched.noted, watched.told) = (false, false);
        }
        self.redirect()?;
        let conn = &self.server.conn;
        let pixmap = conn.generate_id()?;
        let named = conn.composite_name_window_pixmap(window, pixmap)?;
        let geometry = conn.get_geometry(pixmap)?;
        let attributes = conn.get_window_attributes(window)?;
        if gone_is_none(named.check())?.is_none() {
            return Fault::failed(format!("the window 0x{window:x} is not on the screen"));
        }
        let (geometry, attributes) = (gone_is_none(geometry.reply())?, gone_is_none(attributes.reply())?);
        let picture = match (geometry, attributes) {
            (Some(geometry), Some(attributes)) => {
                let area = Rect::new(0, 0, geometry.width.into(), geometry.height.into());
                let memory = self.scratch.room(&self.server, area.area())?;
                let read = if matches!(geometry.depth, 24 | 32) && self.server.root_is_bgrx {
                    get(&self.server, pixmap, &[area], memory).map(drop)
                } else {
                    compose::convert_pixmap(&self.server, pixmap, attributes.visual, area, memory)
                };
                read.map(|()| Picture {
                    width: area.width,
                    height: area.height,
                    rgba: opaque(&memory.bytes()[..area.area() * PIXEL]),
                })
            }
            _ => Fault::failed(format!("the window 0x{window:x} is gone")),
        };
        self.server.conn.free_pixmap(pixmap)?;
        picture
    }

    /// Looks into damage that was reported, and tells of what is near a mark.
    pub fn tell_content(&mut self) -> Outcome<()> {
        let now = Instant::now();
        self.content.due = None;
        let mut told = Vec::new();
        for (window, watched) in &mut self.content.watched {
            if !watched.noted || watched.told {
                continue;
            }
            let due = watched.looked_into.map_or(now, |last| last + PACE);
            if due > now {
                self.content.due = Some(self.content.due.map_or(due, |other| other.min(due)));
                continue;
            }
            watched.noted = false;
            watched.looked_into = Some(now);
            let Some(damaged) = take_damage(&self.server, watched.damage)? else { continue };
            if damaged.iter().any(|rect| watched.areas.iter().any(|area| area.intersect(rect).is_some())) {
                watched.told = true;
                let scrolled = watched.scrolled.is_some_and(|at| now.duration_since(at) < SCROLL_LASTS);
                told.push(X11Event::Content { window: *window, scrolled });
            }
        }
        for event in told {
            (self.events)(event);
        }
        Ok(())
    }

    /// A wheel was turned: it is the window under the pointer that will scroll. Raw events carry no position.
    pub fn wheel_turned(&mut self, event: &xinput::RawButtonPressEvent) -> Outcome<()> {
        if self.content.is_watched() && WHEEL.contains(&event.detail) {
            let below = self.server.conn.query_pointer(self.server.root)?.reply()?.child;
            if let Some(watched) = self.content.watched.get_mut(&below) {
                watched.scrolled = Some(Instant::now());
            }
        }
        Ok(())
    }
}

/// Empties a damage object and returns what was in it, in pixels from the window's outer corner; `None`: the window is gone.
fn take_damage(server: &Server, damage: Damage) -> Outcome<Option<Vec<Rect>>> {
    let conn = &server.conn;
    let region = conn.generate_id()?;
    conn.xfixes_create_region(region, &[])?;
    conn.damage_subtract(damage, x11rb::NONE, region)?;
    let fetched = gone_is_none(conn.xfixes_fetch_region(region)?.reply())?;
    conn.xfixes_destroy_region(region)?;
    Ok(fetched.map(|region| {
        let rects = region.rectangles.iter();
        rects.map(|rect| Rect::new(rect.x.into(), rect.y.into(), rect.width.into(), rect.height.into())).collect()
    }))
}

fn opaque(bgrx: &[u8]) -> Vec<u8> {
    let mut bgra = bgrx.to_vec();
    for pixel in bgra.as_chunks_mut::<PIXEL>().0 {
        pixel[3] = 0xff;
    }
    bgra
}

#[napi]
impl X11Host {
    /// Has `content` events sent when one of these windows changes in one of its areas; no other window is watched any
    /// more. Empty: none, and nothing runs.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn watch_content<'env>(&self, env: &'env Env, watched: Vec<WatchedContent>) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        let wanted =
            watched.into_iter().map(|one| (one.window, one.areas.into_iter().map(Rect::from).collect())).collect();
        self.handle.send(Command::WatchContent(wanted, reply));
        Ok(promise)
    }

    /// The pixels of one window, without anything that covers it. A watched window tells of changes after this again.
    /// Rejects when it is not on the screen.
    #[napi(ts_return_type = "Promise<LookResult>")]
    pub fn look<'env>(&self, env: &'env Env, request: LookRequest) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |picture: Picture| LookResult {
            width: picture.width,
            height: picture.height,
            data: picture.rgba.into(),
        })?;
        self.handle.send(Command::Look(request.window, reply));
        Ok(promise)
    }
}
