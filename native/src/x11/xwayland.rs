//! Whether an X server that is really Xwayland can be drawn on without harm.

/// The first release known to pass an empty input region on to the Wayland compositor. With 22.1.9 (12201009) the
/// surface is drawn correctly and swallows every click on the screen; nothing in between was measured.
const FIRST_SAFE_RELEASE: u32 = 12_401_006;

/// What a server says about itself.
pub struct ServerFacts<'a> {
    /// It has the `XWAYLAND` extension; only newer Xwayland does.
    pub xwayland_extension: bool,
    pub vendor: &'a str,
    pub vendor_release: u32,
    /// RandR output names: older Xwayland calls them `XWAYLAND0` and so on, newer ones use the real names.
    pub outputs: &'a [String],
}

#[derive(Debug, PartialEq)]
pub enum Verdict {
    NotXwayland,
    /// Xwayland, of a release that lets clicks through.
    Safe,
    /// Xwayland that must not be drawn on; says why in a sentence.
    Refused(String),
}

/// There is no way to override a refusal: taking the pointer away from the whole screen is never wanted.
pub fn judge(server: &ServerFacts) -> Verdict {
    let xwayland = server.xwayland_extension
        || server.vendor.to_ascii_lowercase().contains("xwayland")
        || server.outputs.iter().any(|name| name.starts_with("XWAYLAND"));
    if !xwayland {
        return Verdict::NotXwayland;
    }
    if server.vendor_release >= FIRST_SAFE_RELEASE {
        return Verdict::Safe;
    }
    Verdict::Refused(format!(
        "refused: this Xwayland would take the pointer away from the whole screen (release {}, the first that does not is \
         {FIRST_SAFE_RELEASE}, Xwayland 24.1.6); update Xwayland, or use a Wayland or Xorg session that Lets supports",
        server.vendor_release
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts<'a>(extension: bool, vendor: &'a str, release: u32, outputs: &'a [String]) -> ServerFacts<'a> {
        ServerFacts { xwayland_extension: extension, vendor, vendor_release: release, outputs }
    }

    #[test]
    fn ordinary_servers_pass_whatever_their_release() {
        let outputs = ["HDMI-1".to_string(), "eDP-1".to_string()];
        assert_eq!(judge(&facts(false, "The X.Org Foundation", 12_101_007, &outputs)), Verdict::NotXwayland);
        assert_eq!(judge(&facts(false, "The X.Org Foundation", 1, &[])), Verdict::NotXwayland);
    }

    #[test]
    fn old_xwayland_is_refused_however_it_is_recognised() {
        let old = ["XWAYLAND0".to_string()];
        for server in [
            facts(true, "The X.Org Foundation", 12_201_009, &[]),
            facts(false, "The X.Org Foundation", 12_201_009, &old),
            facts(false, "Xwayland", 12_401_005, &[]),
        ] {
            let Verdict::Refused(reason) = judge(&server) else { panic!("not refused") };
            assert!(reason.starts_with("refused: this Xwayland would take the pointer away from the whole screen"));
        }
    }

    #[test]
    fn a_fixed_xwayland_is_safe() {
        let outputs = ["DP-1".to_string()];
        assert_eq!(judge(&facts(true, "The X.Org Foundation", 12_401_006, &outputs)), Verdict::Safe);
        assert_eq!(judge(&facts(true, "The X.Org Foundation", 12_500_000, &outputs)), Verdict::Safe);
    }
}
