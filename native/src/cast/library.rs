//! libpipewire as far as it is used here, loaded when it is first needed: most systems have it, and none must.

use std::ffi::{c_char, c_int, c_void};
use std::ptr::null_mut;
use std::sync::OnceLock;

use libloading::os::unix::{Library as Loaded, RTLD_LOCAL, RTLD_NOW};

/// The name that has been that of its C interface since 0.3.0.
const NAME: &str = "libpipewire-0.3.so.0";

/// An object of the library, only ever handed back to it.
pub type Handle = *mut c_void;

/// The version of `StreamEvents` below; newer libraries know of more, and call none of it.
pub const STREAM_EVENTS_VERSION: u32 = 2;

/// `struct pw_stream_events`.
#[repr(C)]
#[derive(Default)]
pub struct StreamEvents {
    pub version: u32,
    pub destroy: Option<extern "C" fn(*mut c_void)>,
    pub state_changed: Option<extern "C" fn(*mut c_void, c_int, c_int, *const c_char)>,
    pub control_info: Option<extern "C" fn(*mut c_void, u32, *const c_void)>,
    pub io_changed: Option<extern "C" fn(*mut c_void, u32, *mut c_void, u32)>,
    pub param_changed: Option<extern "C" fn(*mut c_void, u32, *const c_void)>,
    pub add_buffer: Option<extern "C" fn(*mut c_void, *mut Buffer)>,
    pub remove_buffer: Option<extern "C" fn(*mut c_void, *mut Buffer)>,
    pub process: Option<extern "C" fn(*mut c_void)>,
    pub drained: Option<extern "C" fn(*mut c_void)>,
    pub command: Option<extern "C" fn(*mut c_void, *const c_void)>,
    pub trigger_done: Option<extern "C" fn(*mut c_void)>,
}

/// `struct spa_hook`: where the library keeps a listener.
#[repr(C)]
pub struct Hook([*mut c_void; 6]);

impl Default for Hook {
    fn default() -> Self {
        Self([null_mut(); 6])
    }
}

/// `struct pw_buffer`, of which only the beginning is read.
#[repr(C)]
pub struct Buffer {
    pub buffer: *const SpaBuffer,
}

/// `struct spa_buffer`.
#[repr(C)]
pub struct SpaBuffer {
    pub n_metas: u32,
    pub n_datas: u32,
    pub metas: *const Meta,
    pub datas: *const Data,
}

/// `struct spa_meta`.
#[repr(C)]
pub struct Meta {
    pub kind: u32,
    pub size: u32,
    pub data: *const c_void,
}

/// `struct spa_data`.
#[repr(C)]
pub struct Data {
    pub kind: u32,
    pub flags: u32,
    pub fd: i64,
    pub map_offset: u32,
    pub max_size: u32,
    pub data: *const c_void,
    pub chunk: *const Chunk,
}

/// `struct spa_chunk`.
#[repr(C)]
pub struct Chunk {
    pub offset: u32,
    pub size: u32,
    pub stride: i32,
    pub flags: i32,
}

macro_rules! library {
    ($($name:ident: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions that are called.
        pub struct Library {
            $(pub $name: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
        }

        impl Library {
            fn load() -> Result<Library, String> {
                // SAFETY: loading it runs its initialisers, as it would for any program that is linked to it.
                let loaded = unsafe { Loaded::open(Some(NAME), RTLD_NOW | RTLD_LOCAL) }
                    .map_err(|error| format!("PipeWire's library ({NAME}) is not here, or does not load: {error}"))?;
                let library = Library {
                    $($name: {
                        // SAFETY: the signature is that of the header, which is stable under this name.
                        let found = unsafe {
                            loaded.get::<unsafe extern "C" fn($($argument),*) $(-> $result)?>(stringify!($name).as_bytes())
                        };
                        *found.map_err(|error| format!("{NAME} is of an unknown kind: {error}"))?
                    },)*
                };
                // It has threads and plugins of its own: it is never unloaded.
                std::mem::forget(loaded);
                // SAFETY: it may be called without arguments, and is here called once.
                unsafe { (library.pw_init)(null_mut(), null_mut()) };
                Ok(library)
            }
        }
    };
}

library! {
    pw_init: fn(*mut c_int, *mut *mut *mut c_char);
    pw_thread_loop_new: fn(*const c_char, *const c_void) -> Handle;
    pw_thread_loop_get_loop: fn(Handle) -> Handle;
    pw_thread_loop_start: fn(Handle) -> c_int;
    pw_thread_loop_stop: fn(Handle);
    pw_thread_loop_lock: fn(Handle);
    pw_thread_loop_unlock: fn(Handle);
    pw_thread_loop_destroy: fn(Handle);
    pw_context_new: fn(Handle, Handle, usize) -> Handle;
    pw_context_connect_fd: fn(Handle, c_int, Handle, usize) -> Handle;
    pw_context_destroy: fn(Handle);
    pw_core_disconnect: fn(Handle) -> c_int;
    pw_properties_new_string: fn(*const c_char) -> Handle;
    pw_stream_new: fn(Handle, *const c_char, Handle) -> Handle;
    pw_stream_add_listener: fn(Handle, *mut Hook, *const StreamEvents, *mut c_void);
    pw_stream_connect: fn(Handle, c_int, u32, c_int, *mut *const c_void, u32) -> c_int;
    pw_stream_update_params: fn(Handle, *mut *const c_void, u32) -> c_int;
    pw_stream_set_active: fn(Handle, bool) -> c_int;
    pw_stream_dequeue_buffer: fn(Handle) -> *mut Buffer;
    pw_stream_queue_buffer: fn(Handle, *mut Buffer) -> c_int;
    pw_stream_destroy: fn(Handle);
}

/// The library, or why it cannot be used.
pub fn library() -> Result<&'static Library, String> {
    static LIBRARY: OnceLock<Result<Library, String>> = OnceLock::new();
    LIBRARY.get_or_init(Library::load).as_ref().map_err(Clone::clone)
}

#[cfg(test)]
mod tests {
    use std::mem::{offset_of, size_of};

    use super::*;

    /// As a C compiler lays them out from PipeWire's headers, on 64 bits.
    #[test]
    fn structures_are_laid_out_as_in_c() {
        assert_eq!(size_of::<StreamEvents>(), 96);
        assert_eq!(
            (
                offset_of!(StreamEvents, state_changed),
                offset_of!(StreamEvents, param_changed),
                offset_of!(StreamEvents, process)
            ),
            (16, 40, 64)
        );
        assert_eq!((size_of::<Hook>(), size_of::<Meta>(), size_of::<Chunk>()), (48, 16, 16));
        assert_eq!((size_of::<SpaBuffer>(), offset_of!(SpaBuffer, metas), offset_of!(SpaBuffer, datas)), (24, 8, 16));
        assert_eq!(
            (size_of::<Data>(), offset_of!(Data, max_size), offset_of!(Data, data), offset_of!(Data, chunk)),
            (40, 20, 24, 32)
        );
    }
}
