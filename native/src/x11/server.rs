//! One connection to an X server, with everything about the server that never changes.

use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::io::ErrorKind;
use std::os::fd::{AsFd, AsRawFd, RawFd};

use x11rb::connection::{Connection, RequestConnection, SequenceNumber};
use x11rb::errors::ConnectError;
use x11rb::protocol::Event;
use x11rb::protocol::composite::{self, ConnectionExt as _};
use x11rb::protocol::damage::{self, ConnectionExt as _};
use x11rb::protocol::randr::{self, ConnectionExt as _};
use x11rb::protocol::render::{self, ConnectionExt as _, PictType, Pictformat};
use x11rb::protocol::shm::{self, ConnectionExt as _};
use x11rb::protocol::xfixes::{self, ConnectionExt as _};
use x11rb::protocol::xproto::{Atom, ConnectionExt as _, ImageOrder, Visualid, Window};
use x11rb::protocol::{shape, xproto};
use x11rb::reexports::x11rb_protocol::parse_display::parse_display;
use x11rb::reexports::x11rb_protocol::xauth::get_auth;
use x11rb::rust_connection::{DefaultStream, RustConnection};

use super::fault::{Fault, Outcome, describe_connect};
use super::limit::Abandon;
use super::pipe::{Pipe, XConnection};
use super::region::Rect;
use super::xwayland::{ServerFacts, Verdict, judge};

x11rb::atom_manager! {
    pub Atoms: AtomsCookie {
        UTF8_STRING,
        WM_STATE,
        _COMPTON_SHADOW,
        _NET_ACTIVE_WINDOW,
        _NET_CLIENT_LIST,
        _NET_CLIENT_LIST_STACKING,
        _NET_CURRENT_DESKTOP,
        _NET_SUPPORTED,
        _NET_SUPPORTING_WM_CHECK,
        _NET_WM_DESKTOP,
        _NET_WM_NAME,
        _GTK_FRAME_EXTENTS,
        _NET_WM_PID,
        _NET_WM_STATE,
        _NET_WM_STATE_FULLSCREEN,
        _NET_WM_STATE_HIDDEN,
        _NET_WM_STATE_MAXIMIZED_HORZ,
        _NET_WM_STATE_MAXIMIZED_VERT,
        _NET_WM_STATE_SHADED,
        _NET_WM_WINDOW_OPACITY,
        _NET_WM_WINDOW_TYPE,
        _NET_WM_WINDOW_TYPE_DESKTOP,
        _NET_WM_WINDOW_TYPE_DOCK,
        _NET_WM_WINDOW_TYPE_NOTIFICATION,
        _XEMBED_INFO,
        _XROOTPMAP_ID,
        _XSETTINGS_SETTINGS,
    }
}

/// How RENDER reads the pixels of a visual.
#[derive(Clone, Copy)]
pub struct VisualFormat {
    pub id: Pictformat,
    pub has_alpha: bool,
}

pub struct Server {
    pub conn: XConnection,
    pub root: Window,
    pub root_visual: Visualid,
    pub root_depth: u8,
    /// Whether pixels of the root are 32 bits of BGRX, so that they can be read and written without conversion.
    pub root_is_bgrx: bool,
    pub atoms: Atoms,
    /// The selection a compositing manager of this screen owns.
    pub compositor_selection: Atom,
    /// The selection a settings manager of this screen owns.
    pub settings_selection: Atom,
    /// A 32-bit visual with alpha in the usual channel order, if there is one.
    pub argb_visual: Option<Visualid>,
    pub argb_format: Pictformat,
    pub visual_formats: HashMap<Visualid, VisualFormat>,
    /// Whether memory can be shared with the server; set to false at the first refusal.
    pub shm: Cell<bool>,
    pub randr: bool,
    /// Whether it says which process a window is of.
    pub tells_processes: bool,
    pub vendor_release: u32,
    pub xwayland: bool,
    /// Events that were looked at before their turn.
    ahead: RefCell<VecDeque<Event>>,
}

/// A connection; `display` absent means `$DISPLAY`. Done step by step rather than with x11rb's own `connect`, so that the
/// socket can be shut down when the server never answers.
pub fn connect(display: Option<&str>, abandon: &Abandon) -> Outcome<XConnection> {
    let named = display.map_or_else(|| std::env::var("DISPLAY").unwrap_or_default(), Into::into);
    handshake(display, abandon).or_else(|error| Fault::failed(describe_connect(&error, &named)))
}

fn handshake(display: Option<&str>, abandon: &Abandon) -> Result<XConnection, ConnectError> {
    let parsed = parse_display(display)?;
    let mut failure = None;
    for address in parsed.connect_instruction() {
        let (stream, (family, host)) = match DefaultStream::connect(&address) {
            Ok(connected) => connected,
            Err(error) => {
                failure = Some(error);
                continue;
            }
        };
        if !abandon.waits_for(stream.as_fd().try_clone_to_owned()?) {
            break;
        }
        // Without a usable authority file the server decides.
        let (name, data) = get_auth(family, &host, parsed.display).ok().flatten().unwrap_or_default();
        return RustConnection::connect_to_stream_with_auth_info(Pipe::new(stream), parsed.screen.into(), name, data);
    }
    Err(failure.unwrap_or_else(|| ErrorKind::TimedOut.into()).into())
}

