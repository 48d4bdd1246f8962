//! Windows: displays through `EnumDisplayMonitors`. Unix sockets there carry no peer credentials.

use windows_sys::Win32::Foundation::{LPARAM, RECT, TRUE};
use windows_sys::Win32::Graphics::Gdi::{
    EnumDisplayMonitors, GetMonitorInfoW, HDC, HMONITOR, MONITORINFO, MONITORINFOEXW,
};
use windows_sys::Win32::UI::HiDpi::{
    DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2, GetDpiForMonitor, MDT_EFFECTIVE_DPI, SetThreadDpiAwarenessContext,
};
use windows_sys::core::BOOL;

use crate::api::{ListDisplaysOptions, PeerCredentials, Reply};
use crate::monitor::Monitor;

const MONITORINFOF_PRIMARY: u32 = 1;

pub fn peer_credentials(_fd: i32) -> Result<PeerCredentials, String> {
    Err("unsupported: Windows does not record who is on the other end of a Unix socket".into())
}

pub fn list_displays(_options: ListDisplaysOptions, reply: Reply<Vec<Monitor>>) {
    let mut monitors: Vec<Monitor> = Vec::new();
    // SAFETY: `visit` runs only during this call, on this thread, so `monitors` outlives every use of the pointer.
    // Without per-monitor awareness the system reports scaled coordinates; the thread's own setting is put back.
    let listed = unsafe {
        let before = SetThreadDpiAwarenessContext(DPI_AWARENESS_CONTEXT_PER_MONITOR_AWARE_V2);
        let listed =
            EnumDisplayMonitors(std::ptr::null_mut(), std::ptr::null(), Some(visit), (&raw mut monitors) as LPARAM);
        if !before.is_null() {
            SetThreadDpiAwarenessContext(before);
        }
        listed
    };
    reply.answer(if listed == 0 { Err("Windows did not list the displays".into()) } else { Ok(monitors) });
}

unsafe extern "system" fn visit(handle: HMONITOR, _: HDC, _: *mut RECT, monitors: LPARAM) -> BOOL {
    // SAFETY: `list_displays` passes a pointer to its own vector and waits for this callback to return.
    let monitors = unsafe { &mut *(monitors as *mut Vec<Monitor>) };
    // SAFETY: all-zero bytes are a valid MONITORINFOEXW.
    let mut info: MONITORINFOEXW = unsafe { std::mem::zeroed() };
    info.monitorInfo.cbSize = size_of::<MONITORINFOEXW>() as u32;
    // SAFETY: `cbSize` says that the larger structure, which starts with the smaller, is there to be filled.
    if unsafe { GetMonitorInfoW(handle, (&raw mut info).cast::<MONITORINFO>()) } == 0 {
        return TRUE;
    }
    let (mut dpi_x, mut dpi_y) = (96, 96);
    // SAFETY: both pointers are to live locals.
    unsafe { GetDpiForMonitor(handle, MDT_EFFECTIVE_DPI, &raw mut dpi_x, &raw mut dpi_y) };
    let area = info.monitorInfo.rcMonitor;
    let end = info.szDevice.iter().position(|unit| *unit == 0).unwrap_or(info.szDevice.len());
    monitors.push(Monitor {
        name: String::from_utf16_lossy(&info.szDevice[..end]),
        x: area.left,
        y: area.top,
        width: area.right - area.left,
        height: area.bottom - area.top,
        mm_width: 0,
        mm_height: 0,
        primary: info.monitorInfo.dwFlags & MONITORINFOF_PRIMARY != 0,
        scale: f64::from(dpi_x) / 96.0,
    });
    TRUE
}
