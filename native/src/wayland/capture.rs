//! Asking the compositor for a copy of an output: through ext-image-copy-capture, or what came before it.

use smithay_client_toolkit::dispatch2::Dispatch2;
use wayland_client::globals::GlobalList;
use wayland_client::protocol::wl_output::Transform;
use wayland_client::protocol::wl_shm::Format;
use wayland_client::{Connection, Proxy, QueueHandle, WEnum};
use wayland_protocols::ext::image_capture_source::v1::client::ext_image_capture_source_v1::ExtImageCaptureSourceV1;
use wayland_protocols::ext::image_capture_source::v1::client::ext_output_image_capture_source_manager_v1::ExtOutputImageCaptureSourceManagerV1;
use wayland_protocols::ext::image_copy_capture::v1::client::ext_image_copy_capture_frame_v1::{
    self, ExtImageCopyCaptureFrameV1,
};
use wayland_protocols::ext::image_copy_capture::v1::client::ext_image_copy_capture_manager_v1::{
    ExtImageCopyCaptureManagerV1, Options,
};
use wayland_protocols::ext::image_copy_capture::v1::client::ext_image_copy_capture_session_v1::{
    self, ExtImageCopyCaptureSessionV1,
};
use wayland_protocols_wlr::screencopy::v1::client::zwlr_screencopy_frame_v1::{self, ZwlrScreencopyFrameV1};
use wayland_protocols_wlr::screencopy::v1::client::zwlr_screencopy_manager_v1::ZwlrScreencopyManagerV1;

use super::output::Head;
use super::picture::{Copied, FORMATS};
use super::sheet::Sheet;
use super::state::{Quiet, State};
use crate::pixels::PIXEL;
use crate::region::Rect;

/// The first release of wlr-screencopy that says when it has named every kind of buffer.
const SAYS_DONE: u32 = 3;

/// How copies are had.
pub enum Source {
    Ext { sources: ExtOutputImageCaptureSourceManagerV1, manager: ExtImageCopyCaptureManagerV1 },
    Wlr(ZwlrScreencopyManagerV1),
}

impl Source {
    /// `None`: ordinary programs may not see the screen here.
    pub fn bind(list: &GlobalList, queue: &QueueHandle<State>) -> Option<Source> {
        let ext = list.bind(queue, 1..=1, Quiet).ok().zip(list.bind(queue, 1..=1, Quiet).ok());
        if let Some((sources, manager)) = ext {
            return Some(Source::Ext { sources, manager });
        }
        list.bind(queue, 1..=SAYS_DONE, Quiet).ok().map(Source::Wlr)
    }

    pub fn name(&self) -> &'static str {
        match self {
            Source::Ext { .. } => "ext-image-copy-capture",
            Source::Wlr(_) => "wlr-screencopy",
        }
    }

    /// Begins a copy of the next frame of an output, without the pointer: the compositor then says what buffer it wants.
    /// `part`: only this is wanted, in logical points; what is copied may be more.
    pub fn begin(&self, queue: &QueueHandle<State>, head: &Head, part: Option<Rect>) -> Shot {
        let output = &head.output;
        let asked = match self {
            Source::Ext { sources, manager } => {
                let source = sources.create_source(output, queue, Quiet);
                let session = manager.create_session(&source, Options::empty(), queue, ShotEvents);
                Asked::Ext { source, session, frame: None }
            }
            Source::Wlr(manager) => Asked::Wlr(match part {
                Some(part) => {
                    let Rect { x, y, width, height } = part;
                    manager.capture_output_region(0, output, x, y, width, height, queue, ShotEvents)
                }
                None => manager.capture_output(0, output, queue, ShotEvents),
            }),
        };
        // Only ext-image-copy-capture says it itself, and has no parts.
        let (transform, part) = match asked {
            Asked::Ext { .. } => (Transform::Normal, None),
            Asked::Wlr(_) => (head.transform, part),
        };
        Shot { asked, part, offers: Vec::new(), size: (0, 0), offered: false, done: None, inverted: false, transform }
    }
}

enum Asked {
    Ext {
        source: ExtImageCaptureSourceV1,
        session: ExtImageCopyCaptureSessionV1,
        frame: Option<ExtImageCopyCaptureFrameV1>,
    },
    Wlr(ZwlrScreencopyFrameV1),
}

/// A buffer that the compositor would copy to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Offer {
    pub format: Format,
    pub width: i32,
    pub height: i32,
    pub stride: i32,
}

fn side(pixels: u32) -> i32 {
    i32::try_from(pixels).unwrap_or(0)
}

/// One copy under way. Dropping it ends it.
pub struct Shot {
    asked: Asked,
    /// The part of the output that is copied, in logical points; `None`: all of it.
    pub part: Option<Rect>,
    offers: Vec<Offer>,
    size: (u32, u32),
    /// Every buffer was named.
    pub offered: bool,
    /// It was copied, or why not.
    pub done: Option<Result<(), String>>,
    inverted: bool,
    transform: Transform,
}

impl Shot {
    /// The buffer to copy to; `None`: the compositor wants none that we can read.
    pub fn best_offer(&self) -> Option<Offer> {
        FORMATS.iter().find_map(|format| self.offers.iter().find(|offer| offer.format == *format)).copied()
    }

