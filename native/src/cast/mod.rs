//! Pictures of monitors that the desktop hands out, as JavaScript sees them.

mod desk;
mod library;
mod pod;
mod stream;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use napi::bindgen_prelude::{Either, Env, Object, Result};
use napi_derive::napi;

use crate::api::{Reply, promise};
use crate::region::Rect;
use desk::{Desk, Failure, Kind, Limits, Offer};
use stream::Stream;

/// How long PipeWire may take to prepare a stream.
const STREAM_LIMIT: Duration = Duration::from_secs(5);

#[napi(object, object_to_js = false)]
pub struct ScreenCastOptions {
    /// The address of the session's bus.
    pub bus: String,
    /// Milliseconds in which the bus has to be there.
    pub connect_ms: u32,
    /// Milliseconds for what nobody is asked about.
    pub call_ms: u32,
    /// Milliseconds that the person may take to answer.
    pub person_ms: u32,
}

/// A monitor that the person agreed to have pictured.
#[napi(object, object_from_js = false)]
pub struct ScreenCastMonitor {
    /// Its number, which `prepare` takes.
    pub node: u32,
    /// Its top left in the compositor's logical points, where the desktop says so.
    pub position: Option<Vec<i32>>,
    /// Its size, mostly in logical points, where the desktop says so.
    pub size: Option<Vec<i32>>,
}

/// What came of asking the desktop.
#[napi(object, object_from_js = false)]
pub struct ScreenCastOffer {
    pub monitors: Vec<ScreenCastMonitor>,
    /// Has the next session begin without a question. It is good once. Absent: the desktop gives none.
    pub token: Option<String>,
}

#[napi(object, object_from_js = false)]
pub struct ScreenCastFault {
    /// `missing`: this desktop has no such portal. `dismissed`: the person said no, or nothing. `gone`: the bus or the
    /// portal ended. `token`: the token is not good, and nobody was asked.
    #[napi(ts_type = "'missing' | 'refused' | 'dismissed' | 'unanswered' | 'gone' | 'token'")]
    pub fault: String,
    /// A plain sentence.
    pub message: String,
}

#[derive(Default)]
struct Cast {
    desk: Option<Desk>,
    stream: Option<Stream>,
    /// A frame was taken from it: what is left is to let go of it, which nobody waits for.
    used: Option<Stream>,
    closed: bool,
}

/// What is shared with the threads that wait for the desktop.
type Shared = Arc<Mutex<Cast>>;

/// The stream that a frame is taken from.
pub struct Prepared(Shared);

impl Prepared {
    /// A part of a display of `size` pixels, opaque RGBA, of a frame that the desktop composes from now on. `logical`: the
    /// display's size in points, which some desktops deliver. `nudge` has the compositor compose a frame.
    pub fn take(
        &self,
        area: &Rect,
        size: (i32, i32),
        logical: (i32, i32),
        limit: Duration,
        nudge: impl FnMut(),
    ) -> std::result::Result<Vec<u8>, String> {
        let mut cast = lock(&self.0);
        let stream = cast.stream.as_ref().ok_or("no stream of the desktop was prepared")?;
        let taken = stream.take(limit, nudge);
        cast.used = cast.stream.take();
        drop(cast);
        let frame = taken?;
        let copied = frame.copied();
        let (width, height) = copied.upright();
        let is = |(across, down): (i32, i32)| (width, height) == (across as usize, down as usize);
        if !is(size) && !is(logical) {
            return Err(format!(
                "the desktop delivered a picture of {width}x{height} pixels, and the output has {}x{}",
                size.0, size.1
            ));
        }
        copied.picture(area, size).ok_or_else(|| "the desktop delivered too few pixels".into())
    }
}

/// One session of the desktop's ScreenCast portal. Nothing is asked before `ask`, and nothing runs between its calls.
#[napi]
pub struct ScreenCast {
    cast: Shared,
    bus: String,
    limits: Limits,
}

#[napi]
impl ScreenCast {
    #[napi(constructor)]
    pub fn new(options: ScreenCastOptions) -> ScreenCast {
        let ms = |ms: u32| Duration::from_millis(ms.into());
        let limits =
            Limits { connect: ms(options.connect_ms), call: ms(options.call_ms), person: ms(options.person_ms) };
        ScreenCast { cast: Shared::default(), bus: options.bus, limits }
    }

