//! macOS: `getpeereid` with `LOCAL_PEERPID`, and displays through CoreGraphics.

use crate::api::{ListDisplaysOptions, PeerCredentials, Reply};
use crate::monitor::Monitor;

pub fn peer_credentials(fd: i32) -> Result<PeerCredentials, String> {
    let (mut uid, mut gid) = (0, 0);
    // SAFETY: both pointers are to live locals of the types the call writes.
    if unsafe { libc::getpeereid(fd, &raw mut uid, &raw mut gid) } != 0 {
        return Err(format!("no peer credentials for file descriptor {fd}: {}", std::io::Error::last_os_error()));
    }
    let mut pid: libc::pid_t = 0;
    let mut length = size_of::<libc::pid_t>() as libc::socklen_t;
    // SAFETY: the kernel writes at most `length` bytes into `pid`, which outlives the call.
    let status =
        unsafe { libc::getsockopt(fd, libc::SOL_LOCAL, libc::LOCAL_PEERPID, (&raw mut pid).cast(), &raw mut length) };
    Ok(PeerCredentials { uid, pid: (status == 0 && pid > 0).then_some(pid) })
}

#[repr(C)]
#[derive(Clone, Copy)]
struct CGPoint {
    x: f64,
    y: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct CGSize {
    width: f64,
    height: f64,
}

#[repr(C)]
#[derive(Clone, Copy)]
struct CGRect {
    origin: CGPoint,
    size: CGSize,
}

type CGDirectDisplayID = u32;
type CGDisplayModeRef = *mut std::ffi::c_void;

#[link(name = "CoreGraphics", kind = "framework")]
unsafe extern "C" {
    fn CGGetActiveDisplayList(max: u32, displays: *mut CGDirectDisplayID, count: *mut u32) -> i32;
    fn CGMainDisplayID() -> CGDirectDisplayID;
    fn CGDisplayBounds(display: CGDirectDisplayID) -> CGRect;
    fn CGDisplayScreenSize(display: CGDirectDisplayID) -> CGSize;
    fn CGDisplayCopyDisplayMode(display: CGDirectDisplayID) -> CGDisplayModeRef;
    fn CGDisplayModeGetPixelWidth(mode: CGDisplayModeRef) -> usize;
    fn CGDisplayModeGetPixelHeight(mode: CGDisplayModeRef) -> usize;
    fn CGDisplayModeRelease(mode: CGDisplayModeRef);
}

const MOST_DISPLAYS: usize = 32;

/// Positions are the system's points times the display's scale: macOS has no common pixel grid for all displays.
pub fn list_displays(_options: ListDisplaysOptions, reply: Reply<Vec<Monitor>>) {
    let mut ids = [0; MOST_DISPLAYS];
    let mut count = 0;
    // SAFETY: `ids` has room for the number of entries passed, and `count` is a live local.
    let status = unsafe { CGGetActiveDisplayList(MOST_DISPLAYS as u32, ids.as_mut_ptr(), &raw mut count) };
    if status != 0 {
        return reply.answer(Err(format!("CoreGraphics did not list the displays (error {status})")));
    }
    reply.answer(Ok(ids.iter().take(count as usize).map(|id| describe(*id)).collect()));
}

fn describe(id: CGDirectDisplayID) -> Monitor {
    // SAFETY: these take an id by value and return plain values.
    let (bounds, size, main) = unsafe { (CGDisplayBounds(id), CGDisplayScreenSize(id), CGMainDisplayID()) };
    let (width, height) =
        pixel_size(id).unwrap_or((bounds.size.width.round() as i32, bounds.size.height.round() as i32));
    let scale = if bounds.size.width > 0.0 { f64::from(width) / bounds.size.width } else { 1.0 };
    Monitor {
        name: id.to_string(),
        x: (bounds.origin.x * scale).round() as i32,
        y: (bounds.origin.y * scale).round() as i32,
        width,
        height,
        mm_width: size.width.round() as i32,
        mm_height: size.height.round() as i32,
        primary: id == main,
        scale,
    }
}

fn pixel_size(id: CGDirectDisplayID) -> Option<(i32, i32)> {
    // SAFETY: the mode is checked for null before use and released exactly once.
    unsafe {
        let mode = CGDisplayCopyDisplayMode(id);
        if mode.is_null() {
            return None;
        }
        let size = (CGDisplayModeGetPixelWidth(mode) as i32, CGDisplayModeGetPixelHeight(mode) as i32);
        CGDisplayModeRelease(mode);
        Some(size)
    }
}
