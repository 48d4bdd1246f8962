//! What can go wrong while talking to a display server, in plain sentences.

#[derive(Debug)]
pub enum Fault {
    /// The connection is gone for good: the thread ends.
    Lost(String),
    /// This one thing failed; the connection lives.
    Failed(String),
}

pub type Outcome<T> = Result<T, Fault>;

impl Fault {
    pub fn failed<T>(reason: impl Into<String>) -> Outcome<T> {
        Err(Fault::Failed(reason.into()))
    }

    pub fn reason(&self) -> &str {
        match self {
            Fault::Lost(reason) | Fault::Failed(reason) => reason,
        }
    }
}
