//! Chance that is the same in every run, and the words that memories are made of.

/// The words, the commonest in English first: the first 3,000 whole words of at least four letters of the
/// bundled table's vocabulary that say something, without names.
static WORDS: &str = include_str!("words.txt");

/// Flattens the beginning of Zipf's law, as leaving out "the" and "and" does: the commonest word is in
/// about one memory in fourteen.
const RANK_OFFSET: f64 = 20.0;

/// Subjects that memories are about.
const TOPICS: usize = 200;
const WORDS_PER_TOPIC: usize = 40;
/// The share of words that come from the subject.
const FROM_TOPIC: f64 = 0.4;

/// SplitMix64: small, fast, and good enough to draw words with.
#[derive(Clone)]
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// At least 0 and below 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Below `end`, which is not 0.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.share() * end as f64) as usize
    }

    pub(crate) fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

/// The words, and the subjects they fall into.
pub(crate) struct Vocabulary {
    words: Vec<&'static str>,
    topics: Vec<Vec<&'static str>>,
}

impl Vocabulary {
    pub(crate) fn new(random: &mut Random) -> Self {
        let words: Vec<&str> = WORDS.split_whitespace().collect();
        let topic = |random: &mut Random| (0..WORDS_PER_TOPIC).map(|_| random.pick(&words)).collect();
        let topics = (0..TOPICS).map(|_| topic(random)).collect();
        Self { words, topics }
    }

    /// A subject's number.
    pub(crate) fn topic(&self, random: &mut Random) -> usize {
        random.below(self.topics.len())
    }

    /// A word of a subject.
    pub(super) fn topic_word(&self, topic: usize, random: &mut Random) -> &'static str {
        random.pick(&self.topics[topic])
    }

    /// A word of somebody who speaks about a subject.
    pub(crate) fn word(&self, topic: usize, random: &mut Random) -> &'static str {
        if random.share() < FROM_TOPIC {
            return self.topic_word(topic, random);
        }
        let all = self.words.len() as f64;
        let rank = RANK_OFFSET * ((all + RANK_OFFSET) / RANK_OFFSET).powf(random.share()) - RANK_OFFSET;
        self.words[(rank as usize).min(self.words.len() - 1)]
    }
}
