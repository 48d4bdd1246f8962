//! Whose windows are whose, and which of them are marks of ours that another process draws.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

use napi::bindgen_prelude::{Env, Object, Result};
use napi_derive::napi;
use x11rb::connection::{Connection, RequestConnection};
use x11rb::protocol::res::{self, ClientIdMask, ClientIdSpec, ConnectionExt as _};
use x11rb::protocol::xproto::{Atom, AtomEnum, ConnectionExt as _, Window};

use super::X11Host;
use super::compose::TopLevel;
use super::fault::{Outcome, gone_is_none};
use super::host::Host;
use super::pipe::XConnection;
use super::server::Server;
use super::thread::Command;
use crate::api::promise;

/// Window managers put at most this many windows between a child of the root and what they frame.
const DEEPEST_FRAME: usize = 3;

/// Windows by whose they are: all that these processes have, and these.
#[napi(object)]
#[derive(Clone, Default)]
pub struct Owner {
    /// As the X server knows them, which is who opened the connection. Processes that these start are others.
    pub pids: Vec<u32>,
    /// Applications' own windows, as `client` of `WindowInfo`.
    pub windows: Vec<u32>,
}

impl Owner {
    pub fn is_nobody(&self) -> bool {
        self.pids.is_empty() && self.windows.is_empty()
    }
}

/// The process at the other end of each connection, by what the ids of its windows have in common. A connection from
/// another machine is not in it.
pub fn processes(conn: &XConnection) -> Outcome<HashMap<u32, u32>> {
    let everyone = ClientIdSpec { client: x11rb::NONE, mask: ClientIdMask::LOCAL_CLIENT_PID };
    let known = conn.res_query_client_ids(&[everyone])?.reply()?.ids;
    Ok(known.iter().filter_map(|id| Some((id.spec.client, *id.value.first()?))).collect())
}

/// Whether the server says which process a connection comes from, and in numbers that are ours: a server outside of this
/// container counts processes otherwise.
pub fn tells_processes(conn: &XConnection) -> Outcome<bool> {
    if conn.extension_information(res::X11_EXTENSION_NAME)?.is_none() {
        return Ok(false);
    }
    let version = conn.res_query_version(1, 2)?.reply()?;
    if (version.server_major, version.server_minor) < (1, 2) {
        return Ok(false);
    }
    Ok(processes(conn)?.get(&conn.setup().resource_id_base) == Some(&std::process::id()))
}

/// What the ids of all windows of one connection have in common.
pub fn connection_of(server: &Server, window: Window) -> u32 {
    window & !server.conn.setup().resource_id_mask
}

/// Which of `tops`, all children of the root, are an owner's windows or frames around them, each with that window.
pub fn owned_among(server: &Server, owner: &Owner, tops: &[Window]) -> Outcome<HashMap<Window, Window>> {
    let mut found = HashMap::new();
    if owner.is_nobody() {
        return Ok(found);
    }
    let question = Question::new(server, owner)?;
    let (owned, others) = question.divide(tops.iter().map(|top| (*top, *top)).collect())?;
    found.extend(owned);
    let mut level = others;
    for _ in 0..DEEPEST_FRAME {
        if level.is_empty() || !question.may_find() {
            break;
        }
        let mut asked = Vec::with_capacity(level.len());
        for (top, at) in level {
            asked.push((top, server.conn.query_tree(at)?));
        }
        let mut inner = Vec::new();
        for (top, tree) in asked {
            let children = gone_is_none(tree.reply())?.map(|tree| tree.children).unwrap_or_default();
            inner.extend(children.into_iter().map(|child| (top, child)));
        }
        let (owned, others) = question.divide(inner)?;
        found.extend(question.without_embedded(owned)?);
        // What holds a window of somebody else is that one's frame. Otherwise there may be more within.
        let foreign = |(top, child): &&(Window, Window)| connection_of(server, *top) != connection_of(server, *child);
        let settled: HashSet<Window> = others.iter().filter(foreign).map(|(top, _)| *top).collect();
        level = others;
        level.retain(|(top, _)| !settled.contains(top) && !found.contains_key(top));
    }
    Ok(found)
}

/// How an owner's windows are told from others.
struct Question<'a> {
    server: &'a Server,
    owner: &'a Owner,
    /// The owner's connections.
    connections: HashSet<u32>,
}

impl<'a> Question<'a> {
    fn new(server: &'a Server, owner: &'a Owner) -> Outcome<Question<'a>> {
        let mut connections = HashSet::new();
        if server.tells_processes && !owner.pids.is_empty() {
            let known = processes(&server.conn)?;
            connections.extend(known.iter().filter(|(_, pid)| owner.pids.contains(pid)).map(|(client, _)| *client));
            // The server's own.
            connections.remove(&x11rb::NONE);
        }
        Ok(Question { server, owner, connections })
    }

    /// Whether there can be any window of the owner at all.
    fn may_find(&self) -> bool {
        !self.server.tells_processes || !self.connections.is_empty() || !self.owner.windows.is_empty()
    }

    /// The owner's, and the others. Where the server does not know processes, what windows say of themselves has to do.
    fn divide(&self, windows: Vec<(Window, Window)>) -> Outcome<(Pairs, Pairs)> {
        let by_word = !self.server.tells_processes && !self.owner.pids.is_empty();
        let mut said = HashSet::new();
        if by_word {
            let all: Vec<Window> = windows.iter().map(|(_, window)| *window).collect();
            let pids = self.ask(&all, self.server.atoms._NET_WM_PID)?;
            let own = pids.into_iter().filter(|(_, pid)| pid.is_some_and(|pid| self.owner.pids.contains(&pid)));
            said.extend(own.map(|(window, _)| window));
        }
        Ok(windows.into_iter().partition(|(_, window)| {
            self.connections.contains(&connection_of(self.server, *window))
                || self.owner.windows.contains(window)
                || said.contains(window)
        }))
    }

    /// Without what another application took into a window of its own, as a panel does with an icon: that one is no frame.
    fn without_embedded(&self, pairs: Pairs) -> Outcome<Pairs> {
        let windows: Vec<Window> = pairs.iter().map(|(_, window)| *window).collect();
        let embedded: HashMap<Window, Option<u32>> =
            self.ask(&windows, self.server.atoms._XEMBED_INFO)?.into_iter().collect();
        Ok(pairs.into_iter().filter(|(_, window)| embedded.get(window).is_some_and(Option::is_none)).collect())
    }

    /// The first value of a property of those windows that are still there.
    fn ask(&self, windows: &[Window], property: Atom) -> Outcome<Vec<(Window, Option<u32>)>> {
        let mut asked = Vec::with_capacity(windows.len());
        for window in windows {
            asked.push((*window, self.server.conn.get_property(false, *window, property, AtomEnum::ANY, 0, 1)?));
        }
        let mut answers = Vec::with_capacity(asked.len());
        for (window, reply) in asked {
            if let Some(reply) = gone_is_none(reply.reply())? {
                answers.push((window, reply.value32().and_then(|mut values| values.next())));
            }
        }
        Ok(answers)
    }
}