impl Server {
    /// Asks for everything the surface needs and refuses, with a sentence, what cannot work.
    pub fn open(display: Option<&str>, abandon: &Abandon) -> Outcome<Server> {
        let conn = connect(display, abandon)?;
        let setup = conn.setup();
        if setup.image_byte_order != ImageOrder::LSB_FIRST {
            return Fault::failed("refused: this X server stores pixels in big-endian order, which Lets cannot write");
        }
        for (name, why) in [
            (composite::X11_EXTENSION_NAME, "so marks could only be drawn as opaque boxes"),
            (damage::X11_EXTENSION_NAME, "so marks could not follow what changes under them"),
            (render::X11_EXTENSION_NAME, "so marks could not be blended over what is under them"),
            (shape::X11_EXTENSION_NAME, "so a mark would block clicks"),
            (xfixes::X11_EXTENSION_NAME, "so a compositor that starts or stops would go unnoticed"),
        ] {
            if conn.extension_information(name)?.is_none() {
                return Fault::failed(format!("refused: this X server has no {name} extension, {why}"));
            }
        }
        conn.composite_query_version(0, 4)?.reply()?;
        conn.damage_query_version(1, 1)?.reply()?;
        conn.xfixes_query_version(5, 0)?.reply()?;
        conn.render_query_version(0, 11)?.reply()?;
        let randr = has_monitors(&conn)?;
        let shm = shares_memory(&conn)?;
        let tells_processes = super::claims::tells_processes(&conn)?;

        let Some(screen) = setup.roots.first() else { return Fault::failed("this X server has no screen") };
        let (root, root_visual, root_depth) = (screen.root, screen.root_visual, screen.root_depth);
        let vendor_release = setup.release_number;
        let xwayland = check_xwayland(&conn, root, randr)?;
        let atoms = Atoms::new(&conn)?.reply()?;
        let compositor_selection = conn.intern_atom(false, b"_NET_WM_CM_S0")?.reply()?.atom;
        let settings_selection = conn.intern_atom(false, b"_XSETTINGS_S0")?.reply()?.atom;
        let formats = conn.render_query_pict_formats()?.reply()?;
        let Some(argb_format) = formats.formats.iter().find(|format| is_argb(format)).map(|format| format.id) else {
            return Fault::failed(
                "refused: this X server has no picture format with alpha, so marks cannot be blended",
            );
        };
        let visual_formats: HashMap<Visualid, VisualFormat> = formats
            .screens
            .first()
            .into_iter()
            .flat_map(|screen| &screen.depths)
            .flat_map(|depth| &depth.visuals)
            .filter_map(|visual| {
                let format = formats.formats.iter().find(|format| format.id == visual.format)?;
                Some((visual.visual, VisualFormat { id: format.id, has_alpha: format.direct.alpha_mask != 0 }))
            })
            .collect();
        if !visual_formats.contains_key(&root_visual) {
            return Fault::failed("refused: RENDER does not know the default visual of this X server");
        }
        let argb_visual = screen
            .allowed_depths
            .iter()
            .filter(|depth| depth.depth == 32)
            .flat_map(|depth| &depth.visuals)
            .find(|visual| visual_formats.get(&visual.visual_id).is_some_and(|format| format.id == argb_format))
            .map(|visual| visual.visual_id);
        let root_is_bgrx = matches!(root_depth, 24 | 32)
            && setup.pixmap_formats.iter().any(|format| format.depth == root_depth && format.bits_per_pixel == 32)
            && screen.allowed_depths.iter().flat_map(|depth| &depth.visuals).any(|visual| {
                visual.visual_id == root_visual
                    && (visual.red_mask, visual.green_mask, visual.blue_mask) == (0xff_0000, 0xff00, 0xff)
            });
        Ok(Server {
            root,
            root_visual,
            root_depth,
            root_is_bgrx,
            atoms,
            compositor_selection,
            settings_selection,
            argb_visual,
            argb_format,
            visual_formats,
            shm: Cell::new(shm),
            randr,
            tells_processes,
            vendor_release,
            xwayland,
            ahead: RefCell::default(),
            conn,
        })
    }

    pub fn fd(&self) -> RawFd {
        self.conn.stream().as_raw_fd()
    }

    /// The next event, if there is one.
    pub fn next_event(&self) -> Outcome<Option<Event>> {
        match self.ahead.borrow_mut().pop_front() {
            Some(event) => Ok(Some(event)),
            None => Ok(self.conn.poll_for_event()?),
        }
    }

