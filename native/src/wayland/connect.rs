//! Finding the compositor.

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use wayland_client::Connection;

use crate::fault::{Fault, Outcome};
use crate::limit::Abandon;

/// What is listened on when nobody says anything else.
const USUAL: &str = "wayland-0";

/// The name of the socket, for people: as it was given, or as the environment says.
pub fn named(display: Option<&str>) -> String {
    let from_environment = || std::env::var("WAYLAND_DISPLAY").ok().filter(|name| !name.is_empty());
    display.map(Into::into).or_else(from_environment).unwrap_or_else(|| USUAL.into())
}

/// A connection on which nothing was said yet. `abandon` can end any wait for it.
pub fn connect(display: Option<&str>, abandon: &Abandon) -> Outcome<Connection> {
    let name = named(display);
    let folder = std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let path = socket_path(&name, folder)?;
    let stream = UnixStream::connect(&path)
        .map_err(|error| Fault::Failed(format!("no Wayland compositor answers at '{}': {error}", path.display())))?;
    let waited: OwnedFd = stream.try_clone().map_err(|error| Fault::Failed(error.to_string()))?.into();
    if !abandon.waits_for(waited) {
        return Fault::failed("nobody waits for the compositor any more");
    }
    Connection::from_socket(stream).map_err(|error| Fault::Failed(format!("no connection to '{name}': {error}")))
}

fn socket_path(name: &str, folder: Option<PathBuf>) -> Outcome<PathBuf> {
    let given = PathBuf::from(name);
    if given.is_absolute() {
        return Ok(given);
    }
    match folder.filter(|folder| folder.is_absolute()) {
        Some(folder) => Ok(folder.join(given)),
        None => Fault::failed(format!(
            "there is no folder to look for the Wayland compositor '{name}' in: XDG_RUNTIME_DIR is not set to what it is in a terminal on your screen"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_socket_is_in_the_runtime_folder_unless_it_says_where() {
        let folder = || Some(PathBuf::from("/run/user/1"));
        assert_eq!(socket_path("wayland-1", folder()).expect("a path"), PathBuf::from("/run/user/1/wayland-1"));
        assert_eq!(socket_path("/tmp/w", None).expect("a path"), PathBuf::from("/tmp/w"));
        assert!(socket_path("wayland-1", None).is_err());
        assert!(socket_path("wayland-1", Some(PathBuf::from("not/absolute"))).is_err());
    }
}
