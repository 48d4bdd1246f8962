//! One frame of a PipeWire stream. It is there, and inactive, until a frame is wanted: then, and not before, the desktop
//! begins to deliver, so that the first frame shows what there was to see after that moment. While it is inactive PipeWire
//! does not even agree on a format, so nothing can have been delivered.

use std::ffi::{CStr, c_char, c_int, c_void};
use std::os::fd::{IntoRawFd, OwnedFd};
use std::ptr::{from_mut, null, null_mut};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use wayland_client::protocol::wl_output::Transform;

use super::library::{Buffer, Handle, Hook, Library, STREAM_EVENTS_VERSION, SpaBuffer, StreamEvents, library};
use super::pod::{self, Agreed, META_HEADER, META_TRANSFORM, PARAM_FORMAT, Pod};
use crate::wayland::picture::Copied;

const DIRECTION_INPUT: c_int = 0;
const AUTOCONNECT: c_int = 1 << 0;
const INACTIVE: c_int = 1 << 1;
const MAP_BUFFERS: c_int = 1 << 2;
/// A monitor that goes away is not to be replaced by whatever else there is.
const DONT_RECONNECT: c_int = 1 << 7;

const STATE_ERROR: c_int = -1;
const STATE_UNCONNECTED: c_int = 0;
const STATE_PAUSED: c_int = 2;

const HEADER_CORRUPTED: u32 = 1 << 1;
const CHUNK_CORRUPTED: i32 = 1 << 0;

/// How long a frame may take before the desktop is given a reason for one.
const NUDGE_AFTER: Duration = Duration::from_millis(60);

/// One frame, as the desktop delivered it.
pub struct Frame {
    pub bytes: Vec<u8>,
    stride: usize,
    agreed: Agreed,
    transform: Transform,
}

impl Frame {
    pub fn copied(&self) -> Copied<'_> {
        let Agreed { format, width, height } = self.agreed;
        let (bytes, stride, transform) = (&self.bytes[..], self.stride, self.transform);
        Copied { bytes, width, height, stride, format, transform, inverted: false }
    }
}

#[derive(Default)]
struct Heard {
    agreed: Option<Agreed>,
    paused: bool,
    /// A frame is wanted.
    wanted: bool,
    frame: Option<Frame>,
    fault: Option<String>,
}

/// What the library's thread and ours share. It stays where it is for as long as the stream exists.
struct Ears {
    library: &'static Library,
    stream: Handle,
    heard: Mutex<Heard>,
    news: Condvar,
}

