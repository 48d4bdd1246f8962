//! Everything the Wayland thread does: drawing, pictures, and what changes of outputs lead to.

use std::sync::Mutex;
use std::time::Instant;

use wayland_client::globals::registry_queue_init;
use wayland_client::{Connection, EventQueue};

use super::connect;
use super::figure::FIGURE;
use super::output::{Head, WaylandOutput};
use super::sheet::Sheet;
use super::state::State;
use super::surface::{Extent, Presented, Surface};
use super::wire::{ANSWER_LIMIT, lost, lost_in_dispatch};
use super::{WaylandEvent, WaylandInfo};
use crate::api::Reply;
use crate::fault::{Fault, Outcome};
use crate::limit::Abandon;
use crate::pixels::check_patches;
use crate::region::{Rect, disjoint};

/// What is to be drawn; rectangles in pixels of the output.
pub struct Present {
    pub epoch: u32,
    pub output: String,
    pub patches: Vec<Rect>,
    pub pixels: Box<dyn AsRef<[u8]> + Send>,
    pub ink: Vec<Rect>,
}

pub struct Host {
    pub conn: Connection,
    pub queue: EventQueue<State>,
    pub state: State,
    events: Box<dyn Fn(WaylandEvent) + Send>,
    pub epoch: u32,
    pub heads: Vec<Head>,
    /// A clear pixel, to show instead of marks while a picture is taken.
    pub blank: Option<Sheet>,
}

impl Host {
    /// Connects, and refuses what cannot work. Blocks for as long as the compositor likes.
    pub fn open(
        display: Option<&str>,
        abandon: &Abandon,
        info: &Mutex<WaylandInfo>,
        events: Box<dyn Fn(WaylandEvent) + Send>,
    ) -> Outcome<Host> {
        let conn = connect::connect(display, abandon)?;
        let (list, mut queue) =
            registry_queue_init::<State>(&conn).map_err(|_| lost(&conn, "it ended the connection at once"))?;
        let mut state = State::new(&list, &queue.handle())?;
        // The outputs, and then what xdg-output says about them.
        for _ in 0..2 {
            queue.roundtrip(&mut state).map_err(|error| lost_in_dispatch(&conn, &error))?;
        }
        state.layout_due = None;
        let heads = state.heads();
        if let Ok(mut info) = info.lock() {
            info.capture = state.globals.source.as_ref().map(|source| source.name().into());
            info.viewports = state.globals.viewporter.is_some();
        }
        Ok(Host { conn, queue, state, events, epoch: 1, heads, blank: None })
    }

    /// Lets go of the compositor; what is left is to tell of it.
    pub fn part(self) -> Box<dyn Fn(WaylandEvent) + Send> {
        self.events
    }

    pub fn tell(&self, event: WaylandEvent) {
        (self.events)(event);
    }

    pub fn outputs(&self) -> Vec<WaylandOutput> {
        self.heads.iter().map(|head| head.shown.clone()).collect()
    }

    /// Reads the outputs again, once the compositor has said all it has to say.
    pub fn reread(&mut self) -> Outcome<()> {
        self.roundtrip()?;
        self.refresh_layout()
    }

    /// Acts on what is due.
    pub fn settle(&mut self) -> Outcome<()> {
        let now = Instant::now();
        for surface in &mut self.state.surfaces {
            surface.give_up_late(now);
        }
        if self.state.layout_due.is_some_and(|due| due <= now) {
            self.refresh_layout()?;
        }
        Ok(())
    }

    /// When `settle` must run again although nothing happened; `None` while nothing is pending, which is nearly always.
    pub fn next_due(&self) -> Option<Instant> {
        let frames = self.state.surfaces.iter().filter_map(Surface::next_due).min();
        [self.state.layout_due, frames].into_iter().flatten().min()
    }

