//! The desktop's ScreenCast portal. The descriptor that PipeWire is reached through comes over the session bus, and a session
//! is for the connection that made it: so all of it is done here, on one connection.

use std::collections::HashMap;
use std::future::Future;
use std::os::fd::OwnedFd;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use async_io::{Timer, block_on};
use futures_lite::{FutureExt, StreamExt};
use zbus::names::{InterfaceName, MemberName, UniqueName};
use zbus::zvariant::{DynamicType, OwnedObjectPath, OwnedValue, Value};
use zbus::{Connection, MatchRule, Message, MessageStream, message};

const NAME: &str = "org.freedesktop.portal.Desktop";
const OBJECT: &str = "/org/freedesktop/portal/desktop";
const SCREENCAST: &str = "org.freedesktop.portal.ScreenCast";
const REQUEST: &str = "org.freedesktop.portal.Request";
const SESSION: &str = "org.freedesktop.portal.Session";

/// How the portals know programs outside of a sandbox, where a `.desktop` file of that name is installed.
const APP: &str = "lets-overlay";

const MONITORS: u32 = 1;
const NO_CURSOR: u32 = 1;
/// Until the person takes it back.
const FOR_GOOD: u32 = 2;
/// The first release with tokens for later sessions.
const HAS_TOKENS: u32 = 4;

/// What the portal is asked for with each request.
type Options<'a> = HashMap<&'a str, Value<'a>>;
type Results = HashMap<String, OwnedValue>;

/// How it failed, in the words of the host's own portal code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Missing,
    Refused,
    Dismissed,
    Unanswered,
    Gone,
}

#[derive(Debug)]
pub struct Failure {
    pub kind: Kind,
    pub reason: String,
    /// The portal refused the token itself; nobody was asked.
    pub token_refused: bool,
}

impl Failure {
    fn new(kind: Kind, reason: impl Into<String>) -> Failure {
        Failure { kind, reason: reason.into(), token_refused: false }
    }
}

impl Failure {
    pub fn missing(reason: &str) -> Failure {
        Failure::new(Kind::Missing, reason)
    }
}

impl From<zbus::Error> for Failure {
    fn from(error: zbus::Error) -> Failure {
        match error {
            zbus::Error::MethodError(name, text, _) => {
                let missing = ["ServiceUnknown", "NameHasNoOwner", "UnknownInterface", "UnknownMethod"];
                let missing = name.contains(".Spawn.") || missing.iter().any(|end| name.ends_with(end));
                let kind = if missing { Kind::Missing } else { Kind::Refused };
                Failure::new(kind, text.unwrap_or_else(|| name.to_string()))
            }
            zbus::Error::InputOutput(error) => Failure::new(Kind::Gone, format!("the session bus hung up: {error}")),
            other => Failure::new(Kind::Refused, other.to_string()),
        }
    }
}

/// How long things may take: a person may want to read what they are asked.
#[derive(Clone, Copy)]
pub struct Limits {
    pub connect: Duration,
    pub call: Duration,
    pub person: Duration,
}

/// A monitor that the desktop shows.
pub struct Monitor {
    /// Its stream's number in PipeWire.
    pub node: u32,
    /// In the compositor's logical points, where the portal says so.
    pub position: Option<(i32, i32)>,
    pub size: Option<(i32, i32)>,
}

/// What the person agreed to.
pub struct Offer {
    pub monitors: Vec<Monitor>,
    /// Has the next session begin without a question; each is good for one.
    pub token: Option<String>,
}

/// A connection to the portal, and the session on it.
#[derive(Clone)]
pub struct Desk {
    conn: Connection,
    limits: Limits,
    session: Option<OwnedObjectPath>,
}

impl Desk {
    /// Connects to the bus at `address`; nobody is asked anything.
    pub fn connect(address: &str, limits: Limits) -> Result<Desk, Failure> {
        let unusable = |reason: String| {
            Failure::new(Kind::Missing, format!("the session bus at {address} cannot be used: {reason}"))
        };
        let building = async { zbus::connection::Builder::address(address)?.build().await };
        match block_on(limited(limits.connect, building)) {
            Some(Ok(conn)) => Ok(Desk { conn, limits, session: None }),
            Some(Err(error)) => Err(unusable(error.to_string())),
            None => Err(unusable(late(limits.connect))),
        }
    }

    /// Opens a session: where the token is not good, the person is asked.
    pub fn ask(&mut self, token: Option<&str>) -> Result<Offer, Failure> {
        block_on(self.asking(token))
    }

