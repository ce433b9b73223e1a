//! Files of what was learned.

use peri_learn::adapt::Adapter;
use peri_learn::route::Router;
use peri_learn::rvf::{Origin, RvfFile, RvfLimits};

use crate::given::{is_for_people, stays_as_json};

/// Learning files: what was read is written and read back as it was, and nothing beyond the limits is held.
pub(crate) fn rvf(data: &[u8]) {
    let limits =
        RvfLimits { line_bytes_max: 65_536, records_max: 1_000, bytes_max: 1 << 20, problems_max: 10 };
    let file = match RvfFile::read(data, &limits) {
        Ok((file, _)) => file,
        Err(error) => return is_for_people(&error),
    };
    let origin = Origin { namespace: Default::default(), at: Default::default() };
    for record in file.patterns.records() {
        if let Ok((pattern, _)) = record.to_pattern(&origin) {
            assert!((0.0..=1.0).contains(&pattern.quality));
        }
    }
    for record in file.trajectories.records() {
        if let Ok((trajectory, _)) = record.to_trajectory(&origin) {
            assert_eq!(trajectory.steps.len(), record.steps.len());
        }
    }
    // A record may grow when it is written out in full; then it is refused, never cut.
    let mut written = Vec::new();
    if file.write(&mut written, &limits).is_err() {
        return;
    }
    let (again, report) = RvfFile::read(written.as_slice(), &limits).expect("what we wrote reads");
    assert!(report.is_whole(), "{report:?}");
    assert_eq!(again, file);
}

/// Routers and adapters as they are kept: what is read reads back as it was, and can be asked.
pub(crate) fn learned_sets(data: &[u8]) {
    if let Ok(router) = serde_json::from_slice::<Router>(data) {
        stays_as_json(&router);
    }
    if let Ok(adapter) = serde_json::from_slice::<Adapter>(data) {
        stays_as_json(&adapter);
    }
}
