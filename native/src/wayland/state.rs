//! What the compositor offers and says: the globals, the outputs, and which surface an event is for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use smithay_client_toolkit::compositor::{CompositorHandler, CompositorState, Region};
use smithay_client_toolkit::dispatch2::Dispatch2;
use smithay_client_toolkit::output::{OutputHandler, OutputState};
use smithay_client_toolkit::registry::{ProvidesRegistryState, RegistryState};
use smithay_client_toolkit::seat::SeatState;
use smithay_client_toolkit::shell::wlr_layer::{LayerShell, LayerShellHandler, LayerSurface, LayerSurfaceConfigure};
use smithay_client_toolkit::shm::{Shm, ShmHandler};
use smithay_client_toolkit::{delegate_dispatch2, delegate_registry, registry_handlers};
use wayland_client::globals::GlobalList;
use wayland_client::protocol::wl_callback::{self, WlCallback};
use wayland_client::protocol::wl_output::{Transform, WlOutput};
use wayland_client::protocol::wl_surface::WlSurface;
use wayland_client::{Connection, Proxy, QueueHandle};
use wayland_protocols::wp::viewporter::client::wp_viewporter::WpViewporter;

use super::capture::{Shot, Source};
use super::figure::Hand;
use super::output::Head;
use super::surface::Surface;
use crate::fault::{Fault, Outcome};
use crate::region::Rect;

/// A change of outputs comes as a burst of events, and is read once it is over.
const LAYOUT_SETTLES: Duration = Duration::from_millis(50);

/// What is drawn and looked with.
pub struct Globals {
    pub compositor: CompositorState,
    pub layer_shell: LayerShell,
    pub shm: Shm,
    pub viewporter: Option<WpViewporter>,
    /// How pictures are taken, where ordinary programs may.
    pub source: Option<Source>,
}

impl Globals {
    pub fn region(&self, rects: &[Rect]) -> Outcome<Region> {
        let region = Region::new(&self.compositor)
            .map_err(|_| Fault::Failed("the Wayland compositor makes no regions".into()))?;
        for rect in rects {
            region.add(rect.x, rect.y, rect.width, rect.height);
        }
        Ok(region)
    }
}

pub struct State {
    registry: RegistryState,
    outputs: OutputState,
    pub hand: Hand,
    pub globals: Globals,
    pub surfaces: Vec<Surface>,
    /// The copy of an output that is under way.
    pub shot: Option<Shot>,
    pub layout_due: Option<Instant>,
}

impl State {
    pub fn new(list: &GlobalList, queue: &QueueHandle<State>) -> Outcome<State> {
        let layer_shell = LayerShell::bind(list, queue).map_err(|_| {
            Fault::Failed(
                "this Wayland compositor has no layer shell (wlr-layer-shell), without which nothing can be drawn above other windows and let clicks through".into(),
            )
        })?;
        let missing = |what: &str| Fault::Failed(format!("this Wayland compositor has no {what}"));
        let compositor = CompositorState::bind(list, queue).map_err(|_| missing("wl_compositor of a known version"))?;
        let shm = Shm::bind(list, queue).map_err(|_| missing("shared memory (wl_shm)"))?;
        let globals = Globals {
            viewporter: list.bind(queue, 1..=1, Quiet).ok(),
            source: Source::bind(list, queue),
            compositor,
            layer_shell,
            shm,
        };
        Ok(State {
            registry: RegistryState::new(list),
            outputs: OutputState::new(list, queue),
            hand: Hand::new(list, queue),
            globals,
            surfaces: Vec::new(),
            shot: None,
            layout_due: None,
        })
    }

    /// The outputs that show something, in the order in which they came.
    pub fn heads(&self) -> Vec<Head> {
        let viewports = self.globals.viewporter.is_some();
        let infos = self.outputs.outputs().filter_map(|output| Some((self.outputs.info(&output)?, output)));
        let mut heads: Vec<Head> = infos.filter_map(|(info, output)| Head::new(output, &info, viewports)).collect();
        if let Some(primary) = heads.iter_mut().min_by_key(|head| head.distance()) {
            primary.shown.primary = true;
        }
        heads
    }

