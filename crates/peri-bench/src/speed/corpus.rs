//! Invented memories: half of them turns of conversations, half plain facts, no two alike.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use jiff::ToSpan;
use jiff::civil::{Date, date};
use jiff::tz::TimeZone;
use perihelion::{Remember, Timestamp};

use super::words::{Random, Vocabulary};

/// On one memory in a hundred, and on one in ten.
pub(super) const RARE_TAG: &str = "one-in-a-hundred";
pub(super) const COMMON_TAG: &str = "one-in-ten";

/// A conversation has from so many turns on, and so many more at most: 25 on average.
const TURNS_MIN: usize = 15;
const TURNS_MORE: usize = 21;
const CONVERSATIONS_PER_DAY: i64 = 4;
const FIRST_DAY: Date = date(2023, 1, 2);

#[rustfmt::skip]
pub(super) const NAMES: [&str; 48] = [
    "Ana", "Bruno", "Caroline", "Dmitri", "Elena", "Farid", "Greta", "Hassan", "Ingrid", "Jonas", "Keiko",
    "Leila", "Melanie", "Nadia", "Oscar", "Priya", "Quentin", "Rosa", "Stefan", "Tomas", "Ulrike", "Viktor",
    "Wanda", "Ximena", "Yusuf", "Zoe", "Aisha", "Bjorn", "Chiara", "Diego", "Esther", "Felipe", "Gwen",
    "Hiroshi", "Imani", "Joanna", "Kofi", "Lucia", "Marek", "Noor", "Olga", "Pavel", "Renata", "Sergei",
    "Tamara", "Uma", "Valentina", "Wei",
];

// In the sentences _ stands for a word, @ for a name, # for an identifier, ^ for a date and 0 for a number.
const TURNS: [&str; 10] = [
    "I talked to @ about the _ _ yesterday, and we both think that the _ should be _ before anything else.",
    "Do you remember the _ from last week? It was a _ _, and I would still like to _ it with you.",
    "That sounds _! We had a similar _ at the _, though ours was more about _ than about _.",
    "Honestly, I am not sure. The _ looked _ to me, but @ said that her _ is much better with _.",
    "Yes, and on ^ we are going to the _ with @. Bring your _ and something for the _ if you can.",
    "We moved # to the _ side this morning; the _ is fine now, but the _ still needs a _ or two.",
    "How did the _ go? I heard that the _ was _ and that nobody had a _ for it in the end.",
    "My _ started a _ course 0 weeks ago, and since then the whole _ has been talking about _ and _.",
    "Thanks, that means a lot. The _ was hard, but the _ and the _ made it worth the _.",
    "If the _ is _ again, tell @ to look at # first, then at the _; it took me 0 hours to find that.",
];
const FACTS: [&str; 10] = [
    "The _ of the _ is called # and runs on the _ _; it needs a _ every 0 days.",
    "@ prefers _ over _ when the _ is _, and never wants a _ without a _ first.",
    "^: the _ was decided; we use the _ _ for every _ and keep the _ as a fallback for 0 months.",
    "When # fails with a _, the _ has to be _ by hand before the next _ can start.",
    "The contract with the _ _ ends on ^, costs 0 a month, and covers the _ but not the _.",
    "Every _ must have a _ and a _; the _ team checks this and @ answers questions about it.",
    "To build the _, run # after the _ step and copy the _ into the _ folder of the _.",
    "@ is responsible for the _ and the _ _, lives near the _ and is away every second _.",
    "The _ limit is 0 for each _; above that the _ is _ and the _ shows an error about the _.",
    "We learned that a _ _ makes the _ slower than a _ one, so the _ was changed to _ in #.",
];

/// What one memory is about, for questions.
#[derive(Clone, Default)]
pub(super) struct Clue {
    pub(super) topic: usize,
    pub(super) words: Vec<&'static str>,
    pub(super) speaker: Option<&'static str>,
    pub(super) identifier: Option<String>,
    pub(super) day: Option<Date>,
    /// The digest of its words, by which it is known again.
    pub(super) digest: u64,
}

/// What is being told: turns of one conversation, or as many facts after it.
struct Conversation {
    number: i64,
    topic: usize,
    speakers: [&'static str; 2],
    turns: usize,
    told: usize,
}

/// Makes memories without end.
pub(crate) struct Corpus {
    pub(super) vocabulary: Vocabulary,
    pub(super) random: Random,
    conversation: Conversation,
    told: HashSet<u64>,
    /// One clue for each memory, in order.
    pub(super) clues: Vec<Clue>,
}

impl Corpus {
    pub(crate) fn new(seed: u64) -> Self {
        let mut random = Random::new(seed);
        let vocabulary = Vocabulary::new(&mut random);
        let conversation = Conversation::new(0, &vocabulary, &mut random);
        Self { vocabulary, random, conversation, told: HashSet::new(), clues: Vec::new() }
    }

