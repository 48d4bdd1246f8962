//! The screen side of Lets: displays, peer credentials and, on Linux, the click-through surfaces with their capture.
//!
//! Everything that talks to an operating system lives in one file or folder per system: `os/` for the small calls,
//! `x11/` and `wayland/` for the surfaces, `cast/` for pictures that the desktop hands out.

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
mod cast;
#[cfg(target_os = "linux")]
mod fault;
#[cfg(target_os = "linux")]
mod limit;
#[cfg(target_os = "linux")]
mod pixels;
#[cfg(target_os = "linux")]
mod region;
#[cfg(target_os = "linux")]
mod scale;
#[cfg(target_os = "linux")]
mod surface;
#[cfg(target_os = "linux")]
mod wake;
#[cfg(target_os = "linux")]
mod wayland;
#[cfg(target_os = "linux")]
mod x11;
