//! Code that was written twice: the same lines, or the same shape with other names.

mod runs;
mod shape;

use std::cmp::Reverse;
use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use crate::coverage::{Coverage, Ending};
use crate::language::Language;
use crate::role::Role;
use crate::source::Source;
use crate::workspace::Workspace;
use runs::{BREAK, Run, runs};

/// Runs that say less than this are how the language is written. Exact ones say more than those alike in shape.
const SUBSTANCE_MIN: [f32; 2] = [2.5, 5.0];
/// What a run alike in shape is worth beside an exact one.
const SHAPE_SHARE: f32 = 0.5;
/// Tests repeat themselves for good reasons.
const TEST_SHARE: f32 = 0.4;
/// A sample longer than this is cut.
const SAMPLE_CHARS_MAX: usize = 100;

/// What to look for, and how much of it to tell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DuplicateLimits {
    /// The fewest lines that count as repeated; comments, blank lines and imports apart. By default 6.
    pub lines_min: usize,
    /// How many to list. By default 50.
    pub listed_max: usize,
}

impl Default for DuplicateLimits {
    fn default() -> Self {
        Self { lines_min: 6, listed_max: 50 }
    }
}

/// What is repeated in a workspace.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Duplicates {
    /// What this rests on.
    pub coverage: Coverage,
    /// What is repeated, the weightiest first.
    pub listed: Vec<Duplicate>,
    /// How many more were found.
    pub unlisted: usize,
    /// Lines that would go if each was written once.
    pub spare_lines: usize,
    /// Lines that were compared.
    pub compared_lines: usize,
}

/// Code that stands at several places.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Duplicate {
    /// How much alike it is.
    pub likeness: Likeness,
    /// Lines of code in each occurrence; comments, blank lines and imports apart.
    pub lines: usize,
    /// Where it stands.
    pub places: Vec<Place>,
    /// How much there is to gain: the lines by how rare they are, times the root of the occurrences beyond the first.
    /// What stands everywhere is often a habit; a long piece that was copied once is often a mistake.
    pub weight: f32,
    /// The first line that says something, without secrets.
    pub sample: String,
}

/// How much alike two pieces of code are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Likeness {
    /// The same words.
    Exact,
    /// The same but for names, numbers and texts.
    Shape,
}

/// A stretch of a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Place {
    /// The file.
    pub path: String,
    /// The first line, from 1.
    pub first_line: usize,
    /// The last line.
    pub last_line: usize,
}

impl Workspace {
    /// Looks for code that is repeated within files and across them. Generated files are passed over.
    pub fn duplicates(&self, limits: &DuplicateLimits, go_on: &dyn Fn() -> bool) -> Duplicates {
        let mut corpus = Corpus::default();
        let files = self.files().iter().filter(|file| {
            let language = Language::by_name(&file.path);
            // What has no telling name may have a telling first line.
            language.is_code() || (language == Language::Text && !file.path.contains('.'))
        });
        let mut coverage = self.each(files, go_on, |file, text| corpus.add(&file.path, text));
        let mut candidates = Vec::new();
        for likeness in [Likeness::Exact, Likeness::Shape] {
            if !go_on() {
                coverage.ending = Ending::Stopped;
                break;
            }
            let (found, stopped) = corpus.candidates(likeness, limits.lines_min.max(2));
            candidates.extend(found);
            if stopped {
                coverage.ending = Ending::Stopped;
            }
        }
        corpus.choose(candidates, limits, coverage)
    }
}

/// All lines of all files in one row, with a break between files.
#[derive(Default)]
struct Corpus {
    files: Vec<(String, Role)>,
    /// Which file a line is in, and its number there; the same length as the rows.
    lines: Vec<(usize, usize)>,
    rows: [Vec<u32>; 2],
    numbers: [HashMap<String, u32>; 2],
    counts: [Vec<u32>; 2],
    substance: Vec<f32>,
}

struct Candidate {
    likeness: Likeness,
    run: Run,
    weight: f32,
}

impl Corpus {
    fn add(&mut self, path: &str, text: String) {
        let language = Language::of(path, &text);
        let role = Role::of(path, language, &text);
        if !language.is_code() || role == Role::Generated {
            return;
        }
        let file = self.files.len();
        self.files.push((path.to_owned(), role));
        for line in shape::shaped(&Source::new(text, language)) {
            for (which, key) in [line.exact, line.shape].into_iter().enumerate() {
                let next = self.counts[which].len() as u32;
                let number = *self.numbers[which].entry(key).or_insert(next);
                if number == next {
                    self.counts[which].push(0);
                }
                self.counts[which][number as usize] += 1;
                self.rows[which].push(number);
            }
            self.lines.push((file, line.number));
            self.substance.push(line.substance);
        }
        self.rows.iter_mut().for_each(|row| row.push(BREAK));
        self.lines.push((file, 0));
        self.substance.push(0.0);
    }

