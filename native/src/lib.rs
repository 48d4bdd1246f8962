//! The screen side of Lets: displays, peer credentials and, on Linux, the click-through X11 surface with its capture.
//!
//! Everything that talks to an operating system lives in one file or folder per system: `os/` for the small calls,
//! `x11/` for the surface.

mod monitor;

#[cfg_attr(target_os = "linux", path = "os/linux.rs")]
#[cfg_attr(target_os = "macos", path = "os/macos.rs")]
#[cfg_attr(windows, path = "os/windows.rs")]
mod os;

#[cfg(unix)]
#[path = "os/unix.rs"]
mod unix;

mod api;

#[cfg(target_os = "linux")]
mod scale;
#[cfg(target_os = "linux")]
mod x11;
