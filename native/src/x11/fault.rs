//! What can go wrong while talking to an X server, in plain sentences.

use x11rb::errors::{ConnectError, ConnectionError, ReplyError, ReplyOrIdError};

pub use crate::fault::{Fault, Outcome};

impl From<ConnectionError> for Fault {
    fn from(error: ConnectionError) -> Self {
        match error {
            ConnectionError::IoError(_) | ConnectionError::UnknownError => Fault::Lost("the X server went away".into()),
            ConnectionError::UnsupportedExtension => Fault::Failed("the X server lacks an extension Lets needs".into()),
            other => Fault::Lost(format!("the connection to the X server broke: {other}")),
        }
    }
}

impl From<ReplyError> for Fault {
    fn from(error: ReplyError) -> Self {
        match error {
            ReplyError::ConnectionError(error) => error.into(),
            ReplyError::X11Error(error) => Fault::Failed(format!(
                "the X server refused {}: {:?}",
                error.request_name.unwrap_or("a request"),
                error.error_kind
            )),
        }
    }
}

impl From<ReplyOrIdError> for Fault {
    fn from(error: ReplyOrIdError) -> Self {
        match error {
            ReplyOrIdError::ConnectionError(error) => error.into(),
            ReplyOrIdError::X11Error(error) => ReplyError::X11Error(error).into(),
            ReplyOrIdError::IdsExhausted => Fault::Lost("the X server has no more resource ids".into()),
        }
    }
}

/// Why no connection came about, naming the display.
pub fn describe_connect(error: &ConnectError, display: &str) -> String {
    match error {
        ConnectError::DisplayParsingError(_) if display.is_empty() => {
            "there is no X display: $DISPLAY is not set".into()
        }
        ConnectError::DisplayParsingError(_) => format!("'{display}' is not the name of an X display"),
        ConnectError::SetupAuthenticate(_) | ConnectError::SetupFailed(_) => {
            let said = match error {
                ConnectError::SetupFailed(setup) => String::from_utf8_lossy(&setup.reason).trim().to_string(),
                _ => "it asked for further authentication".into(),
            };
            format!("the X server at '{display}' refused the connection ({said}); check XAUTHORITY")
        }
        ConnectError::IoError(error) => {
            format!(
                "no X server answers at '{display}': {error}; set DISPLAY to what it is in a terminal on your screen"
            )
        }
        other => format!("no connection to the X server at '{display}': {other}"),
    }
}

/// Lets errors about other programs' windows pass: those vanish whenever their owners like.
pub fn gone_is_none<T>(result: Result<T, ReplyError>) -> Outcome<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(ReplyError::X11Error(_)) => Ok(None),
        Err(ReplyError::ConnectionError(error)) => Err(error.into()),
    }
}
