//! Analyses of what is about to be stored. Whoever looks how it stands to others needs one before it is written, and the
//! index needs the same one after.

use std::collections::VecDeque;

use parking_lot::Mutex;
use peri_text::{Analysis, analyze};

/// As many as a call has that looks before it writes.
const KEPT_MAX: usize = 64;

/// Longer texts are analysed twice, so that few of them do not fill the memory.
const KEPT_BYTES_MAX: usize = 4096;

/// Analyses that somebody will ask for once more, by their text.
#[derive(Default)]
pub(crate) struct Analyses(Mutex<VecDeque<(String, Analysis)>>);

impl Analyses {
    /// Keeps an analysis for who asks next.
    pub(crate) fn keep(&self, content: &str, analysis: Analysis) {
        if content.len() > KEPT_BYTES_MAX {
            return;
        }
        let mut kept = self.0.lock();
        if kept.len() == KEPT_MAX {
            kept.pop_front();
        }
        kept.push_back((content.to_owned(), analysis));
    }

    /// The analysis of a text: the one that was kept, which is not kept any longer, or a new one.
    pub(crate) fn take(&self, content: &str) -> Analysis {
        let kept = {
            let mut kept = self.0.lock();
            let place = kept.iter().position(|(own, _)| own == content);
            place.and_then(|place| kept.remove(place))
        };
        kept.map_or_else(|| analyze(content), |(_, analysis)| analysis)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use peri_types::Namespace;

    use super::*;
    use crate::{Chores, Options, Perihelion, Remember};

    #[test]
    fn what_was_analysed_to_be_compared_goes_into_the_index() {
        let folder = tempfile::tempdir().unwrap();
        let options = Options { chores: Chores::ByHand, ..Options::at(folder.path()) };
        let engine = Perihelion::open(options).unwrap();
        engine.remember(Remember::new("Ana lives in Berlin.")).unwrap();
        let indexes = &engine.core.sense().indexes;
        assert_eq!(indexes.analyses().0.lock().len(), 1, "kept until the index asks");
        let shelf = indexes.fresh(&*engine.core.store, &Namespace::default()).unwrap();
        assert_eq!(indexes.analyses().0.lock().len(), 0, "and taken by it");
        assert_eq!(shelf.read().frequency("berlin"), 1);
    }

    #[test]
    fn what_was_kept_is_taken_once_and_what_was_not_is_made() {
        let analyses = Analyses::default();
        let told = analyze("Another text");
        analyses.keep("Ana lives in Berlin.", told.clone());
        assert_eq!(analyses.take("Ana lives in Berlin."), told);
        assert_eq!(analyses.take("Ana lives in Berlin."), analyze("Ana lives in Berlin."));
    }

    #[test]
    fn only_so_much_is_kept() {
        let analyses = Analyses::default();
        analyses.keep(&"long ".repeat(KEPT_BYTES_MAX), analyze(""));
        assert_eq!(analyses.0.lock().len(), 0);
        for number in 0..2 * KEPT_MAX {
            analyses.keep(&format!("text {number}"), analyze(""));
        }
        assert_eq!(analyses.0.lock().len(), KEPT_MAX);
        assert_ne!(analyses.take("text 0"), analyze(""), "the oldest went first");
    }
}
