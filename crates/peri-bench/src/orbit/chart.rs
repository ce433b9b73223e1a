//! The year as a picture: for each profile, the zones as areas on top of each other.

use std::fmt::Write;

use peri_types::Zone;

use super::life::Profile;
use super::year::{DAYS, Year};

const WIDTH: f64 = 960.0;
const COLUMNS: usize = 2;
const LEGEND_HEIGHT: f64 = 48.0;
const PANEL: (f64, f64) = (480.0, 304.0);
/// The plot within its panel: left, top, width and height.
const PLOT: (f64, f64, f64, f64) = (60.0, 46.0, 396.0, 200.0);
/// Every so many days a point.
const DAYS_PER_POINT: usize = 4;

/// From the core to the cloud, by day and by night.
const COLOURS: [(&str, &str); 5] = [
    ("#b3361b", "#ff7a5c"),
    ("#e08a1e", "#f5b04d"),
    ("#d9c45a", "#d8c871"),
    ("#5b9aa8", "#4f8f9d"),
    ("#8fa3c4", "#46597d"),
];

const WORDS: &str = "\
text{font-family:system-ui,sans-serif;font-size:12px;fill:var(--ink)}\
.title{font-size:13px;font-weight:600}.page{fill:var(--page)}\
.axis{stroke:var(--ink);stroke-opacity:.6}.grid{stroke:var(--ink);stroke-opacity:.15}";

/// A whole SVG document.
pub(super) fn draw(years: &[(Profile, Year)]) -> String {
    let rows = years.len().div_ceil(COLUMNS);
    let height = LEGEND_HEIGHT + rows as f64 * PANEL.1;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" \
         aria-labelledby=\"title description\">\n<title id=\"title\">Memories by zone over a simulated \
         year</title>\n<desc id=\"description\">For each way of using the engine, how many memories orbit in \
         the core, the inner zone, the outer zone, the belt and the cloud.</desc>\n{}\n\
         <rect class=\"page\" width=\"{WIDTH}\" height=\"{height}\"/>\n",
        style()
    );
    svg.push_str(&legend());
    for (number, (profile, year)) in years.iter().enumerate() {
        let x = (number % COLUMNS) as f64 * PANEL.0;
        let y = LEGEND_HEIGHT + (number / COLUMNS) as f64 * PANEL.1;
        svg.push_str(&format!("<g transform=\"translate({x} {y})\">\n{}</g>\n", panel(profile, year)));
    }
    svg.push_str("</svg>\n");
    svg
}

fn style() -> String {
    let colours = |pick: fn(&(&'static str, &'static str)) -> &'static str| -> String {
        COLOURS.iter().enumerate().map(|(zone, pair)| format!("--zone{zone}:{};", pick(pair))).collect()
    };
    let areas: String =
        (0..COLOURS.len()).map(|zone| format!(".zone{zone}{{fill:var(--zone{zone})}}")).collect();
    format!(
        "<style>:root{{--ink:#1f2328;--page:#ffffff;{}}}@media (prefers-color-scheme:dark){{:root{{\
         --ink:#e6edf3;--page:#0d1117;{}}}}}{WORDS}{areas}</style>",
        colours(|pair| pair.0),
        colours(|pair| pair.1),
    )
}

fn legend() -> String {
    let mut entries = format!("<text class=\"title\" x=\"{}\" y=\"24\">Memories by zone</text>\n", PLOT.0);
    for zone in Zone::ALL {
        let x = PLOT.0 + 150.0 + f64::from(zone.code()) * 90.0;
        let code = zone.code();
        entries.push_str(&format!(
            "<rect class=\"zone{code}\" x=\"{x}\" y=\"13\" width=\"13\" height=\"13\" rx=\"2\"/>\
             <text x=\"{}\" y=\"24\">{zone}</text>\n",
            x + 19.0
        ));
    }
    entries
}

fn panel(profile: &Profile, year: &Year) -> String {
    let most = year.days.iter().map(|zones| zones.iter().sum::<usize>()).max().unwrap_or(0);
    let tick = tick(most);
    let top = (most as f64 / tick).ceil().max(1.0) * tick;
    let mut svg = format!(
        "<text class=\"title\" x=\"{0}\" y=\"16\">{1}</text><text x=\"{0}\" y=\"33\">{2}</text>\n",
        PLOT.0,
        profile.name,
        profile.describe()
    );
    for zone in (0..COLOURS.len()).rev() {
        svg.push_str(&format!("<path class=\"zone{zone}\" d=\"{}\"/>\n", area(year, zone, top)));
    }
    svg.push_str(&axes(tick, top));
    svg
}