    /// The next memories.
    pub(crate) fn take(&mut self, count: usize) -> Vec<Remember> {
        (0..count).map(|_| self.next()).collect()
    }

    fn next(&mut self) -> Remember {
        if self.conversation.told == 2 * self.conversation.turns {
            let number = self.conversation.number + 1;
            self.conversation = Conversation::new(number, &self.vocabulary, &mut self.random);
        }
        let (mut content, mut clue) = self.invent();
        while !self.told.insert(digest(&content)) {
            (content, clue) = self.invent();
        }
        clue.digest = digest(&content);
        let request = self.request(content, &mut clue);
        self.conversation.told += 1;
        self.clues.push(clue);
        request
    }

    fn request(&mut self, content: String, clue: &mut Clue) -> Remember {
        let conversation = &self.conversation;
        let mut request = Remember::new(content);
        if conversation.told < conversation.turns {
            let speaker = conversation.speakers[conversation.told % 2];
            clue.speaker = Some(speaker);
            clue.day = Some(conversation.day());
            request = request.said(format!("session-{}", conversation.number), speaker);
            request = request.at(conversation.time());
        }
        let tags = [(RARE_TAG, 0.01), (COMMON_TAG, 0.1), ("project", 0.2), ("home", 0.2)];
        let tags: Vec<&str> =
            tags.into_iter().filter(|(_, share)| self.random.share() < *share).map(|(tag, _)| tag).collect();
        request.tags(tags)
    }

    fn invent(&mut self) -> (String, Clue) {
        let is_turn = self.conversation.told < self.conversation.turns;
        let topic = if is_turn { self.conversation.topic } else { self.vocabulary.topic(&mut self.random) };
        let template = self.random.pick(if is_turn { &TURNS } else { &FACTS });
        let mut clue = Clue { topic, ..Clue::default() };
        let mut content = String::with_capacity(160);
        for c in template.chars() {
            self.fill(c, &mut content, &mut clue);
        }
        (content, clue)
    }

    fn fill(&mut self, c: char, content: &mut String, clue: &mut Clue) {
        match c {
            '_' => {
                let word = self.vocabulary.word(clue.topic, &mut self.random);
                clue.words.push(word);
                content.push_str(word);
            }
            '@' => content.push_str(self.random.pick(&NAMES)),
            '#' => {
                let identifier = self.identifier(clue.topic);
                content.push_str(&identifier);
                clue.identifier = Some(identifier);
            }
            '^' => {
                let later = i64::try_from(self.random.below(60)).unwrap_or(0);
                let day = self.conversation.day().saturating_add(later.days());
                content.push_str(&day.strftime("%-d %B %Y").to_string());
                clue.day = Some(day);
            }
            '0' => content.push_str(&(2 + self.random.below(400)).to_string()),
            c => content.push(c),
        }
    }

    fn identifier(&mut self, topic: usize) -> String {
        let first = self.vocabulary.topic_word(topic, &mut self.random);
        let second = self.vocabulary.word(topic, &mut self.random);
        let number = self.random.below(100_000);
        match number % 4 {
            0 => format!("{}-{number}", first[..3].to_uppercase()),
            1 => format!("{first}_{second}_{}", number % 100),
            2 => format!("{first}{}{}", second[..1].to_uppercase(), &second[1..]),
            _ => format!("src/{first}/{second}.rs"),
        }
    }
}

impl Conversation {
    fn new(number: i64, vocabulary: &Vocabulary, random: &mut Random) -> Self {
        let turns = TURNS_MIN + random.below(TURNS_MORE);
        let speakers = [random.pick(&NAMES), random.pick(&NAMES)];
        Self { number, topic: vocabulary.topic(random), speakers, turns, told: 0 }
    }

    fn day(&self) -> Date {
        FIRST_DAY.saturating_add((self.number / CONVERSATIONS_PER_DAY).days())
    }

    fn time(&self) -> Timestamp {
        let hour = i8::try_from(8 + self.number % CONVERSATIONS_PER_DAY * 3).unwrap_or(8);
        let start = self
            .day()
            .at(hour, 0, 0, 0)
            .to_zoned(TimeZone::UTC)
            .map_or(Timestamp::UNIX_EPOCH, |at| at.timestamp());
        start + i64::try_from(self.told).unwrap_or(0).minutes()
    }
}

/// By which a text is known again.
pub(super) fn digest(text: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}
