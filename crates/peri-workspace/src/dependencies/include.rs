//! Files that are named by a path: `#include "a.h"` and `require_relative 'a'`.

use std::collections::HashMap;

use super::{Places, folder_of, join};
use crate::source::Source;

/// What a file includes by name; what stands between angle brackets is the system's.
pub(super) fn includes(source: &Source) -> Vec<(usize, String)> {
    let lines = source.lines().filter_map(|line| {
        let rest = line.code.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
        rest.trim_start()
            .starts_with('"')
            .then(|| line.text.split('"').nth(1).map(|path| (line.number, path.to_owned())))?
    });
    lines.collect()
}

/// What a Ruby file requires from beside it.
pub(super) fn required(source: &Source) -> Vec<(usize, String)> {
    let lines = source.lines().filter_map(|line| {
        line.code.trim_start().strip_prefix("require_relative")?;
        let path = line.text.split(['"', '\'']).nth(1)?;
        Some((line.number, format!("{}.rb", path.trim_end_matches(".rb"))))
    });
    lines.collect()
}

/// Files by path and, where that is not enough, by name.
pub(super) struct Headers<'a> {
    places: &'a Places<'a>,
    by_name: HashMap<&'a str, Vec<usize>>,
}

impl<'a> Headers<'a> {
    pub(super) fn new(places: &'a Places<'a>) -> Self {
        let mut by_name: HashMap<&str, Vec<usize>> = HashMap::new();
        for (number, path) in places.names.iter().enumerate() {
            by_name.entry(path.rsplit('/').next().unwrap_or(path)).or_default().push(number);
        }
        Self { places, by_name }
    }

    /// The file at a path from the including one, else the only one whose path ends like that.
    pub(super) fn resolve(&self, from: usize, wanted: &str) -> Option<usize> {
        let beside = join(folder_of(self.places.names[from]), wanted);
        if let Some(number) = beside.and_then(|path| self.places.numbers.get(path.as_str()).copied()) {
            return Some(number);
        }
        let wanted = wanted.trim_start_matches("../").trim_start_matches("./");
        let named = self.by_name.get(wanted.rsplit('/').next()?)?;
        let ends = |number: &&usize| {
            self.places.names[**number]
                .strip_suffix(wanted)
                .is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let mut fitting = named.iter().filter(ends);
        let first = fitting.next().copied();
        first.filter(|_| fitting.next().is_none())
    }
}
