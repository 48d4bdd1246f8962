//! The calls every system has, and how an answer from another thread becomes a promise.

use napi::bindgen_prelude::{Buffer, Env, Object, Result, ToNapiValue};
use napi::{Error, JsDeferred};
use napi_derive::napi;

use crate::monitor::Monitor;
use crate::os;

/// A duty to answer exactly once. Dropping it unanswered (a panic, a thread that ended) answers with an error, so no
/// promise is ever left hanging.
pub struct Reply<T>(Option<Answer<T>>);

type Answer<T> = Box<dyn FnOnce(std::result::Result<T, String>) + Send>;

impl<T> Reply<T> {
    pub fn new(answer: impl FnOnce(std::result::Result<T, String>) + Send + 'static) -> Self {
        Self(Some(Box::new(answer)))
    }

    pub fn answer(mut self, result: std::result::Result<T, String>) {
        if let Some(answer) = self.0.take() {
            answer(result);
        }
    }
}

impl<T: 'static> Reply<T> {
    /// A duty to answer with something that has `bytes`, which fill `target`; `done` is then answered.
    pub fn into_buffer(done: Reply<()>, mut target: Buffer, bytes: fn(T) -> Vec<u8>) -> Reply<T> {
        // Runs on the thread that took the picture.
        Reply::new(move |picture: std::result::Result<T, String>| {
            done.answer(picture.map(bytes).and_then(|bytes| {
                if target.len() != bytes.len() {
                    return Err(format!("the picture has {} bytes, the target {}", bytes.len(), target.len()));
                }
                target.copy_from_slice(&bytes);
                Ok(())
            }));
        })
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        if let Some(answer) = self.0.take() {
            answer(Err("the native thread ended before it answered".into()));
        }
    }
}

type Resolver<T> = Box<dyn FnOnce(Env) -> Result<T>>;

/// A promise, and the reply that settles it from any thread; `convert` runs on the JavaScript thread.
pub fn promise<'env, T, J>(env: &'env Env, convert: fn(T) -> J) -> Result<(Reply<T>, Object<'env>)>
where
    T: Send + 'static,
    J: ToNapiValue + 'static,
{
    let (deferred, promise): (JsDeferred<J, Resolver<J>>, _) = env.create_deferred()?;
    let reply = Reply::new(move |result: std::result::Result<T, String>| match result {
        Ok(value) => deferred.resolve(Box::new(move |_| Ok(convert(value)))),
        Err(reason) => deferred.reject(Error::from_reason(reason)),
    });
    Ok((reply, promise))
}

/// Who is on the other end of a connected Unix socket, as the kernel recorded it.
#[napi(object, use_nullable = true)]
pub struct PeerCredentials {
    /// The peer's effective user id when it connected.
    pub uid: u32,
    /// The peer's process id when it connected, or null where the system does not say. It may have ended since.
    pub pid: Option<i32>,
}

/// The credentials of the peer of the connected Unix socket `fd`. Throws when `fd` is no such socket, and always on
/// Windows ("unsupported").
#[napi]
pub fn peer_credentials(fd: i32) -> Result<PeerCredentials> {
    os::peer_credentials(fd).map_err(Error::from_reason)
}

/// Another descriptor of what `fd` is open on, not passed on to child processes: it stays open when `fd` is closed, and is
/// the caller's to close. Throws when `fd` is not open.
#[cfg(unix)]
#[napi]
pub fn duplicate_descriptor(fd: i32) -> Result<i32> {
    crate::unix::duplicate_descriptor(fd).map_err(Error::from_reason)
}

#[napi(object)]
pub struct ListDisplaysOptions {
    /// The X display, such as `:0`; absent: `$DISPLAY`. Other systems ignore it.
    pub display: Option<String>,
    /// Milliseconds after which a display server that does not answer is given up.
    pub timeout_ms: u32,
}

/// The displays as they are now. Rejects with a plain sentence when no display server answers.
#[napi(ts_return_type = "Promise<Array<Monitor>>")]
pub fn list_displays(env: &Env, options: ListDisplaysOptions) -> Result<Object<'_>> {
    let (reply, promise) = promise(env, |monitors: Vec<Monitor>| monitors)?;
    os::list_displays(options, reply);
    Ok(promise)
}