    async fn asking(&mut self, token: Option<&str>) -> Result<Offer, Failure> {
        let limit = self.limits.call;
        // Before anything else is asked, or it does not count. Older portals know of no such thing, and newer ones want the
        // `.desktop` file: neither matters here.
        let nothing: Options = HashMap::new();
        match self.call("org.freedesktop.host.portal.Registry", "Register", &(APP, nothing)).await {
            Err(failure) if matches!(failure.kind, Kind::Gone | Kind::Unanswered) => return Err(failure),
            _ => {}
        }
        let version = self.number("version").await.map_err(|failure| match failure.kind {
            Kind::Refused | Kind::Missing => {
                Failure::new(Kind::Missing, format!("this desktop has no ScreenCast portal ({})", failure.reason))
            }
            _ => failure,
        })?;
        let sources = self.number("AvailableSourceTypes").await.unwrap_or(MONITORS);
        if sources & MONITORS == 0 {
            return Err(Failure::new(Kind::Missing, "this desktop's ScreenCast portal shows no monitors"));
        }
        let cursors = self.number("AvailableCursorModes").await.unwrap_or(0);
        let bus = zbus::fdo::DBusProxy::new(&self.conn).await?;
        let owned = bus.get_name_owner(NAME.try_into().map_err(zbus::Error::from)?).await;
        let owner = owned.map_err(zbus::Error::from)?.into_inner();

        let session = unused();
        let body = |mut options: Options<'static>| {
            options.insert("session_handle_token", session.clone().into());
            (options,)
        };
        let created = self.request(&owner, "CreateSession", body, limit).await?;
        let path: String = wanted(&created, "session_handle")?;
        let path = OwnedObjectPath::try_from(path).map_err(zbus::Error::from)?;
        self.session = Some(path.clone());

