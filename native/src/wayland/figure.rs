//! A small surface that takes clicks where its figure is, and the pointer over it. It never takes the keyboard.

use napi::bindgen_prelude::{Buffer, Env, Object, Result};
use napi_derive::napi;
use smithay_client_toolkit::seat::pointer::{PointerEvent, PointerEventKind, PointerHandler};
use smithay_client_toolkit::seat::{Capability, SeatHandler, SeatState};
use wayland_client::globals::GlobalList;
use wayland_client::protocol::wl_pointer::WlPointer;
use wayland_client::protocol::wl_seat::WlSeat;
use wayland_client::{Connection, Proxy, QueueHandle};
use wayland_protocols::wp::cursor_shape::v1::client::wp_cursor_shape_device_v1::{Shape, WpCursorShapeDeviceV1};

use super::cursor::Cursors;
use super::host::Host;
use super::state::State;
use super::surface::{Extent, Presented, Surface, pixels_of};
use super::thread::Command;
use super::{WaylandEvent, WaylandHost, presented};
use crate::api::promise;
use crate::fault::{Fault, Outcome};
use crate::pixels::check_patches;
use crate::region::Rect;
use crate::surface::{PixelRect, PresentResult};

/// The name of its surface: no output is called so.
pub const FIGURE: &str = "";
/// Larger than this it is no figure, but something that covers the screen. In logical points a side.
const LARGEST: i32 = 1024;

/// What is to be shown.
pub struct Figure {
    pub epoch: u32,
    pub output: String,
    pub place: Rect,
    pub pixels: Box<dyn AsRef<[u8]> + Send>,
    pub input: Vec<Rect>,
}

#[napi(object, object_to_js = false)]
pub struct WaylandFigureRequest {
    /// The epoch of the layout this was drawn for.
    pub epoch: u32,
    /// The name of the output that it is on. Elsewhere it is taken off.
    pub output: String,
    /// Where it is, in whole logical points of the output: at most 1024 a side, and it may reach over the edges.
    pub place: PixelRect,
    /// All of it, RGBA, premultiplied, rows without padding: its sides are those of `place` times the output's scale,
    /// rounded up. Read until the promise settles, so it must not be changed before.
    #[napi(ts_type = "Uint8Array")]
    pub pixels: Buffer,
    /// Where it takes clicks and the pointer, in logical points from its top left. Everywhere else they pass.
    pub input: Vec<PixelRect>,
}

/// What the pointer does over the figure.
#[napi(object)]
pub struct Touch {
    #[napi(ts_type = "'enter' | 'leave' | 'motion' | 'press' | 'release'")]
    pub kind: String,
    /// The output that the figure is on.
    pub output: String,
    /// In logical points of the output, wherever the figure is told to be meanwhile.
    pub x: f64,
    pub y: f64,
    /// As Linux numbers it: 272 is the left one. Absent: it is about none.
    pub button: Option<u32>,
}

/// One pointer that is heard.
struct Heard {
    seat: WlSeat,
    pointer: WlPointer,
    /// Where the compositor draws its cursor by its name.
    device: Option<WpCursorShapeDeviceV1>,
}

impl Drop for Heard {
    fn drop(&mut self) {
        if let Some(device) = self.device.take() {
            device.destroy();
        }
        // Older ones cannot be given back.
        if self.pointer.version() >= 3 {
            self.pointer.release();
        }
    }
}

/// The person's pointers, heard only while there is a figure: over anything else of ours they never are.
pub struct Hand {
    seats: SeatState,
    cursors: Cursors,
    pointers: Vec<Heard>,
    wanted: bool,
    touches: Vec<Touch>,
}

impl Hand {
    pub fn new(list: &GlobalList, queue: &QueueHandle<State>) -> Hand {
        Hand {
            seats: SeatState::new(list, queue),
            cursors: Cursors::new(list, queue),
            pointers: Vec::new(),
            wanted: false,
            touches: Vec::new(),
        }
    }

    fn listen(&mut self, queue: &QueueHandle<State>, on: bool) {
        self.wanted = on;
        if !on {
            self.pointers.clear();
            return;
        }
        for seat in self.seats.seats().collect::<Vec<_>>() {
            if self.pointers.iter().all(|known| known.seat != seat)
                && let Ok(pointer) = self.seats.get_pointer(queue, &seat)
            {
                let device = self.cursors.device(&pointer, queue);
                self.pointers.push(Heard { seat, pointer, device });
            }
        }
    }

    fn forget(&mut self, seat: &WlSeat) {
        self.pointers.retain(|known| known.seat != *seat);
    }
}

impl Host {
    pub fn show_figure(&mut self, request: &Figure, reply: crate::api::Reply<Presented>) -> Outcome<()> {
        let drawn = self.draw_figure(request);
        self.answer_once_shown(drawn, FIGURE, reply)
    }

    pub fn hide_figure(&mut self) -> Outcome<()> {
        self.state.hand.listen(&self.queue.handle(), false);
        self.take_off(FIGURE)
    }