impl Ears {
    fn heard(&self) -> MutexGuard<'_, Heard> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, change: impl FnOnce(&mut Heard)) {
        change(&mut self.heard());
        self.news.notify_all();
    }

    /// Waits until `is_so`, until something failed, or until it is too late: false.
    fn wait(&self, limit: Duration, is_so: impl Fn(&Heard) -> bool) -> Result<bool, String> {
        let due = Instant::now() + limit;
        let mut heard = self.heard();
        loop {
            if let Some(fault) = &heard.fault {
                return Err(fault.clone());
            }
            if is_so(&heard) {
                return Ok(true);
            }
            let left = due.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(false);
            }
            heard = self.news.wait_timeout(heard, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A stream of one monitor. Dropping it lets go of PipeWire.
pub struct Stream {
    library: &'static Library,
    looping: Handle,
    context: Handle,
    core: Handle,
    ears: Box<Ears>,
    // The library keeps pointers to both.
    _hook: Box<Hook>,
    _events: Box<StreamEvents>,
}

// SAFETY: the library's objects are used from one thread at a time: under the lock of its loop, or once that has ended.
unsafe impl Send for Stream {}

impl Stream {
    /// Connects to a monitor's stream, which begins to deliver only with `take`.
    pub fn connect(remote: OwnedFd, node: u32, limit: Duration) -> Result<Stream, String> {
        let library = library()?;
        let ears = Ears { library, stream: null_mut(), heard: Mutex::default(), news: Condvar::new() };
        let mut stream = Stream {
            library,
            looping: null_mut(),
            context: null_mut(),
            core: null_mut(),
            ears: Box::new(ears),
            _hook: Box::default(),
            _events: Box::new(StreamEvents {
                version: STREAM_EVENTS_VERSION,
                state_changed: Some(state_changed),
                param_changed: Some(param_changed),
                process: Some(process),
                ..StreamEvents::default()
            }),
        };
        stream.begin(remote, node)?;
        if stream.ears.wait(limit, |heard| heard.paused)? {
            return Ok(stream);
        }
        Err(format!("PipeWire did not answer within {} s", limit.as_secs_f64()))
    }

    fn begin(&mut self, remote: OwnedFd, node: u32) -> Result<(), String> {
        let Stream { library, .. } = *self;
        let made = |handle: Handle, what: &str| {
            if handle.is_null() {
                return Err(format!("PipeWire's library made no {what}: {}", std::io::Error::last_os_error()));
            }
            Ok(handle)
        };
        // SAFETY: each is called with what the one before returned, after it was looked at; nothing runs in the loop yet.
        unsafe {
            self.looping = made((library.pw_thread_loop_new)(c"lets-pipewire".as_ptr(), null()), "loop")?;
            let inner = (library.pw_thread_loop_get_loop)(self.looping);
            self.context = made((library.pw_context_new)(inner, null_mut(), 0), "context")?;
            // It owns the descriptor from here on, also when it fails.
            let fd = remote.into_raw_fd();
            self.core = made((library.pw_context_connect_fd)(self.context, fd, null_mut(), 0), "connection")?;
            let about = c"media.type=Video media.category=Capture media.role=Screen".as_ptr();
            let properties = (library.pw_properties_new_string)(about);
            self.ears.stream = made((library.pw_stream_new)(self.core, c"Lets".as_ptr(), properties), "stream")?;
            let data = from_mut(&mut *self.ears).cast::<c_void>();
            (library.pw_stream_add_listener)(self.ears.stream, &raw mut *self._hook, &raw const *self._events, data);
            let formats = pod::wanted_formats();
            let flags = AUTOCONNECT | INACTIVE | MAP_BUFFERS | DONT_RECONNECT;
            let mut params = pointers(std::slice::from_ref(&formats));
            let done = (library.pw_stream_connect)(
                self.ears.stream,
                DIRECTION_INPUT,
                node,
                flags,
                params.as_mut_ptr(),
                params.len() as u32,
            );
            succeeded(done, "connect the stream")?;
            succeeded((library.pw_thread_loop_start)(self.looping), "start its thread")
        }
    }

    /// Has the desktop deliver, and gives the first frame that it composed from now on. Good once. `nudge` is called while
    /// none comes: some desktops deliver only what changes.
    pub fn take(&self, limit: Duration, mut nudge: impl FnMut()) -> Result<Frame, String> {
        self.ears.tell(|heard| heard.wanted = true);
        self.activate()?;
        let due = Instant::now() + limit;
        while !self.ears.wait(NUDGE_AFTER, |heard| heard.frame.is_some())? {
            if Instant::now() >= due {
                return Err(self.lacking(limit));
            }
            nudge();
        }
        self.ears.heard().frame.take().ok_or_else(|| self.lacking(limit))
    }

    /// Why there is no frame.
    fn lacking(&self, limit: Duration) -> String {
        let within = limit.as_secs_f64();
        match self.ears.heard().agreed {
            None => format!(
                "PipeWire connected nothing to the stream within {within} s: is its session manager (WirePlumber) running?"
            ),
            Some(_) => format!("the desktop delivered no frame within {within} s: the output may be off"),
        }
    }

    fn activate(&self) -> Result<(), String> {
        let Stream { library, looping, .. } = *self;
        // SAFETY: the stream exists, and is used under the lock of its loop.
        let done = unsafe {
            (library.pw_thread_loop_lock)(looping);
            let done = (library.pw_stream_set_active)(self.ears.stream, true);
            (library.pw_thread_loop_unlock)(looping);
            done
        };
        succeeded(done, "start the stream")
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        let Stream { library, looping, context, core, .. } = *self;
        // SAFETY: the loop has ended before anything goes that its thread uses; each exists, or was never made.
        unsafe {
            if !looping.is_null() {
                (library.pw_thread_loop_stop)(looping);
            }
            if !self.ears.stream.is_null() {
                (library.pw_stream_destroy)(self.ears.stream);
            }
            if !core.is_null() {
                (library.pw_core_disconnect)(core);
            }
            if !context.is_null() {
                (library.pw_context_destroy)(context);
            }
            if !looping.is_null() {
                (library.pw_thread_loop_destroy)(looping);
            }
        }
    }
}

fn succeeded(code: c_int, what: &str) -> Result<(), String> {
    if code >= 0 {
        return Ok(());
    }
    Err(format!("PipeWire could not {what}: {}", std::io::Error::from_raw_os_error(-code)))
}

fn pointers(pods: &[Pod]) -> Vec<*const c_void> {
    pods.iter().map(|pod| pod.as_ptr().cast()).collect()
}

/// # Safety
/// `data` is that of a listener above.
unsafe fn ears<'a>(data: *mut c_void) -> &'a Ears {
    // SAFETY: it is in a box that outlives the stream and its loop, and is only read, or behind its mutex.
    unsafe { &*data.cast::<Ears>() }
}

extern "C" fn state_changed(data: *mut c_void, before: c_int, now: c_int, error: *const c_char) {
    // SAFETY: as the library promises: its text lives for as long as this call.
    let (ears, said) = unsafe {
        let said = (!error.is_null()).then(|| CStr::from_ptr(error).to_string_lossy().into_owned());
        (ears(data), said)
    };
    let ended = now == STATE_ERROR || (now == STATE_UNCONNECTED && before != STATE_UNCONNECTED);
    ears.tell(|heard| {
        heard.paused |= now == STATE_PAUSED;
        if ended {
            let why = said.as_deref().unwrap_or("it gives no reason");
            heard.fault.get_or_insert(format!("PipeWire ended the stream: {why}"));
        }
    });
}

extern "C" fn param_changed(data: *mut c_void, id: u32, param: *const c_void) {
    if id != PARAM_FORMAT || param.is_null() {
        return;
    }
    // SAFETY: as the library promises: a parameter has the length that its head says.
    let (ears, bytes) = unsafe {
        let length = 8 + param.cast::<u32>().read() as usize;
        (ears(data), std::slice::from_raw_parts(param.cast::<u8>(), length))
    };
    let Some(agreed) = pod::agreed(bytes) else {
        ears.tell(|heard| {
            heard.fault.get_or_insert("the desktop delivers pictures only in formats unknown here".into());
        });
        return;
    };
    let wanted = pod::wanted_buffers();
    let mut params = pointers(&wanted);
    // SAFETY: this is the loop's own thread, and the library copies the parameters.
    let done = unsafe { (ears.library.pw_stream_update_params)(ears.stream, params.as_mut_ptr(), params.len() as u32) };
    let failed = succeeded(done, "agree on buffers").err();
    ears.tell(|heard| {
        heard.agreed = Some(agreed);
        if let Some(reason) = failed {
            heard.fault.get_or_insert(reason);
        }
    });
}

extern "C" fn process(data: *mut c_void) {
    // SAFETY: this is the loop's own thread; a buffer is ours from when it is taken until it is given back.
    unsafe {
        let ears = ears(data);
        loop {
            let buffer = (ears.library.pw_stream_dequeue_buffer)(ears.stream);
            if buffer.is_null() {
                break;
            }
            ears.tell(|heard| {
                if let (true, None, Some(agreed)) = (heard.wanted, &heard.frame, heard.agreed) {
                    heard.frame = read(buffer, agreed);
                }
            });
            (ears.library.pw_stream_queue_buffer)(ears.stream, buffer);
        }
    }
}

/// Copies what is in a buffer; `None`: nothing that shows something.
///
/// # Safety
/// `buffer` was taken from a stream and not given back.
unsafe fn read(buffer: *const Buffer, agreed: Agreed) -> Option<Frame> {
    // SAFETY: as the library promises: what a buffer points to exists, its arrays have their lengths, and its memory
    // `max_size` bytes.
    unsafe {
        let buffer = (*buffer).buffer.as_ref()?;
        if buffer.n_datas == 0 || meta(buffer, META_HEADER).is_some_and(|flags| flags & HEADER_CORRUPTED != 0) {
            return None;
        }
        let data = buffer.datas.as_ref()?;
        let chunk = data.chunk.as_ref()?;
        if data.data.is_null() || chunk.size == 0 || chunk.flags & CHUNK_CORRUPTED != 0 || chunk.stride <= 0 {
            return None;
        }
        let stride = chunk.stride as usize;
        let offset = (chunk.offset.checked_rem(data.max_size)?) as usize;
        let length = stride.checked_mul(agreed.height)?.min(data.max_size as usize - offset);
        let bytes = std::slice::from_raw_parts(data.data.cast::<u8>().add(offset), length).to_vec();
        let transform = meta(buffer, META_TRANSFORM).and_then(|number| Transform::try_from(number).ok());
        Some(Frame { bytes, stride, agreed, transform: transform.unwrap_or(Transform::Normal) })
    }
}

/// The first word of what a buffer says of itself.
///
/// # Safety
/// As for `read`.
unsafe fn meta(buffer: &SpaBuffer, kind: u32) -> Option<u32> {
    // SAFETY: as above.
    unsafe {
        let metas = if buffer.metas.is_null() {
            &[]
        } else {
            std::slice::from_raw_parts(buffer.metas, buffer.n_metas as usize)
        };
        let found = metas.iter().find(|meta| meta.kind == kind && meta.size >= 4 && !meta.data.is_null())?;
        Some(found.data.cast::<u32>().read())
    }
}