        let tokens = version >= HAS_TOKENS;
        let body = |mut options: Options<'static>| {
            options.insert("types", MONITORS.into());
            options.insert("multiple", true.into());
            if cursors & NO_CURSOR != 0 {
                options.insert("cursor_mode", NO_CURSOR.into());
            }
            if tokens {
                options.insert("persist_mode", FOR_GOOD.into());
            }
            if let Some(token) = token.filter(|_| tokens) {
                options.insert("restore_token", token.to_owned().into());
            }
            (path.clone(), options)
        };
        self.request(&owner, "SelectSources", body, limit).await.map_err(|failure| Failure {
            token_refused: token.is_some() && failure.kind == Kind::Refused,
            ..failure
        })?;

        let body = |options: Options<'static>| (path.clone(), "", options);
        let started = self.request(&owner, "Start", body, self.limits.person).await?;
        let streams: Vec<(u32, Results)> = wanted(&started, "streams")?;
        let monitors = streams.into_iter().map(|(node, about)| Monitor {
            node,
            position: wanted(&about, "position").ok(),
            size: wanted(&about, "size").ok(),
        });
        Ok(Offer { monitors: monitors.collect(), token: wanted(&started, "restore_token").ok() })
    }

    /// What PipeWire is reached through, with nothing in it but what the session is about.
    pub fn remote(&self) -> Result<OwnedFd, Failure> {
        block_on(async {
            let Some(session) = &self.session else { return Err(Failure::new(Kind::Gone, "there is no session")) };
            let options: Options = HashMap::new();
            let answer = self.call(SCREENCAST, "OpenPipeWireRemote", &(session, options)).await?;
            let fd: zbus::zvariant::OwnedFd = answer.body().deserialize()?;
            Ok(fd.into())
        })
    }

    /// Ends the session, and whatever still waits for an answer.
    pub fn close(self) {
        block_on(async {
            if let Some(session) = &self.session {
                let ending = self.conn.call_method(Some(NAME), session, Some(SESSION), "Close", &());
                let _ = limited(self.limits.call, ending).await;
            }
            let _ = limited(self.limits.call, self.conn.close()).await;
        });
    }

    async fn number(&self, property: &str) -> Result<u32, Failure> {
        let answer = self.call("org.freedesktop.DBus.Properties", "Get", &(SCREENCAST, property)).await?;
        let value: OwnedValue = answer.body().deserialize()?;
        Ok(u32::try_from(value).map_err(zbus::Error::from)?)
    }

    async fn call<B>(&self, interface: &str, member: &str, body: &B) -> Result<Message, Failure>
    where
        B: serde::ser::Serialize + DynamicType,
    {
        let limit = self.limits.call;
        match limited(limit, self.conn.call_method(Some(NAME), OBJECT, Some(interface), member, body)).await {
            Some(answer) => Ok(answer?),
            None => Err(Failure::new(Kind::Unanswered, late(limit))),
        }
    }

    /// A call that the person may be asked about. `body` is given what goes into its options.
    async fn request<B>(
        &self,
        owner: &UniqueName<'_>,
        member: &str,
        body: impl FnOnce(Options<'static>) -> B,
        limit: Duration,
    ) -> Result<Results, Failure>
    where
        B: serde::ser::Serialize + DynamicType,
    {
        let token = unused();
        let sender = self.conn.unique_name().map(|name| name.trim_start_matches(':').replace('.', "_"));
        let path = format!("{OBJECT}/request/{}/{token}", sender.unwrap_or_default());
        // Listened for from before the call: the answer may come first. Only the portal's own word counts.
        let mut answers = self.signals(owner.clone(), REQUEST, "Response").await?;
        let mut owners = self.signals(bus_name(), "org.freedesktop.DBus", "NameOwnerChanged").await?;
        let handle: OwnedObjectPath = self
            .call(SCREENCAST, member, &body(HashMap::from([("handle_token", token.into())])))
            .await?
            .body()
            .deserialize()?;
        let answered = async {
            while let Some(message) = answers.next().await {
                let message = message?;
                let found = message.header().path().is_some_and(|at| at.as_str() == path || *at == *handle);
                if found {
                    return Ok(message.body().deserialize::<(u32, Results)>()?);
                }
            }
            Err(Failure::new(Kind::Gone, "the session bus hung up"))
        };
        let gone = async {
            while let Some(Ok(message)) = owners.next().await {
                let (name, _, now): (String, String, String) = message.body().deserialize()?;
                if name == NAME && now != owner.as_str() {
                    return Err(Failure::new(Kind::Gone, "the portal ended"));
                }
            }
            Err(Failure::new(Kind::Gone, "the session bus hung up"))
        };
        let Some(answer) = limited(limit, answered.or(gone)).await else {
            // The question must not stay when nobody waits for the answer.
            let closing = self.conn.call_method(Some(NAME), &*handle, Some(REQUEST), "Close", &());
            let _ = limited(self.limits.call, closing).await;
            return Err(Failure::new(Kind::Unanswered, late(limit)));
        };
        match answer? {
            (0, results) => Ok(results),
            (1, _) => Err(Failure::new(Kind::Dismissed, "the person dismissed what the desktop asked")),
            _ => Err(Failure::new(Kind::Dismissed, "the desktop ended its question without an answer")),
        }
    }

    async fn signals(&self, sender: UniqueName<'_>, interface: &str, member: &str) -> Result<MessageStream, Failure> {
        let interface = InterfaceName::try_from(interface).map_err(zbus::Error::from)?;
        let member = MemberName::try_from(member).map_err(zbus::Error::from)?;
        let rule = MatchRule::builder().msg_type(message::Type::Signal).interface(interface)?.member(member)?;
        let rule = rule.sender(sender)?.build();
        let stream = limited(self.limits.call, MessageStream::for_match_rule(rule, &self.conn, Some(16))).await;
        Ok(stream.ok_or_else(|| Failure::new(Kind::Unanswered, late(self.limits.call)))??)
    }
}

/// The bus itself, as a sender.
fn bus_name() -> UniqueName<'static> {
    UniqueName::from_static_str_unchecked("org.freedesktop.DBus")
}

/// A value of the type that it is wanted as.
fn wanted<T>(values: &Results, key: &str) -> Result<T, Failure>
where
    T: TryFrom<OwnedValue>,
{
    let value = values.get(key).and_then(|value| value.try_clone().ok());
    let lacking = || Failure::new(Kind::Refused, format!("the portal names no {key}"));
    value.and_then(|value| T::try_from(value).ok()).ok_or_else(lacking)
}

/// A name for a request or a session that nobody else on this connection has.
fn unused() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("lets_{}_{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn late(limit: Duration) -> String {
    format!("no answer within {} s", limit.as_secs_f64())
}

/// What the future comes to; `None`: not in time.
async fn limited<T>(limit: Duration, future: impl Future<Output = T>) -> Option<T> {
    let over = async {
        Timer::after(limit).await;
        None
    };
    async { Some(future.await) }.or(over).await
}