    /// What was drawn on outputs that changed goes, and the epoch rises; also when the compositor took a surface away.
    fn refresh_layout(&mut self) -> Outcome<()> {
        self.state.layout_due = None;
        let heads = self.state.heads();
        let taken = self.state.surfaces.iter().any(|surface| surface.closed);
        if heads == self.heads && !taken {
            return Ok(());
        }
        self.state.surfaces.retain(|surface| {
            // A figure is told anew where it is: its output may be another size, or turned.
            !surface.closed && surface.name != FIGURE && heads.iter().any(|head| head.shown == surface.shown)
        });
        self.heads = heads;
        self.epoch += 1;
        self.flush()?;
        (self.events)(WaylandEvent::Displays { epoch: self.epoch, outputs: self.outputs() });
        Ok(())
    }

    pub fn present(&mut self, request: &Present, reply: Reply<Presented>) -> Outcome<()> {
        let drawn = self.draw(request);
        self.answer_once_shown(drawn, &request.output, reply)
    }

    /// `drawn`: how drawing on the surface of this name ended.
    pub fn answer_once_shown(
        &mut self,
        drawn: Outcome<Option<Presented>>,
        name: &str,
        reply: Reply<Presented>,
    ) -> Outcome<()> {
        match drawn {
            Ok(Some(presented)) => reply.answer(Ok(presented)),
            Ok(None) => match self.state.surface(name) {
                Some(surface) => surface.when_shown(reply),
                None => reply.answer(Ok(Presented::Stale)),
            },
            Err(Fault::Failed(reason)) => reply.answer(Err(reason)),
            Err(Fault::Lost(reason)) => {
                reply.answer(Err(reason.clone()));
                return Err(Fault::Lost(reason));
            }
        }
        Ok(())
    }

    /// `None`: it is drawn, and shown with the next frame.
    fn draw(&mut self, request: &Present) -> Outcome<Option<Presented>> {
        if request.epoch != self.epoch {
            return Ok(Some(Presented::Stale));
        }
        let Some(head) = self.heads.iter().find(|head| head.shown.name == request.output).cloned() else {
            return Fault::failed(format!("there is no output named '{}'", request.output));
        };
        let bounds = Rect::new(0, 0, head.shown.width, head.shown.height);
        let pixels = (*request.pixels).as_ref();
        check_patches(&request.patches, &bounds, pixels.len())?;
        let ink = disjoint(&request.ink, &bounds);
        if ink.is_empty() {
            self.take_off(&request.output)?;
            return Ok(Some(Presented::Shown));
        }
        if self.state.surface(&request.output).is_none() {
            let whole = Extent::Whole;
            let surface = Surface::new(&self.state.globals, &self.queue.handle(), &head, &request.output, whole)?;
            self.state.surfaces.push(surface);
        }
        self.paint(&request.output, &request.patches, pixels, ink)
    }

    /// Takes a surface off the screen; returns when the compositor has heard it.
    pub fn take_off(&mut self, name: &str) -> Outcome<()> {
        self.state.surfaces.retain(|surface| surface.name != name);
        self.roundtrip()
    }

    /// `None`: it is drawn, and shown with the next frame.
    pub fn paint(&mut self, name: &str, patches: &[Rect], pixels: &[u8], ink: Vec<Rect>) -> Outcome<Option<Presented>> {
        // Before the first word of the compositor nothing may be attached, and all sheets may be in its hands.
        let ready = |state: &mut State| {
            state.surface(name).is_none_or(|surface| surface.closed || (surface.is_ready() && surface.has_room()))
        };
        if !self.wait_until(ANSWER_LIMIT, ready)? {
            self.state.surfaces.retain(|surface| surface.name != name);
            return Fault::failed("the Wayland compositor did not make room for the marks in time");
        }
        let queue = self.queue.handle();
        let State { surfaces, globals, .. } = &mut self.state;
        let Some(surface) = surfaces.iter_mut().find(|surface| surface.name == name) else {
            return Ok(Some(Presented::Stale));
        };
        if surface.closed {
            return Ok(Some(Presented::Stale));
        }
        if !surface.paint(globals, &queue, patches, pixels, ink)? {
            return Fault::failed("the Wayland compositor still reads everything that was drawn");
        }
        self.flush()?;
        Ok(None)
    }

    /// Takes everything off the screen and waits until the compositor has heard it.
    pub fn close(&mut self) -> Outcome<()> {
        self.state.surfaces.clear();
        self.roundtrip()
    }
}