/// The area of a zone, which lies on those of all nearer zones.
fn area(year: &Year, zone: usize, top: f64) -> String {
    let last = year.days.len() - 1;
    let days: Vec<usize> = (0..last).step_by(DAYS_PER_POINT).chain([last]).collect();
    let edge = |day: usize, zones: usize| {
        let count: usize = year.days[day][..zones].iter().sum();
        format!("{:.1} {:.1}", x_of(day as f64 + 1.0), y_of(count as f64, top))
    };
    let above = days.iter().map(|day| edge(*day, zone + 1));
    let below = days.iter().rev().map(|day| edge(*day, zone));
    format!("M{}Z", above.chain(below).collect::<Vec<_>>().join("L"))
}

fn axes(tick: f64, top: f64) -> String {
    let (left, right) = (PLOT.0, PLOT.0 + PLOT.2);
    let bottom = PLOT.1 + PLOT.3;
    let mut svg = String::new();
    let mut line = |class: &str, x1: f64, y1: f64, x2: f64, y2: f64| {
        let drawn = writeln!(
            svg,
            "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
        );
        drawn.expect("writing to a text cannot fail");
    };
    line("axis", left, bottom, right, bottom);
    line("axis", left, PLOT.1, left, bottom);
    let ticks: Vec<f64> =
        (0..).map(|count| f64::from(count) * tick).take_while(|value| *value <= top).collect();
    ticks.iter().skip(1).for_each(|value| line("grid", left, y_of(*value, top), right, y_of(*value, top)));
    for value in ticks {
        let y = y_of(value, top) + 4.0;
        svg.push_str(&format!(
            "<text x=\"{}\" y=\"{y:.1}\" text-anchor=\"end\">{value}</text>\n",
            left - 6.0
        ));
    }
    for month in (0..=12).step_by(2) {
        let x = x_of(f64::from(month) * DAYS as f64 / 12.0);
        svg.push_str(&format!(
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{month}</text>\n",
            bottom + 16.0
        ));
    }
    let middle = left + PLOT.2 / 2.0;
    svg.push_str(&format!(
        "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">months</text>\n",
        bottom + 32.0
    ));
    let centre = PLOT.1 + PLOT.3 / 2.0;
    svg.push_str(&format!(
        "<text transform=\"translate(14 {centre}) rotate(-90)\" text-anchor=\"middle\">memories</text>\n"
    ));
    svg
}

fn x_of(day: f64) -> f64 {
    PLOT.0 + PLOT.2 * day / DAYS as f64
}

fn y_of(count: f64, top: f64) -> f64 {
    PLOT.1 + PLOT.3 * (1.0 - count / top)
}

/// A round distance that leaves from three to seven lines.
fn tick(most: usize) -> f64 {
    let mut tick = 10.0;
    let factors = [2.0, 2.5, 2.0];
    let mut turn = 0;
    while most as f64 / tick > 6.0 {
        tick *= factors[turn % factors.len()];
        turn += 1;
    }
    tick
}

#[cfg(test)]
mod tests {
    use super::super::life::PROFILES;
    use super::*;

    #[test]
    fn the_picture_is_whole_and_holds_no_script() {
        let year =
            Year { months: Vec::new(), days: vec![[20, 100, 300, 50, 7]; DAYS as usize], vital_forgotten: 0 };
        let svg = draw(&[(PROFILES[0], year)]);
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<path").count(), Zone::ALL.len());
        assert!(!svg.contains("<script") && !svg.contains("NaN") && svg.contains("prefers-color-scheme"));
        for word in ["core", "inner", "outer", "belt", "cloud", "months", "memories", "light"] {
            assert!(svg.contains(word), "{word}");
        }
    }

    #[test]
    fn axes_have_few_and_round_lines() {
        for most in [0, 1, 61, 480, 500, 7000, 123_456] {
            let tick = tick(most);
            assert!(most as f64 / tick <= 6.0 && (most < 60 || most as f64 / tick > 2.0), "{most} {tick}");
        }
    }
}
