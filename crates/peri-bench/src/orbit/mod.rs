//! `peri-bench orbit`: a year of orbits, for several ways of using the engine.

mod chance;
mod chart;
mod life;
mod speed;
mod table;
mod year;

use std::fs;
use std::path::PathBuf;

use peri_orbit::OrbitSettings;

use crate::Outcome;
use life::Profile;
use year::Year;

const DAY_MS: i64 = 86_400_000;
/// The beginning of 2026.
const START: i64 = 1_767_225_600_000;

/// What to simulate.
#[derive(clap::Args)]
pub(crate) struct Plan {
    /// Where chance begins.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Also draw the year into this file, as SVG.
    #[arg(long)]
    chart: Option<PathBuf>,
    /// Measure instead how long a step takes, and catching up on a year.
    #[arg(long)]
    speed: bool,
}

/// Simulates a year of every profile, or measures.
pub(crate) fn run(plan: &Plan) -> Outcome<()> {
    let settings = OrbitSettings::default();
    if plan.speed {
        return speed::run(&settings, plan.seed);
    }
    let mut years: Vec<(Profile, Year)> = Vec::new();
    for profile in life::PROFILES {
        let year = year::live(&settings, profile, plan.seed)?;
        table::print(&profile, &year);
        years.push((profile, year));
    }
    if let Some(file) = &plan.chart {
        fs::write(file, chart::draw(&years))?;
    }
    Ok(())
}