    fn draw_figure(&mut self, request: &Figure) -> Outcome<Option<Presented>> {
        if request.epoch != self.epoch {
            return Ok(Some(Presented::Stale));
        }
        let Some(head) = self.heads.iter().find(|head| head.shown.name == request.output).cloned() else {
            return Fault::failed(format!("there is no output named '{}'", request.output));
        };
        let place = request.place;
        if place.is_empty() || place.width > LARGEST || place.height > LARGEST {
            return Fault::failed(format!(
                "a figure of {}x{} is none: at most {LARGEST} points a side",
                place.width, place.height
            ));
        }
        let size = pixels_of(&place, head.shown.scale);
        let all = Rect::new(0, 0, size.0, size.1);
        let pixels = (*request.pixels).as_ref();
        check_patches(&[all], &all, pixels.len())?;
        let input = self.state.globals.region(&request.input)?;
        let queue = self.queue.handle();
        self.state.hand.listen(&queue, true);
        match self.state.surface(FIGURE) {
            Some(surface)
                if !surface.closed
                    && surface.shown.name == request.output
                    && (surface.shown.width, surface.shown.height) == size =>
            {
                surface.place(&place, input);
            }
            _ => {
                let extent = Extent::Part { place, input };
                let mut surface = Surface::new(&self.state.globals, &queue, &head, FIGURE, extent)?;
                // It is there until the other one is, or the figure would blink whenever it is of another size.
                let (before, others) = self.state.surfaces.drain(..).partition::<Vec<_>, _>(|one| one.name == FIGURE);
                before.iter().for_each(|one| surface.follow(one));
                self.state.surfaces = others;
                self.state.surfaces.push(surface);
                let drawn = self.paint(FIGURE, &[all], pixels, vec![all]);
                drop(before);
                self.flush()?;
                return drawn;
            }
        }
        self.paint(FIGURE, &[all], pixels, vec![all])
    }

    /// Tells of what the pointer did over the figure.
    pub fn tell_touches(&mut self) {
        for touch in std::mem::take(&mut self.state.hand.touches) {
            self.tell(WaylandEvent::Figure { touch });
        }
    }
}

impl PointerHandler for State {
    fn pointer_frame(
        &mut self,
        _: &Connection,
        queue: &QueueHandle<State>,
        pointer: &WlPointer,
        events: &[PointerEvent],
    ) {
        for event in events {
            if let PointerEventKind::Enter { serial } = event.kind {
                self.show_cursor(queue, pointer, serial);
            }
            let (kind, button) = match event.kind {
                PointerEventKind::Enter { .. } => ("enter", None),
                PointerEventKind::Leave { .. } => ("leave", None),
                PointerEventKind::Motion { .. } => ("motion", None),
                PointerEventKind::Press { button, .. } => ("press", Some(button)),
                PointerEventKind::Release { button, .. } => ("release", Some(button)),
                PointerEventKind::Axis { .. } => continue,
            };
            if let Some(figure) = self.surfaces.iter().find(|one| one.name == FIGURE && one.is_made_of(&event.surface))
            {
                let (x, y) =
                    (event.position.0 + f64::from(figure.corner.0), event.position.1 + f64::from(figure.corner.1));
                let output = figure.shown.name.clone();
                self.hand.touches.push(Touch { kind: kind.into(), output, x, y, button });
            }
        }
    }
}

impl State {
    /// The pointer came over the figure, or one that is about to go: no other surface of ours takes it.
    fn show_cursor(&mut self, queue: &QueueHandle<State>, pointer: &WlPointer, serial: u32) {
        let figure = self.surfaces.iter().find(|one| one.name == FIGURE);
        let scale = figure.map_or(1.0, |figure| figure.shown.scale);
        let heard = self.hand.pointers.iter().find(|one| one.pointer == *pointer);
        match heard.and_then(|heard| heard.device.as_ref()) {
            Some(device) => device.set_shape(serial, Shape::Default),
            None => self.hand.cursors.draw(&self.globals, queue, pointer, (serial, scale)),
        }
    }
}

impl SeatHandler for State {
    fn seat_state(&mut self) -> &mut SeatState {
        &mut self.hand.seats
    }

    fn new_seat(&mut self, _: &Connection, _: &QueueHandle<State>, _: WlSeat) {}

    fn new_capability(&mut self, _: &Connection, queue: &QueueHandle<State>, _: WlSeat, capability: Capability) {
        if capability == Capability::Pointer && self.hand.wanted {
            self.hand.listen(queue, true);
        }
    }

    fn remove_capability(&mut self, _: &Connection, _: &QueueHandle<State>, seat: WlSeat, capability: Capability) {
        if capability == Capability::Pointer {
            self.hand.forget(&seat);
        }
    }

    fn remove_seat(&mut self, _: &Connection, _: &QueueHandle<State>, seat: WlSeat) {
        self.hand.forget(&seat);
    }
}

#[napi]
impl WaylandHost {
    /// Shows the one figure, or what it is now. Resolves as `present` does.
    #[napi(ts_return_type = "Promise<PresentResult>")]
    pub fn show_figure<'env>(&self, env: &'env Env, request: WaylandFigureRequest) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, presented as fn(Presented) -> PresentResult)?;
        let request = Figure {
            epoch: request.epoch,
            output: request.output,
            place: request.place.into(),
            pixels: Box::new(request.pixels),
            input: request.input.into_iter().map(Rect::from).collect(),
        };
        self.handle.send(Command::Figure(request, reply));
        Ok(promise)
    }

    /// Takes the figure off the screen. Resolves when the compositor has heard it; does nothing when there is none.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn hide_figure<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        self.handle.send(Command::HideFigure(reply));
        Ok(promise)
    }
}
