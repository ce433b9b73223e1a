//! Whether a text is in a language that an English vocabulary knows.
//!
//! The measure is the share of a text's letters that lie in words which the vocabulary holds whole: it
//! holds nearly every common English word, and cuts the words of other languages to pieces. Two things
//! sharpen it. The commonest words of a language show it better than its nouns, many of which are names
//! or the same everywhere, so they count [`COMMON_WORD_WEIGHT`] times; and those of other European
//! languages count against the text although the vocabulary holds them.

use std::collections::HashSet;

use super::words::Shape;
use super::{TokenId, Vocabulary};

/// A text below this coverage that shows a mark of another language, a common word or a letter of
/// another script, is not embedded.
///
/// Both thresholds were chosen with `cargo run -p peri-embed --example coverage`; the figures are on the
/// crate's page.
const COVERAGE_MIN: f32 = 0.3;

/// The same for a text without such a mark: "ffmpeg transcoding flags" is English, though the vocabulary
/// holds little of it.
const UNMARKED_COVERAGE_MIN: f32 = 0.1;

const COMMON_WORD_WEIGHT: u32 = 3;

const ENGLISH: &str = "a about after again all and any are because been before but by can could did does \
    doing for from get had has have her him his how i if into is it its just my not now of on our out please \
    she should that the their them then there these they this to too us very we were what when where which \
    while who why will with would you your";

/// Common words of German, Dutch, Scandinavian and Romance languages that English writing seldom uses,
/// without accents. Those that English shares ("die", "no", "in", "chat"), that programmers write ("var",
/// "io", "ci") and that are names ("Mia", "Han") are left out.
const FOREIGN: &str = "\
    aber al als ao auch auf aus aux avec avons bei bis ce cela ces cette che como con cuando da dal \
    dans das dass dat de dei del della delle dem der des desde det di dir donde du durch een ein eine \
    einem einen einer el ela ele eles ella elle ellos em en encore er es esa essa esse est esta estao \
    este et etait etre foi fra fue fur gegen gia gut haben hasta hatte hem het heute hon ich ihr ik \
    il immer isso ist ja jag jamais je kein keine la las le leur lo los mais med mehr mein meine meu \
    mig minha mir mit moi muito muy nach nao nas ne nel nella nem nicht niet noch nos notre nous nu \
    num nunca nur och oder ohne ou para pas pela pelo perche pero por porque quand quando que quel \
    quelle quem quer questo qui sa sao schon se sehr sein seine seit seu seus si sich sie siempre \
    sind sobre sono sont sous su sua suas sus tambem tambien tem til toujours tous tout tres tu uber \
    uma un una und une uno uns unser unsere ut vai voce vom von voor votre vous wann warum weil \
    welche wenn werden wie wieder wir wird wo wurde ze zijn zu zum zur";

/// What a word says about its text's language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Evidence {
    Plain,
    CommonEnglish,
    CommonForeign,
}

/// The evidence of common words, found by their number in one vocabulary or, for those that it cuts to
/// pieces, by themselves.
pub(crate) struct CommonWords {
    whole: Vec<Evidence>,
    foreign: HashSet<&'static str>,
}

impl CommonWords {
    pub(crate) fn of(vocabulary: &Vocabulary) -> Self {
        let mut evidence = vec![Evidence::Plain; vocabulary.len()];
        for (words, kind) in [(ENGLISH, Evidence::CommonEnglish), (FOREIGN, Evidence::CommonForeign)] {
            for id in words.split(' ').filter_map(|word| vocabulary.find(word)) {
                if let Some(place) = evidence.get_mut(id.0 as usize) {
                    *place = kind;
                }
            }
        }
        Self { whole: evidence, foreign: FOREIGN.split(' ').collect() }
    }

    fn evidence(&self, word: &str, whole: Option<TokenId>) -> Evidence {
        match whole {
            Some(id) => self.whole.get(id.0 as usize).copied().unwrap_or(Evidence::Plain),
            None if self.foreign.contains(word) => Evidence::CommonForeign,
            None => Evidence::Plain,
        }
    }
}

/// The letters of a text read so far, weighed.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Tally {
    known: u64,
    all: u64,
    marked: bool,
}

impl Tally {
    /// Counts a folded word; `whole` is its id if the vocabulary holds it in one piece.
    pub(crate) fn add(&mut self, word: &str, shape: Shape, whole: Option<TokenId>, common: &CommonWords) {
        if shape.is_identifier() {
            return;
        }
        if shape.other > 0 {
            self.all += u64::from(shape.other + shape.latin);
            self.marked = true;
            return;
        }
        let evidence = common.evidence(word, whole);
        let weight = if evidence == Evidence::Plain { 1 } else { COMMON_WORD_WEIGHT };
        let letters = u64::from(shape.latin * weight);
        self.all += letters;
        self.marked |= evidence == Evidence::CommonForeign;
        if whole.is_some() && evidence != Evidence::CommonForeign {
            self.known += letters;
        }
    }

    /// From 0 to 1. A text without words to judge by, such as `k8s?`, is no foreign one: 1.
    pub(crate) fn coverage(&self) -> f32 {
        if self.all == 0 { 1.0 } else { self.known as f32 / self.all as f32 }
    }

    /// Whether the text may be taken for English.
    pub(crate) fn is_english(&self) -> bool {
        self.coverage() >= if self.marked { COVERAGE_MIN } else { UNMARKED_COVERAGE_MIN }
    }
}