    /// Opens the session, once. Where there is no token, or it is not good any more, the desktop asks the person.
    #[napi(ts_return_type = "Promise<ScreenCastOffer | ScreenCastFault>")]
    pub fn ask<'env>(&self, env: &'env Env, token: Option<String>) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, told as fn(_) -> Either<ScreenCastOffer, ScreenCastFault>)?;
        let (cast, bus, limits) = (Arc::clone(&self.cast), self.bus.clone(), self.limits);
        on_thread(reply, move || {
            // Before the person is asked for what could not be used.
            let usable = library::library().map_err(|reason| Failure::missing(&reason));
            let asked =
                usable.and_then(|_| Desk::connect(&bus, limits)).and_then(|desk| ask(&cast, desk, token.as_deref()));
            Ok(asked)
        });
        Ok(promise)
    }

    /// Connects to the stream of a monitor, which stands still until a frame of it is taken. Rejects with a plain sentence.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn prepare<'env>(&self, env: &'env Env, node: u32) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        let cast = Arc::clone(&self.cast);
        on_thread(reply, move || {
            let desk = lock(&cast).desk.clone().ok_or("there is no session")?;
            let remote = desk.remote().map_err(|failure| failure.reason)?;
            let stream = Stream::connect(remote, node, STREAM_LIMIT)?;
            let mut cast = lock(&cast);
            if cast.closed {
                return Err("the session was closed".into());
            }
            cast.stream = Some(stream);
            Ok(())
        });
        Ok(promise)
    }

    /// Lets go of PipeWire; the session stays.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn release<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        let cast = Arc::clone(&self.cast);
        on_thread(reply, move || {
            let mut cast = lock(&cast);
            let streams = (cast.stream.take(), cast.used.take());
            drop(cast);
            drop(streams);
            Ok(())
        });
        Ok(promise)
    }

    /// Ends the session, and a question that is still up. Safe to call at any time.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn close<'env>(&self, env: &'env Env) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        let cast = Arc::clone(&self.cast);
        on_thread(reply, move || {
            let (streams, desk) = {
                let mut cast = lock(&cast);
                cast.closed = true;
                ((cast.stream.take(), cast.used.take()), cast.desk.take())
            };
            drop(streams);
            if let Some(desk) = desk {
                desk.close();
            }
            Ok(())
        });
        Ok(promise)
    }

    pub fn prepared(&self) -> Prepared {
        Prepared(Arc::clone(&self.cast))
    }
}

fn lock(cast: &Shared) -> std::sync::MutexGuard<'_, Cast> {
    cast.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ask(cast: &Shared, mut desk: Desk, token: Option<&str>) -> std::result::Result<Offer, Failure> {
    // Known to `close` while the person thinks.
    keep(cast, &desk)?;
    let offer = desk.ask(token);
    keep(cast, &desk)?;
    offer
}

fn keep(cast: &Shared, desk: &Desk) -> std::result::Result<(), Failure> {
    let mut cast = lock(cast);
    if cast.closed {
        drop(cast);
        desk.clone().close();
        return Err(Failure { kind: Kind::Gone, reason: "the session was closed".into(), token_refused: false });
    }
    cast.desk = Some(desk.clone());
    Ok(())
}

fn told(asked: std::result::Result<Offer, Failure>) -> Either<ScreenCastOffer, ScreenCastFault> {
    let pair = |(a, b): (i32, i32)| vec![a, b];
    match asked {
        Ok(Offer { monitors, token }) => {
            let monitors = monitors.into_iter().map(|monitor| ScreenCastMonitor {
                node: monitor.node,
                position: monitor.position.map(pair),
                size: monitor.size.map(pair),
            });
            Either::A(ScreenCastOffer { monitors: monitors.collect(), token })
        }
        Err(Failure { kind, reason, token_refused }) => {
            let fault = match kind {
                _ if token_refused => "token",
                Kind::Missing => "missing",
                Kind::Refused => "refused",
                Kind::Dismissed => "dismissed",
                Kind::Unanswered => "unanswered",
                Kind::Gone => "gone",
            };
            Either::B(ScreenCastFault { fault: fault.into(), message: reason })
        }
    }
}

/// Answers with what `work` comes to on a thread of its own: it waits for others.
fn on_thread<T: Send + 'static>(
    reply: Reply<T>,
    work: impl FnOnce() -> std::result::Result<T, String> + Send + 'static,
) {
    // Where none can be started the reply is dropped, which answers it.
    let _ = std::thread::Builder::new().name("lets-cast".into()).spawn(move || reply.answer(work()));
}
