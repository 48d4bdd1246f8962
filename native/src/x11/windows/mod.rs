//! Other programs' windows: which there are, what becomes of them, and bringing one forward.

mod activate;
mod filling;
mod list;
mod properties;
mod seen;
mod watch;

use napi::bindgen_prelude::{Env, Object, Result};
use napi_derive::napi;

use super::thread::Command;
use super::{PixelRect, X11Host};
use crate::api::promise;

pub use activate::activate;
pub use list::list;
pub use watch::Watch;

/// A window a person can see, or could: a minimised one, or one on another workspace.
#[napi(object, object_from_js = false, use_nullable = true)]
pub struct WindowInfo {
    /// The child of the root: the frame, when a window manager puts one around the application's own window.
    pub id: u32,
    /// The application's own window; the same as `id` when there is no frame.
    pub client: u32,
    /// Left edge of the frame in physical pixels of the root. The rectangle holds the frame with its borders, and shadows
    /// only where the application draws them itself.
    pub x: i32,
    /// Top edge of the frame in physical pixels of the root.
    pub y: i32,
    /// Width of the frame in physical pixels, both borders included.
    pub width: i32,
    /// Height of the frame in physical pixels, both borders included.
    pub height: i32,
    /// The application's own window, without the frame and its borders and without a shadow that the application draws
    /// itself, in physical pixels of the root.
    pub content: PixelRect,
    /// The class in WM_CLASS, such as `XTerm`; empty when the application sets none.
    pub class_name: String,
    /// The instance in WM_CLASS, such as `xterm`; empty when the application sets none.
    pub instance: String,
    /// The title; empty when there is none, and cut after 4096 bytes.
    pub title: String,
    /// What the application says its process id is, or null. It may be one of another machine.
    pub pid: Option<u32>,
    /// No window manager has a say in it: a menu, a tooltip, a notification.
    pub override_redirect: bool,
    /// It is on the screen, though others may cover it.
    pub viewable: bool,
    pub minimized: bool,
    /// The window manager says that it is not to be seen: it is on another workspace, or minimised.
    pub hidden: bool,
    /// The window manager says that it fills its screen.
    pub full_screen: bool,
    /// The window manager says that it is maximised, in one direction at least.
    pub maximized: bool,
    /// A desktop's background or a panel.
    pub furniture: bool,
    /// Clicks on it are its own, at least in part. Told of windows no window manager has a say in; true for others.
    pub takes_clicks: bool,
}

/// What became of a window since the last event.
#[napi(object)]
#[derive(Clone, Debug, PartialEq)]
pub struct WindowChange {
    /// As in `WindowInfo`.
    pub id: u32,
    /// `appeared`: it is on the screen now. `gone`: it is not any more: closed, minimised, or on another workspace.
    /// `moved`: it has another rectangle, and perhaps another place in the stacking. `restacked`: it has another place
    /// in the stacking, or the workspace changed around it.
    #[napi(ts_type = "'moved' | 'appeared' | 'gone' | 'restacked'")]
    pub kind: String,
    /// The outer rectangle after the change (the last one there was, when it is gone), in physical pixels of the root.
    pub x: i32,
    pub y: i32,
    pub width: i32,
    pub height: i32,
    /// It may be full screen now and was not, or the other way round: ask `windows`.
    pub filling: bool,
}

#[napi]
impl X11Host {
    /// The windows a person can see or could see, bottom to top, without what is drawn here. Left out are windows of
    /// at most four pixels, those of the server itself, and those that only take input. A window that vanishes
    /// meanwhile is left out, never an error.
    #[napi(ts_return_type = "Promise<Array<WindowInfo>>")]
    pub fn windows<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |windows: Vec<WindowInfo>| windows)?;
        self.handle.send(Command::Windows(reply));
        Ok(promise)
    }

    /// Whether `windows` events are sent; off at first. On: of every change after the promise resolves, compared with
    /// what was on the screen then. Off: none is sent, and the thread does nothing for it.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn watch_windows<'env>(&self, env: &'env Env, on: bool) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        self.handle.send(Command::WatchWindows(on, reply));
        Ok(promise)
    }

    /// Brings a window forward and gives it the focus; a minimised one too, and one on another workspace, which is then
    /// shown. `client` is that of `WindowInfo`. Resolves when the server has taken the request; a window manager then does it in its own
    /// time, or refuses without a word. Rejects when there is no such window, and when it is one that the window manager
    /// does not manage.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn activate<'env>(&self, env: &'env Env, client: u32) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        self.handle.send(Command::Activate(client, reply));
        Ok(promise)
    }
}
