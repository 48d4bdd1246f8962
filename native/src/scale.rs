//! The one place that decides how many physical pixels a logical point has on X11.
//!
//! X11 has no scale of its own, only hints that disagree. In falling order of authority:
//!
//! 1. `LETS_SCALE`: the person said so. `1.5` for all monitors, or `NAME=2,NAME2=1.25` for some of them.
//! 2. `Xft.dpi / 96`: what desktops set and toolkits draw their text by. X11 applications use this one number on
//!    every monitor, so marks that use it match the text beside them even where monitors differ.
//! 3. `GDK_SCALE`: a whole number, set by people whose desktop sets nothing.
//! 4. Each monitor's own millimetres, if they are plausible. Only here can monitors differ: nothing else told
//!    applications what to draw at, and the eye is the only judge left. Below 132 dpi counts as 1, because ordinary
//!    desktop and laptop panels reach that without anyone wanting them magnified.
//! 5. 1.

use std::collections::HashMap;

const REFERENCE_DPI: f64 = 96.0;
const SMALLEST: f64 = 1.0;
const LARGEST: f64 = 4.0;

/// Everything the decision depends on, so that it can be tested without a display.
#[derive(Default)]
pub struct ScaleHints {
    /// The value of `LETS_SCALE`.
    pub lets_scale: Option<String>,
    /// `Xft.dpi` from the root's `RESOURCE_MANAGER`.
    pub xft_dpi: Option<f64>,
    /// The value of `GDK_SCALE`.
    pub gdk_scale: Option<String>,
}

/// Pixels per logical point of a monitor `width` pixels and `mm_width` millimetres wide; always within 1 to 4.
pub fn scale_for(hints: &ScaleHints, name: &str, width: i32, mm_width: i32) -> f64 {
    hints
        .lets_scale
        .as_deref()
        .and_then(|text| from_override(text, name))
        .or_else(|| hints.xft_dpi.filter(|dpi| *dpi > 0.0).map(|dpi| dpi / REFERENCE_DPI))
        .or_else(|| hints.gdk_scale.as_deref().and_then(from_gdk_scale))
        .or_else(|| from_millimetres(width, mm_width))
        .unwrap_or(SMALLEST)
        .clamp(SMALLEST, LARGEST)
}

/// `Xft.dpi` out of the text of a `RESOURCE_MANAGER` property.
pub fn xft_dpi(resources: &str) -> Option<f64> {
    resources
        .lines()
        .filter_map(|line| line.split_once(':'))
        .find(|(key, _)| key.trim() == "Xft.dpi")
        .and_then(|(_, value)| value.trim().parse::<f64>().ok())
        .filter(|dpi| dpi.is_finite())
}

fn from_override(text: &str, name: &str) -> Option<f64> {
    if let Some(scale) = positive(text) {
        return Some(scale);
    }
    let named: HashMap<&str, &str> = text.split(',').filter_map(|pair| pair.trim().rsplit_once('=')).collect();
    named.get(name).and_then(|value| positive(value))
}

fn from_gdk_scale(text: &str) -> Option<f64> {
    text.trim().parse::<u32>().ok().filter(|scale| *scale > 0).map(f64::from)
}

fn from_millimetres(width: i32, mm_width: i32) -> Option<f64> {
    if !(51..3000).contains(&mm_width) {
        return None;
    }
    let dpi = f64::from(width) * 25.4 / f64::from(mm_width);
    if !(60.0..=400.0).contains(&dpi) {
        return None;
    }
    if dpi < 132.0 {
        return Some(SMALLEST);
    }
    Some((dpi / REFERENCE_DPI * 4.0).round() / 4.0)
}

fn positive(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|scale| scale.is_finite() && *scale > 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hints(lets: Option<&str>, xft: Option<f64>, gdk: Option<&str>) -> ScaleHints {
        ScaleHints { lets_scale: lets.map(Into::into), xft_dpi: xft, gdk_scale: gdk.map(Into::into) }
    }

    #[test]
    fn the_override_wins_over_everything() {
        let all = hints(Some("1.5"), Some(192.0), Some("3"));
        assert_eq!(scale_for(&all, "DP-1", 3840, 340), 1.5);
        let named = hints(Some("DP-1=2, eDP-1=1.25"), Some(288.0), None);
        assert_eq!(scale_for(&named, "DP-1", 1920, 500), 2.0);
        assert_eq!(scale_for(&named, "eDP-1", 1920, 500), 1.25);
        assert_eq!(scale_for(&named, "HDMI-1", 1920, 500), 3.0, "a monitor that is not named falls through");
    }

    #[test]
    fn a_senseless_override_is_no_override() {
        for text in ["", "0", "-1", "NaN", "inf", "DP-1=", "DP-1=x", "="] {
            assert_eq!(scale_for(&hints(Some(text), None, Some("2")), "DP-1", 1920, 500), 2.0, "{text:?}");
        }
    }

    #[test]
    fn xft_dpi_is_one_scale_for_every_monitor() {
        let desktop = hints(None, Some(144.0), Some("2"));
        assert_eq!(scale_for(&desktop, "left", 1920, 500), 1.5);
        assert_eq!(scale_for(&desktop, "right", 3840, 340), 1.5);
        assert_eq!(scale_for(&hints(None, Some(72.0), None), "left", 1920, 500), 1.0);
        assert_eq!(scale_for(&hints(None, Some(960.0), None), "left", 1920, 500), 4.0);
    }

    #[test]
    fn gdk_scale_must_be_a_whole_number_above_zero() {
        assert_eq!(scale_for(&hints(None, None, Some("2")), "a", 1920, 500), 2.0);
        for text in ["0", "-2", "1.5", "two", ""] {
            assert_eq!(scale_for(&hints(None, None, Some(text)), "a", 1920, 500), 1.0, "{text:?}");
        }
    }

    #[test]
    fn millimetres_speak_last_and_per_monitor() {
        let none = ScaleHints::default();
        assert_eq!(scale_for(&none, "desk", 1920, 509), 1.0, "96 dpi");
        assert_eq!(scale_for(&none, "laptop", 1920, 382), 1.0, "128 dpi");
        assert_eq!(scale_for(&none, "dense", 2560, 345), 2.0, "188 dpi");
        assert_eq!(scale_for(&none, "denser", 3840, 345), 3.0, "283 dpi");
        assert_eq!(scale_for(&none, "four-k", 3840, 597), 1.75, "163 dpi");
    }

    #[test]
    fn implausible_millimetres_are_ignored() {
        let none = ScaleHints::default();
        for (width, mm) in [(3840, 0), (3840, 16), (3840, 160), (1920, 4000), (640, 2900), (3840, -5)] {
            assert_eq!(scale_for(&none, "odd", width, mm), 1.0, "{width} px over {mm} mm");
        }
    }

    #[test]
    fn xft_dpi_is_found_among_resources() {
        assert_eq!(xft_dpi("*customization: -color\nXft.dpi:\t120\nXft.rgba: rgb\n"), Some(120.0));
        assert_eq!(xft_dpi("XTerm.Xft.dpi: 200\n"), None);
        assert_eq!(xft_dpi("Xft.dpi: many"), None);
        assert_eq!(xft_dpi(""), None);
    }
}
