//! Capture into memory of JavaScript's own: only such memory can be handed to another thread of it without a copy.

use napi::bindgen_prelude::{Buffer, Env, Object, Result};
use napi_derive::napi;

use super::host::Picture;
use super::region::Rect;
use super::thread::Command;
use super::{CaptureRequest, X11Host};
use crate::api::{Reply, promise};

#[napi]
impl X11Host {
    /// As `capture`, into `target`, which must have four bytes for every pixel: opaque RGBA, rows without padding. It is
    /// written until the promise settles, and must be left alone before.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn capture_into<'env>(
        &self,
        env: &'env Env,
        request: CaptureRequest,
        #[napi(ts_arg_type = "Uint8Array")] target: Buffer,
    ) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        let reply = Reply::into_buffer(reply, target, |picture: Picture| picture.rgba);
        let area = Rect::new(request.x, request.y, request.width, request.height);
        self.handle.send(Command::Capture { area, overlay: request.overlay, reply });
        Ok(promise)
    }
}
