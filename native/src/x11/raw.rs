//! Raw input events of the root: what is pressed and moved anywhere, observed and never taken, also while another program
//! has grabbed the pointer. Listened to only for as
//! long as something wants to know.

use x11rb::connection::RequestConnection;
use x11rb::protocol::xinput::{self, ConnectionExt as _, Device, EventMask, XIEventMask};

use super::fault::Outcome;
use super::host::Host;

#[derive(Default)]
pub struct Raw {
    mask: XIEventMask,
    asked_version: bool,
}

impl Host {
    /// Listens to what is wanted now, and to nothing else.
    pub fn listen_raw(&mut self) -> Outcome<()> {
        let mut mask = XIEventMask::default();
        if self.content.is_watched() || self.touch.wants_presses() {
            mask |= XIEventMask::RAW_BUTTON_PRESS;
        }
        if self.pointer.wants_motion() {
            mask |= XIEventMask::RAW_MOTION;
        }
        let conn = &self.server.conn;
        if mask == self.raw.mask || conn.extension_information(xinput::X11_EXTENSION_NAME)?.is_none() {
            return Ok(());
        }
        if !self.raw.asked_version {
            conn.xinput_xi_query_version(2, 2)?.reply()?;
            self.raw.asked_version = true;
        }
        let masks = EventMask { deviceid: Device::ALL_MASTER.into(), mask: vec![mask] };
        conn.xinput_xi_select_events(self.server.root, &[masks])?;
        self.raw.mask = mask;
        Ok(())
    }
}