/// Windows, each with the child of the root it is in, which comes first.
type Pairs = Vec<(Window, Window)>;

/// Windows of other processes that are marks of ours.
#[derive(Default)]
pub struct Claims {
    owner: Owner,
    /// Frames around such windows. One whose window has gone is not anybody's before it goes, too.
    frames: RefCell<HashSet<Window>>,
}

impl Claims {
    pub fn is_empty(&self) -> bool {
        self.owner.is_nobody()
    }

    pub fn owner(&self) -> &Owner {
        &self.owner
    }

    pub fn replace(&mut self, owner: Owner) {
        *self = Claims { owner, frames: RefCell::default() };
    }

    /// A window is not on the screen any more.
    pub fn forget(&self, window: Window) {
        self.frames.borrow_mut().remove(&window);
    }

    /// A window came into another one. Noted at once: a frame may outlive a window that closes right away.
    pub fn reparented(&self, server: &Server, window: Window, parent: Window) -> Outcome<()> {
        if self.is_empty() || parent == server.root {
            return Ok(());
        }
        let question = Question::new(server, &self.owner)?;
        let (owned, _) = question.divide(vec![(parent, window)])?;
        let embedded = question.ask(&[window], server.atoms._XEMBED_INFO)?;
        if !owned.is_empty() && embedded.iter().all(|(_, info)| info.is_none()) {
            self.frames.borrow_mut().insert(parent);
        }
        Ok(())
    }

    fn among(&self, server: &Server, tops: &[Window]) -> Outcome<HashSet<Window>> {
        let found = owned_among(server, &self.owner, tops)?;
        if !self.is_empty() {
            for (window, parent) in server.reparented_ahead()? {
                self.reparented(server, window, parent)?;
            }
        }
        let mut frames = self.frames.borrow_mut();
        frames.extend(found.iter().filter(|(top, window)| top != window).map(|(top, _)| *top));
        let known = tops.iter().filter(|top| frames.contains(top));
        Ok(found.keys().chain(known).copied().collect())
    }
}

/// Everything on the screen that is to be left out of what is told of it.
#[derive(Clone, Copy)]
pub struct Ours<'a> {
    /// What is drawn here.
    pub own: &'a [Window],
    /// What another process draws.
    pub claims: &'a Claims,
}

impl Ours<'_> {
    /// Those of `tops` that are ours. They must have been read before: whose they are is asked now, so that a window is
    /// never taken for someone else's because it is new.
    pub fn among(&self, server: &Server, tops: &[Window]) -> Outcome<HashSet<Window>> {
        let mut found = self.claims.among(server, tops)?;
        found.extend(self.own);
        Ok(found)
    }

    pub fn leave_out(&self, server: &Server, tops: &mut Vec<Window>) -> Outcome<()> {
        let ours = self.among(server, tops)?;
        tops.retain(|window| !ours.contains(window));
        Ok(())
    }
}

impl Host {
    /// From now on these windows are ours, and no others of other processes.
    pub fn claim(&mut self, owner: Owner) -> Outcome<()> {
        if !owner.is_nobody() {
            // Before any of them can be there: what is below has to be kept, and seen.
            self.redirect()?;
            self.notice_bare_root()?;
        }
        self.claims.replace(owner);
        self.watch_claims()?;
        if let Some(watch) = &mut self.watch {
            watch.reconsider(&self.server)?;
        }
        self.rest_if_idle()
    }

    /// Those of `windows`, children of the root, that are ours.
    pub fn ours_among(&self, windows: &[TopLevel]) -> Outcome<HashSet<Window>> {
        let tops: Vec<Window> = windows.iter().map(|window| window.window).collect();
        Ours { own: &self.our_windows(), claims: &self.claims }.among(&self.server, &tops)
    }
}

#[napi]
impl X11Host {
    /// From when this resolves these windows count as drawn here, and no others of other processes: they are in no list, no
    /// picture without what is drawn here, and no event. That holds for those that the processes open later, too, and for
    /// frames around them. What is known already is told as `gone`. An owner without anything: there are none; to be said
    /// when a process has ended, since its number may become another's.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn claim<'env>(&self, env: &'env Env, owner: Owner) -> Result<Object<'env>> {
        let (reply, promise) = promise(env, |()| ())?;
        self.handle.send(Command::Claim(owner, reply));
        Ok(promise)
    }
}
