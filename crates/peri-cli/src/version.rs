//! Which build this is.

/// The version, and the commit if it was built from one: `0.1.0 (1a2b3c4d5e6f 2026-11-17)`.
pub(crate) const VERSION: &str = env!("PERI_VERSION");

/// The day of the commit it was built from, or nothing.
pub(crate) const DATE: &str = env!("PERI_DATE");