    fn candidates(&self, likeness: Likeness, len_min: usize) -> (Vec<Candidate>, bool) {
        let which = likeness as usize;
        let (found, stopped) = runs(&self.rows[which], len_min);
        let trimmed = found.into_iter().map(|run| self.trim(run)).filter(|run| run.len >= len_min);
        let weighed = trimmed.filter_map(|run| {
            let weight = self.weigh(&run, likeness)?;
            Some(Candidate { likeness, run, weight })
        });
        (weighed.collect(), stopped)
    }

    /// Without the closing braces at its beginning, which belong to what stands before.
    fn trim(&self, mut run: Run) -> Run {
        while run.len > 0 && self.substance[run.starts[0]] == 0.0 {
            run.len -= 1;
            run.starts.iter_mut().for_each(|start| *start += 1);
        }
        run
    }

    /// What a run is worth; none if it says too little.
    fn weigh(&self, run: &Run, likeness: Likeness) -> Option<f32> {
        let which = likeness as usize;
        let total = (self.lines.len() as f32).max(2.0);
        let start = run.starts[0];
        let says: f32 = (start..start + run.len)
            .map(|at| {
                let count = self.counts[which][self.rows[which][at] as usize] as f32;
                // A line that stands everywhere says nothing, one that stands nowhere else says all it can.
                self.substance[at] * (total / count).ln() / total.ln()
            })
            .sum();
        let in_tests = run.starts.iter().all(|start| self.files[self.lines[*start].0].1 != Role::Source);
        let share = if likeness == Likeness::Shape { SHAPE_SHARE } else { 1.0 }
            * if in_tests { TEST_SHARE } else { 1.0 };
        (says >= SUBSTANCE_MIN[which]).then_some(says * ((run.starts.len() - 1) as f32).sqrt() * share)
    }

    /// The weightiest first, leaving out what lies within one that was chosen before.
    fn choose(
        &self,
        mut candidates: Vec<Candidate>,
        limits: &DuplicateLimits,
        coverage: Coverage,
    ) -> Duplicates {
        candidates.sort_by(|a, b| {
            b.weight
                .total_cmp(&a.weight)
                .then_with(|| (Reverse(a.run.len), &a.run.starts).cmp(&(Reverse(b.run.len), &b.run.starts)))
        });
        let mut covered = vec![false; self.lines.len()];
        let compared_lines = self.lines.iter().filter(|(_, number)| *number > 0).count();
        let mut duplicates = Duplicates { coverage, compared_lines, ..Duplicates::default() };
        for candidate in candidates {
            let Run { starts, len } = &candidate.run;
            let within = starts
                .iter()
                .map(|start| covered[*start..start + len].iter().filter(|covered| **covered).count())
                .sum::<usize>();
            if within * 4 > starts.len() * len {
                continue;
            }
            duplicates.spare_lines += (starts.len() - 1) * len;
            starts.iter().for_each(|start| covered[*start..start + len].fill(true));
            if duplicates.listed.len() < limits.listed_max {
                duplicates.listed.push(self.told(&candidate));
            } else {
                duplicates.unlisted += 1;
            }
        }
        duplicates
    }

    fn told(&self, candidate: &Candidate) -> Duplicate {
        let Run { starts, len } = &candidate.run;
        let places = starts.iter().map(|start| {
            let (file, first_line) = self.lines[*start];
            Place { path: self.files[file].0.clone(), first_line, last_line: self.lines[start + len - 1].1 }
        });
        Duplicate {
            likeness: candidate.likeness,
            lines: *len,
            places: places.collect(),
            weight: candidate.weight,
            sample: self.sample(starts[0], *len),
        }
    }

    fn sample(&self, start: usize, len: usize) -> String {
        let best = (start..start + len).find(|at| self.substance[*at] == 1.0).unwrap_or(start);
        let number = self.rows[0][best];
        let line =
            self.numbers[0].iter().find(|(_, known)| **known == number).map_or("", |(line, _)| line.as_str());
        let line = peri_text::redact(line).text;
        match line.char_indices().nth(SAMPLE_CHARS_MAX) {
            Some((at, _)) => format!("{}…", &line[..at]),
            None => line.into_owned(),
        }
    }
}
