//! Invented conversations with an agent, the same in every run: some of what is said is worth a note.

use perihelion::{Hear, Said, SaidBy, Timestamp};

use crate::speed::words::{Random, Vocabulary};

// In the sentences _ stands for a word.
const NOTED: [&str; 6] = [
    "We decided to use the _ for the _ and the _.",
    "I prefer the _ _ over the _.",
    "Never change the _ before the _ is done.",
    "I still need to bring the _ to the _.",
    "The _ crashes whenever the _ is started without a _.",
    "No, the _ is called _, not _.",
];
const PASSED_OVER: [&str; 3] = [
    "How is the _ going, and what about the _ and the _?",
    "Could you look at the _ of the _ once more?",
    "Thanks, that looks good; what does the _ say about the _ now?",
];
const ANSWERS: [&str; 3] = [
    "The _ looks fine to me. The _ takes a _ and gives a _, and the _ follows from the _ that was there before; \
     the _ is next to it.",
    "Here is how the _ works: it reads the _, compares each _ with the _, and leaves the _ alone unless the _ has \
     changed since.",
    "It seems that the _ and the _ have little to do with each other, although the _ calls the _ when a _ is missing.",
];
const QUESTIONS: [&str; 3] = [
    "What did we decide about the _ and the _?",
    "Why does the _ crash?",
    "Which _ should be used for the _?",
];

/// The share of what the user says that is worth a note.
const NOTED_SHARE: f64 = 0.3;

/// Says things without end.
pub(super) struct Talk {
    vocabulary: Vocabulary,
    random: Random,
}

impl Talk {
    pub(super) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        Self { vocabulary: Vocabulary::new(&mut random), random }
    }

    /// Something that the user says now, and the agent's answer.
    pub(super) fn exchange(&mut self, session: &str) -> Hear {
        let is_noted = self.random.share() < NOTED_SHARE;
        let asked = self.sentence(if is_noted { &NOTED } else { &PASSED_OVER });
        let answered = self.sentence(&ANSWERS);
        let now = Timestamp::now();
        let messages = vec![Said::new(SaidBy::User, asked, now), Said::new(SaidBy::Assistant, answered, now)];
        Hear { session: session.to_owned(), messages, ..Hear::default() }
    }

    /// Something that the user asks.
    pub(super) fn question(&mut self) -> String {
        self.sentence(&QUESTIONS)
    }

    fn sentence(&mut self, of: &[&'static str]) -> String {
        let template = self.random.pick(of);
        let topic = self.vocabulary.topic(&mut self.random);
        let mut sentence = String::new();
        for c in template.chars() {
            match c {
                '_' => sentence.push_str(self.vocabulary.word(topic, &mut self.random)),
                c => sentence.push(c),
            }
        }
        sentence
    }
}