    pub fn surface(&mut self, name: &str) -> Option<&mut Surface> {
        self.surfaces.iter_mut().find(|surface| surface.name == name)
    }

    fn layout_changed(&mut self) {
        self.layout_due = Some(Instant::now() + LAYOUT_SETTLES);
    }
}

impl OutputHandler for State {
    fn output_state(&mut self) -> &mut OutputState {
        &mut self.outputs
    }

    fn new_output(&mut self, _: &Connection, _: &QueueHandle<State>, _: WlOutput) {
        self.layout_changed();
    }

    fn update_output(&mut self, _: &Connection, _: &QueueHandle<State>, _: WlOutput) {
        self.layout_changed();
    }

    fn output_destroyed(&mut self, _: &Connection, _: &QueueHandle<State>, _: WlOutput) {
        self.layout_changed();
    }
}

impl LayerShellHandler for State {
    fn closed(&mut self, _: &Connection, _: &QueueHandle<State>, layer: &LayerSurface) {
        if let Some(surface) = self.surfaces.iter_mut().find(|surface| surface.is(layer)) {
            surface.closed = true;
            self.layout_changed();
        }
    }

    fn configure(
        &mut self,
        _: &Connection,
        _: &QueueHandle<State>,
        layer: &LayerSurface,
        configure: LayerSurfaceConfigure,
        _: u32,
    ) {
        if let Some(surface) = self.surfaces.iter_mut().find(|surface| surface.is(layer)) {
            surface.configure(configure.new_size);
        }
    }
}

/// A frame that was asked for.
pub struct FrameDone {
    /// The name of its surface.
    pub surface: String,
    pub serial: u64,
}

impl Dispatch2<WlCallback, State> for FrameDone {
    fn event(&self, state: &mut State, _: &WlCallback, _: wl_callback::Event, _: &Connection, _: &QueueHandle<State>) {
        if let Some(surface) = state.surface(&self.surface) {
            surface.frame_done(self.serial);
        }
    }
}

/// The compositor has done what it was asked before.
pub struct Heard(pub Arc<AtomicBool>);

impl Dispatch2<WlCallback, State> for Heard {
    fn event(&self, _: &mut State, _: &WlCallback, _: wl_callback::Event, _: &Connection, _: &QueueHandle<State>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// For objects whose events, if they have any, change nothing.
pub struct Quiet;

impl<I: Proxy> Dispatch2<I, State> for Quiet {
    fn event(&self, _: &mut State, _: &I, _: I::Event, _: &Connection, _: &QueueHandle<State>) {}
}

// What a surface is on, and at which scale, the outputs say already.
impl CompositorHandler for State {
    fn scale_factor_changed(&mut self, _: &Connection, _: &QueueHandle<State>, _: &WlSurface, _: i32) {}
    fn transform_changed(&mut self, _: &Connection, _: &QueueHandle<State>, _: &WlSurface, _: Transform) {}
    fn frame(&mut self, _: &Connection, _: &QueueHandle<State>, _: &WlSurface, _: u32) {}
    fn surface_enter(&mut self, _: &Connection, _: &QueueHandle<State>, _: &WlSurface, _: &WlOutput) {}
    fn surface_leave(&mut self, _: &Connection, _: &QueueHandle<State>, _: &WlSurface, _: &WlOutput) {}
}

impl ShmHandler for State {
    fn shm_state(&mut self) -> &mut Shm {
        &mut self.globals.shm
    }
}

impl ProvidesRegistryState for State {
    fn registry(&mut self) -> &mut RegistryState {
        &mut self.registry
    }

    registry_handlers!(OutputState, SeatState);
}

delegate_registry!(State);
delegate_dispatch2!(State);
