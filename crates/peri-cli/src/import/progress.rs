//! How far an import or export is, for the person who waits.

use indicatif::{ProgressBar, ProgressStyle};

/// A bar for a file of a known size, a counter for a pipe, and nothing where nobody looks.
pub(crate) fn progress(bytes: Option<u64>, wanted: bool) -> ProgressBar {
    if !wanted {
        return ProgressBar::hidden();
    }
    match bytes {
        Some(bytes) => {
            let style = ProgressStyle::with_template("{bar:30} {bytes} of {total_bytes}, {eta} left");
            ProgressBar::new(bytes).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        }
        None => {
            let style = ProgressStyle::with_template("{spinner} {bytes} read");
            ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
        }
    }
}

/// How much an export has written, where somebody looks.
pub(crate) fn written(wanted: bool) -> ProgressBar {
    if !wanted {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template("{spinner} {bytes} written");
    ProgressBar::new_spinner().with_style(style.unwrap_or_else(|_| ProgressStyle::default_spinner()))
}
