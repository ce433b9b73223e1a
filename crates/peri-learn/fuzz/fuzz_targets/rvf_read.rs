//! Any bytes are read or refused, and what was read is written and read back as it was.
#![no_main]

use libfuzzer_sys::fuzz_target;
use peri_learn::rvf::{Origin, RvfFile, RvfLimits};

fuzz_target!(|bytes: &[u8]| {
    let limits =
        RvfLimits { line_bytes_max: 65_536, records_max: 1_000, bytes_max: 1 << 20, problems_max: 10 };
    let Ok((file, _)) = RvfFile::read(bytes, &limits) else { return };
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
});
