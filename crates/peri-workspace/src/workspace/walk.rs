//! The files of a folder that git does not know.

use std::fs;
use std::path::{Path, PathBuf};

use super::{LeftOut, LeftOutReason, Limits, name};

/// Folders of dependencies and results, whatever the language.
const SKIPPED: &[&str] = &["node_modules", "target", "dist", "vendor", "build", "__pycache__", "venv"];
/// How many entries are looked at for each file that may be taken, so that a desert of folders ends too.
const ENTRIES_PER_FILE: usize = 20;

/// All files below `root`, links among them, and what was passed over. Ends early when the caller asks for it.
pub(super) fn walk(root: &Path, limits: &Limits, go_on: &dyn Fn() -> bool) -> (Vec<PathBuf>, LeftOut) {
    let (mut files, mut left_out) = (Vec::new(), LeftOut::default());
    let mut folders = vec![(PathBuf::new(), 0)];
    let mut entries_left = limits.files_max.saturating_mul(ENTRIES_PER_FILE);
    while let Some((folder, depth)) = folders.pop() {
        if !go_on() {
            break;
        }
        let text = format!("{}/", name::text_of(&folder).unwrap_or_default());
        let Ok(entries) = fs::read_dir(root.join(&folder)) else {
            left_out.add(&text, LeftOutReason::Unreadable);
            continue;
        };
        for entry in entries {
            if files.len() > limits.files_max || entries_left == 0 {
                left_out.add(&text, LeftOutReason::TooMany);
                return (files, left_out);
            }
            entries_left -= 1;
            let Ok(entry) = entry else {
                left_out.add(&text, LeftOutReason::Unreadable);
                continue;
            };
            let path = folder.join(entry.file_name());
            // The type is that of the entry itself: a link to a folder is not a folder.
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => match passed_over(&path, depth, limits) {
                    Some(reason) => left_out.add(&folder_text(&path), reason),
                    None => folders.push((path, depth + 1)),
                },
                Ok(_) => files.push(path),
                Err(_) => left_out.add(&folder_text(&path), LeftOutReason::Unreadable),
            }
        }
    }
    (files, left_out)
}

fn folder_text(path: &Path) -> String {
    format!("{}/", name::text_of(path).unwrap_or_default())
}

fn passed_over(path: &Path, depth: usize, limits: &Limits) -> Option<LeftOutReason> {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    if name.starts_with('.') || SKIPPED.contains(&name.as_ref()) {
        return Some(LeftOutReason::SkippedFolder);
    }
    (depth + 1 >= limits.depth_max).then_some(LeftOutReason::TooDeep)
}