    /// The formats that were offered, for people.
    pub fn offered_formats(&self) -> String {
        let names: Vec<String> = self.offers.iter().map(|offer| format!("{:?}", offer.format)).collect();
        if names.is_empty() { "none".into() } else { names.join(", ") }
    }

    pub fn copy_to(&mut self, queue: &QueueHandle<State>, sheet: &Sheet) {
        let buffer = sheet.buffer().wl_buffer();
        match &mut self.asked {
            Asked::Wlr(frame) => frame.copy(buffer),
            Asked::Ext { session, frame, .. } => {
                let asked = session.create_frame(queue, ShotEvents);
                asked.attach_buffer(buffer);
                // All of it is new to us.
                asked.damage_buffer(0, 0, side(self.size.0), side(self.size.1));
                asked.capture();
                *frame = Some(asked);
            }
        }
    }

    /// What was copied, for its reading.
    pub fn copied<'a>(&self, offer: &Offer, bytes: &'a [u8]) -> Copied<'a> {
        let [width, height, stride] = [offer.width, offer.height, offer.stride].map(|side| side.max(0) as usize);
        let (format, transform, inverted) = (offer.format, self.transform, self.inverted);
        Copied { bytes, width, height, stride, format, transform, inverted }
    }

    fn offer(&mut self, format: WEnum<Format>, (width, height): (u32, u32), stride: u32) {
        let WEnum::Value(format) = format else { return };
        self.offers.push(Offer { format, width: side(width), height: side(height), stride: side(stride) });
    }

    fn fail(&mut self, reason: &str) {
        self.done.get_or_insert(Err(reason.into()));
    }
}

impl Drop for Shot {
    fn drop(&mut self) {
        match &self.asked {
            Asked::Wlr(frame) => frame.destroy(),
            Asked::Ext { source, session, frame } => {
                if let Some(frame) = frame {
                    frame.destroy();
                }
                session.destroy();
                source.destroy();
            }
        }
    }
}

/// The events of the one copy that is under way.
pub struct ShotEvents;

impl Dispatch2<ZwlrScreencopyFrameV1, State> for ShotEvents {
    fn event(
        &self,
        state: &mut State,
        frame: &ZwlrScreencopyFrameV1,
        event: zwlr_screencopy_frame_v1::Event,
        _: &Connection,
        _: &QueueHandle<State>,
    ) {
        use zwlr_screencopy_frame_v1::{Event, Flags};
        let Some(shot) = &mut state.shot else { return };
        match event {
            Event::Buffer { format, width, height, stride } => {
                shot.offer(format, (width, height), stride);
                shot.offered |= frame.version() < SAYS_DONE;
            }
            Event::BufferDone => shot.offered = true,
            Event::Flags { flags: WEnum::Value(flags) } => shot.inverted = flags.contains(Flags::YInvert),
            Event::Ready { .. } => shot.done = Some(Ok(())),
            Event::Failed => shot.fail("the compositor refused to copy the output"),
            _ => {}
        }
    }
}

impl Dispatch2<ExtImageCopyCaptureSessionV1, State> for ShotEvents {
    fn event(
        &self,
        state: &mut State,
        _: &ExtImageCopyCaptureSessionV1,
        event: ext_image_copy_capture_session_v1::Event,
        _: &Connection,
        _: &QueueHandle<State>,
    ) {
        use ext_image_copy_capture_session_v1::Event;
        let Some(shot) = &mut state.shot else { return };
        match event {
            Event::BufferSize { width, height } => shot.size = (width, height),
            Event::ShmFormat { format } => {
                // Its size may come after it, and its rows have no padding.
                shot.offer(format, (0, 0), 0);
            }
            Event::Done => {
                let size = shot.size;
                for offer in &mut shot.offers {
                    let bytes = if matches!(offer.format, Format::Bgr888 | Format::Rgb888) { 3 } else { PIXEL as i32 };
                    (offer.width, offer.height) = (side(size.0), side(size.1));
                    offer.stride = offer.width.saturating_mul(bytes);
                }
                shot.offered = true;
            }
            Event::Stopped => shot.fail("the compositor stopped copying: the output went away"),
            _ => {}
        }
    }
}

impl Dispatch2<ExtImageCopyCaptureFrameV1, State> for ShotEvents {
    fn event(
        &self,
        state: &mut State,
        _: &ExtImageCopyCaptureFrameV1,
        event: ext_image_copy_capture_frame_v1::Event,
        _: &Connection,
        _: &QueueHandle<State>,
    ) {
        use ext_image_copy_capture_frame_v1::{Event, FailureReason};
        let Some(shot) = &mut state.shot else { return };
        match event {
            Event::Transform { transform: WEnum::Value(transform) } => shot.transform = transform,
            Event::Ready => shot.done = Some(Ok(())),
            Event::Failed { reason: WEnum::Value(FailureReason::BufferConstraints) } => {
                shot.fail("the output changed while it was copied");
            }
            Event::Failed { .. } => shot.fail("the compositor refused to copy the output"),
            _ => {}
        }
    }
}