    /// What windows came into which others, in the events that are there and were not taken yet: those before an answer
    /// are there with it.
    pub fn reparented_ahead(&self) -> Outcome<Vec<(Window, Window)>> {
        let mut ahead = self.ahead.borrow_mut();
        while let Some(event) = self.conn.poll_for_event()? {
            ahead.push_back(event);
        }
        let pair = |event: &Event| match event {
            Event::ReparentNotify(event) => Some((event.window, event.parent)),
            _ => None,
        };
        Ok(ahead.iter().filter_map(pair).collect())
    }

    /// Leaves out what is here by now about parts of a window that were laid bare up to a request of ours, and have been
    /// painted since.
    pub fn skip_exposures(&self, window: Window, until: SequenceNumber) -> Outcome<()> {
        while let Some((event, sequence)) = self.conn.poll_for_event_with_sequence()? {
            let painted = matches!(&event, Event::Expose(event) if event.window == window) && sequence <= until;
            if !painted {
                self.ahead.borrow_mut().push_back(event);
            }
        }
        Ok(())
    }

    /// The whole root, as large as it is now.
    pub fn root_rect(&self) -> Outcome<Rect> {
        let geometry = self.conn.get_geometry(self.root)?.reply()?;
        Ok(Rect::new(0, 0, geometry.width.into(), geometry.height.into()))
    }

    /// The owner of a selection, or `None`.
    pub fn owner(&self, selection: Atom) -> Outcome<Option<Window>> {
        let owner = self.conn.get_selection_owner(selection)?.reply()?.owner;
        Ok((owner != x11rb::NONE).then_some(owner))
    }
}

/// Whether RandR has monitors (1.5). Without them the root is the one display.
pub fn has_monitors(conn: &XConnection) -> Outcome<bool> {
    if conn.extension_information(randr::X11_EXTENSION_NAME)?.is_none() {
        return Ok(false);
    }
    let version = conn.randr_query_version(1, 5)?.reply()?;
    Ok((version.major_version, version.minor_version) >= (1, 5))
}

/// Whether the server takes memory by file descriptor: MIT-SHM 1.2, and a Unix socket to pass the descriptor over.
fn shares_memory(conn: &XConnection) -> Outcome<bool> {
    if conn.extension_information(shm::X11_EXTENSION_NAME)?.is_none() {
        return Ok(false);
    }
    let version = conn.shm_query_version()?.reply()?;
    if (version.major_version, version.minor_version) < (1, 2) {
        return Ok(false);
    }
    let socket = std::os::unix::net::UnixStream::from(conn.stream().as_fd().try_clone_to_owned().map_err(lost)?);
    Ok(socket.peer_addr().is_ok())
}

fn lost(error: std::io::Error) -> Fault {
    Fault::Lost(format!("the connection to the X server cannot be used: {error}"))
}

/// True for an Xwayland that is safe to draw on; a refusal for one that is not.
fn check_xwayland(conn: &XConnection, root: Window, randr: bool) -> Outcome<bool> {
    let xwayland_extension = conn.query_extension(b"XWAYLAND")?.reply()?.present;
    let mut outputs = Vec::new();
    if randr {
        let resources = conn.randr_get_screen_resources_current(root)?.reply()?;
        for output in resources.outputs {
            let info = conn.randr_get_output_info(output, resources.config_timestamp)?.reply()?;
            outputs.push(String::from_utf8_lossy(&info.name).into_owned());
        }
    }
    let setup = conn.setup();
    let vendor = String::from_utf8_lossy(&setup.vendor);
    let vendor_release = setup.release_number;
    match judge(&ServerFacts { xwayland_extension, vendor: &vendor, vendor_release, outputs: &outputs }) {
        Verdict::NotXwayland => Ok(false),
        Verdict::Safe => Ok(true),
        Verdict::Refused(reason) => Fault::failed(reason),
    }
}

fn is_argb(format: &render::Pictforminfo) -> bool {
    let direct = &format.direct;
    format.type_ == PictType::DIRECT
        && format.depth == 32
        && (direct.alpha_mask, direct.alpha_shift) == (0xff, 24)
        && (direct.red_mask, direct.red_shift) == (0xff, 16)
        && (direct.green_mask, direct.green_shift) == (0xff, 8)
        && (direct.blue_mask, direct.blue_shift) == (0xff, 0)
}

/// A rectangle as the protocol carries it; what does not fit 16 bits is clamped, and no screen is that large.
pub fn wire(rect: &Rect) -> xproto::Rectangle {
    xproto::Rectangle { x: short(rect.x), y: short(rect.y), width: size(rect.width), height: size(rect.height) }
}

pub fn short(value: i32) -> i16 {
    value.clamp(i16::MIN.into(), i16::MAX.into()) as i16
}

pub fn size(value: i32) -> u16 {
    value.clamp(0, u16::MAX.into()) as u16
}
