//! The English word lists. A word that is missing costs a verdict, a word too many may cost a memory.

/// Phrases that are rewritten before anything else is read, the longer ones first.
pub(super) const PHRASES: &[(&[&str], &[&str])] = &[
    (&["do", "not", "have", "to"], &["neednot"]),
    (&["does", "not", "have", "to"], &["neednot"]),
    (&["do", "not", "need", "to"], &["neednot"]),
    (&["does", "not", "need", "to"], &["neednot"]),
    (&["do", "not", "ever"], &["never"]),
    (&["does", "not", "ever"], &["never"]),
    (&["from", "now", "on"], &["now"]),
    (&["as", "of", "now"], &["now"]),
    (&["in", "order", "to"], &["to"]),
    (&["is", "able", "to"], &["can"]),
    (&["are", "able", "to"], &["can"]),
    (&["am", "able", "to"], &["can"]),
    (&["at", "the", "moment"], &["temporarily"]),
    (&["at", "this", "moment"], &["temporarily"]),
    (&["for", "the", "time", "being"], &["temporarily"]),
    (&["now", "and", "then"], &["sometimes"]),
    (&["right", "now"], &["temporarily"]),
    (&["for", "now"], &["temporarily"]),
    (&["until", "now"], &["formerly"]),
    (&["up", "to", "now"], &["formerly"]),
    (&["no", "longer"], &["nolonger"]),
    (&["any", "more"], &["anymore"]),
    (&["any", "longer"], &["anymore"]),
    (&["these", "days"], &["now"]),
    (&["has", "to"], &["must"]),
    (&["have", "to"], &["must"]),
    (&["needs", "to"], &["must"]),
    (&["need", "to"], &["must"]),
    (&["as", "well", "as"], &["and"]),
    (&["as", "well"], &["also"]),
    (&["in", "addition"], &["also"]),
    (&["instead", "of"], &["insteadof"]),
    (&["rather", "than"], &["insteadof"]),
    (&["e", "mail"], &["email"]),
    (&["used", "to"], &["formerly"]),
    (&["going", "to"], &["will"]),
    (&["about", "to"], &["will"]),
    (&["scared", "of"], &["afraid", "of"]),
    (&["works", "for"], &["works", "at"]),
    (&["work", "for"], &["work", "at"]),
    (&["is", "named"], &["is", "called"]),
    (&["are", "not", "allowed"], &["are", "forbidden"]),
    (&["is", "not", "allowed"], &["is", "forbidden"]),
];

/// Openings that say nothing about what follows.
pub(super) const OPENINGS: &[&[&str]] = &[
    &["please", "remember", "that"],
    &["please", "remember"],
    &["remember", "that"],
    &["please", "note", "that"],
    &["please", "note"],
    &["note", "that"],
    &["as", "a", "reminder"],
    &["just", "a", "reminder"],
    &["for", "the", "record"],
    &["by", "the", "way"],
    &["keep", "in", "mind", "that"],
    &["fyi"],
    &["btw"],
    &["also"],
    &["and"],
    &["please"],
];

/// Words that are openings when a comma or a colon follows: "well, ..." but not "well water".
#[rustfmt::skip]
pub(super) const MARKED_OPENINGS: &[&str] =
    &[
    "reminder", "remember", "note", "so", "well", "ok", "okay", "update", "fact", "yes", "no", "anyway",
];

/// Closings that say nothing about what came before.
pub(super) const CLOSINGS: &[&[&str]] =
    &[&["by", "the", "way"], &["btw"], &["fyi"], &["please"], &["thanks"]];

/// Words that can be left out without a loss.
pub(super) const FILLERS: &[&str] = &["just", "really", "basically", "simply", "already", "indeed"];

/// Other spellings and other words for the same, each with the one that is kept.
#[rustfmt::skip]
pub(super) const SYNONYMS: &[(&str, &str)] = &[
    ("each", "every"), ("approximately", "about"), ("roughly", "about"), ("approx", "about"),
    ("favourite", "favorite"), ("colour", "color"), ("colours", "colors"), ("grey", "gray"),
    ("centre", "center"), ("behaviour", "behavior"), ("licence", "license"), ("organisation", "organization"),
    ("mom", "mother"), ("mum", "mother"), ("dad", "father"), ("tv", "television"), ("repo", "repository"),
    ("repos", "repositories"), ("docs", "documentation"), ("db", "database"), ("config", "configuration"),
    ("brief", "short"), ("concise", "short"), ("scared", "afraid"), ("resides", "lives"), ("reside", "live"),
    ("utilizes", "uses"), ("utilize", "use"), ("purchased", "bought"), ("children", "kids"),
    ("photo", "picture"), ("photos", "pictures"), ("begins", "starts"), ("begin", "start"),
    ("everybody", "everyone"), ("cellphone", "phone"), ("currently", "now"), ("nowadays", "now"),
    ("presently", "now"), ("named", "called"), ("prohibited", "forbidden"), ("banned", "forbidden"),
    ("permitted", "allowed"),
];

/// Units with their other spellings; the first of each row is kept.
pub(super) const UNITS: &[&[&str]] = &[
    &["sec", "s", "secs", "second", "seconds"],
    &["millisecond", "ms", "milliseconds"],
    &["minute", "min", "mins", "minutes"],
    &["hour", "h", "hr", "hrs", "hours"],
    &["day", "days"],
    &["week", "weeks"],
    &["month", "months"],
    &["year", "years", "yrs"],
    &["kilometer", "km", "kilometers", "kilometres"],
    &["kilogram", "kg", "kilograms"],
    &["megabyte", "mb", "megabytes"],
    &["gigabyte", "gb", "gigabytes"],
    &["kilobyte", "kb", "kilobytes"],
    &["euro", "euros", "eur"],
    &["dollar", "dollars", "usd"],
];

#[rustfmt::skip]
pub(super) const NUMBERS: &[&str] = &[
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen", "twenty",
];

#[rustfmt::skip]
pub(super) const TENS: &[(&str, &str)] = &[
    ("thirty", "30"), ("forty", "40"), ("fifty", "50"), ("sixty", "60"), ("seventy", "70"), ("eighty", "80"),
    ("ninety", "90"),
];

/// Words that turn a statement into a wish, a plan, a guess, a condition or a report.
#[rustfmt::skip]
pub(super) const UNREAL: &[&str] = &[
    "might", "may", "could", "would", "should", "will", "shall", "if", "unless", "whether", "maybe",
    "perhaps", "probably", "possibly", "likely", "supposedly", "apparently", "want", "wants", "wanted",
    "wish", "wishes", "wished", "hope", "hopes", "hoped", "hoping", "planning", "planned", "intend",
    "intends", "considering", "considers", "considered", "think", "thinks", "thinking", "thought", "believe",
    "believes", "guess", "suppose", "doubt", "doubts", "almost", "nearly", "said", "says", "say", "told",
    "tells", "asked", "asks", "ask", "asking", "suggested", "suggests", "suggest", "proposed", "proposes",
    "propose", "heard", "hear", "rumor", "rumors", "rumour", "dream", "dreams", "dreamed", "dreaming",
    "let's", "lets", "try", "tries", "tried", "trying", "refused", "refuses", "supposed", "expected",
    "expects", "imagine", "pretend", "unsure", "sure", "soon", "gonna", "wonder", "wonders", "wondering",
    "recommends", "recommended", "recommend", "once", "when", "whenever", "failed", "decided", "agreed",
    "promised", "offered", "scheduled", "ideally", "seems", "fake", "joke", "joking", "story", "novel",
    "game", "character", "feel", "feels", "felt", "looking",
];

/// Words that limit a statement to a while.
#[rustfmt::skip]
pub(super) const TEMPORARY: &[&str] = &[
    "today", "today's", "tonight", "tomorrow", "yesterday", "temporarily", "temporary", "until", "till",
    "twice", "times", "next", "last", "ago", "visiting", "holiday", "vacation", "during", "sometimes",
    "occasionally", "often", "usually", "briefly",
];

/// Units that make "this" point at a while: "this week".
#[rustfmt::skip]
pub(super) const WHILES: &[&str] = &[
    "week", "month", "morning", "afternoon", "evening", "weekend", "time", "quarter", "summer", "winter",
    "spring",
];

/// Words that tell of an addition rather than a change.
#[rustfmt::skip]
pub(super) const ADDITIVE: &[&str] = &[
    "also", "too", "another", "additionally", "both", "besides", "plus", "either", "second", "additional",
    "extra", "more", "other", "third", "still", "again", "even", "alongside",
];

/// Forms that tell of the past by themselves.
#[rustfmt::skip]
pub(super) const PAST: &[&str] = &[
    "was", "were", "did", "had", "formerly", "previously", "went", "met", "gave", "flew", "took", "ate",
    "bought", "saw", "came", "got", "made", "found", "left", "sold", "wrote", "won", "lost", "began",
    "became", "spoke", "taught", "brought", "drove", "rode", "slept", "sent", "spent", "stood", "sat", "wore",
    "chose", "broke", "fell", "grew", "knew", "drew", "ran", "kept", "held", "paid", "caught", "fought",
    "drank", "sang", "swam", "threw",
];

/// Words that begin a phrase which may stand at either end of a sentence.
#[rustfmt::skip]
pub(super) const FREE: &[&str] = &[
    "for", "in", "on", "at", "every", "during", "since", "after", "before", "with", "when", "if", "by",
    "within",
];

/// Words that begin what is only added to a value.
#[rustfmt::skip]
pub(super) const ADJUNCTS: &[&str] = &[
    "for", "with", "in", "on", "at", "when", "if", "during", "because", "since", "by", "from", "to", "as",
    "where", "which", "who", "while", "per", "near", "and", "or", "but", "until", "not", "within", "except",
    "of", "then", "that", "under", "over", "after", "before", "via", "through", "behind", "so", "like",
];

/// What has one value at a time when somebody or something has it.
#[rustfmt::skip]
pub(super) const ATTRIBUTES: &[&str] = &[
    "name", "nickname", "username", "email", "address", "phone", "number", "port", "version", "deadline",
    "birthday", "anniversary", "age", "manager", "boss", "supervisor", "ceo", "cto", "cfo", "lead", "leader",
    "landlord", "password", "passphrase", "pin", "url", "domain", "hostname", "host", "endpoint", "region",
    "timezone", "branch", "budget", "price", "cost", "rent", "salary", "limit", "timeout", "threshold",
    "interval", "length", "size", "capacity", "height", "weight", "title", "location", "venue", "wife",
    "husband", "girlfriend", "boyfriend", "spouse", "fiance", "fiancee", "mascot", "slogan", "codename",
    "currency", "license", "quota", "rate", "target", "duration", "employer", "hometown", "surname", "ttl",
    "id", "extension", "headquarters", "capital", "default", "seat", "president", "mayor", "roommate",
];

/// The attributes that are people.
#[rustfmt::skip]
pub(super) const PEOPLE: &[&str] = &[
    "manager", "boss", "supervisor", "ceo", "cto", "cfo", "lead", "leader", "landlord", "wife", "husband",
    "girlfriend", "boyfriend", "spouse", "fiance", "fiancee", "president", "mayor", "roommate",
];

/// Predicates of a copula that describe rather than name; two of them may hold at once.
#[rustfmt::skip]
pub(super) const ADJECTIVES: &[&str] = &[
    "good", "bad", "new", "old", "fast", "slow", "big", "small", "large", "high", "low", "weak", "strong",
    "hard", "easy", "nice", "great", "happy", "sad", "tired", "sick", "busy", "free", "full", "empty", "hot",
    "cold", "warm", "red", "blue", "green", "black", "white", "ready", "done", "fine", "ok", "okay", "late",
    "early", "open", "up", "down", "online", "offline", "live", "safe", "cheap", "clean", "dirty", "tight",
    "secret", "public", "private", "short", "long", "fun", "funny", "here", "there", "away", "back", "better",
    "worse", "wrong", "right", "true", "false", "important", "young", "kind", "smart", "broken", "unknown",
    "available", "unavailable", "strict", "pregnant", "single", "vegan", "vegetarian", "retired", "stable",
    "unstable", "critical", "popular", "famous", "amazing", "awesome", "awful", "terrible", "horrible",
    "lazy", "lovely", "brilliant", "toxic", "mean", "chill", "cool", "crazy", "noisy", "quiet", "loud",
    "idle", "healthy", "unhealthy", "stuck", "dead", "alive", "fixed", "faster", "slower", "cheaper",
    "bigger", "smaller", "older", "younger", "higher", "lower", "larger", "simpler", "easier", "harder",
    "near", "close", "far", "enough", "same", "different", "similar", "unique", "special", "normal",
    "standard", "custom", "dynamic", "static", "random", "variable", "negotiable", "flexible", "optional",
    "mandatory", "final", "correct", "incorrect", "valid", "invalid", "known", "obvious", "clear", "unclear",
    "ugly", "pretty", "cute", "tall", "thin", "fat", "rich", "poor", "honest", "rude", "polite", "shy",
    "brave", "calm", "nervous", "ill", "well", "drunk", "sober", "awake", "asleep", "alone", "lonely", "lost",
    "dry", "wet", "heavy", "light", "dark", "bright", "sharp", "flat", "round", "square", "sweet", "sour",
    "bitter", "spicy", "fresh", "rotten", "raw", "ripe", "german", "french", "spanish", "english", "british",
    "american", "canadian", "mexican", "brazilian", "italian", "portuguese", "dutch", "belgian", "swiss",
    "austrian", "polish", "czech", "russian", "ukrainian", "turkish", "greek", "chinese", "japanese",
    "korean", "indian", "pakistani", "vietnamese", "thai", "indonesian", "australian", "african", "european",
    "asian", "irish", "scottish", "swedish", "danish", "norwegian", "finnish", "hungarian", "romanian",
    "egyptian", "nigerian", "kenyan", "israeli", "iranian", "catholic", "muslim", "jewish", "christian",
    "buddhist", "male", "female", "gay", "straight", "left", "everything", "nothing", "something", "someone",
    "all", "always", "not", "still", "currently", "often", "usually", "deprecated", "internal", "external",
    "local", "remote", "shared", "global", "unlimited", "infinite", "zero", "none", "null", "undefined",
    "tbd", "pending", "overdue", "due", "past", "out", "off", "on", "gone", "sure", "aware", "angry", "proud",
    "excited", "beautiful", "generous", "friendly",
];

/// Verbs whose object is in use until something takes its place.
#[rustfmt::skip]
pub(super) const USES: &[&str] = &[
    "use", "be", "run", "live", "work", "store", "keep", "deploy", "build", "host", "write", "manag", "track",
    "ship", "test", "reli", "prefer", "send", "go", "drink", "eat", "pay", "drive", "bank", "code", "search",
    "serv", "train", "own", "belong", "studi", "monitor", "log", "has", "have", "meet", "sit", "depend",
];

/// Jobs, so that a promotion replaces a job and not a hobby.
#[rustfmt::skip]
pub(super) const ROLES: &[&str] = &[
    "engineer", "developer", "manager", "director", "analyst", "assistant", "intern", "lead", "head",
    "officer", "associate", "consultant", "designer", "architect", "administrator", "specialist",
    "coordinator", "supervisor", "professor", "lecturer", "sergeant", "captain", "lieutenant", "chef",
    "editor", "producer", "principal", "partner", "programmer", "scientist", "researcher", "technician",
    "accountant", "cto", "ceo", "cfo", "vp", "president", "teacher", "nurse", "cashier", "waiter", "clerk",
    "secretary", "foreman",
];

/// What follows "in" or "to" and is no place with a name: units of work, homes, states.
#[rustfmt::skip]
pub(super) const NOT_A_PLACE: &[&str] = &[
    "team", "department", "role", "position", "project", "desk", "room", "section", "marketing", "sales",
    "engineering", "group", "office", "flat", "house", "apartment", "city", "village", "town", "home", "fear",
    "top", "front", "back", "next", "level", "stage", "phase", "class", "school", "backend", "frontend",
    "support", "finance", "legal", "country", "dorm", "studio", "trailer", "van", "suburbs", "countryside",
    "area", "place", "neighborhood", "harmony", "peace", "management", "operations", "security", "research",
    "design", "it", "hr", "maintenance", "beta", "alpha", "production", "staging", "progress", "review",
    "trouble", "use", "danger", "love", "charge", "touch", "stock", "sync", "transit", "english", "german",
    "french", "spanish", "chinese", "korean", "japanese", "russian", "ruins", "shape", "order", "debt",
    "pain", "tears", "linux", "windows", "remote", "full", "part", "hospital", "prison", "jail", "college",
    "university", "night", "weekends", "times", "height",
];

/// Words that follow "works at" and name no employer.
#[rustfmt::skip]
pub(super) const NOT_AN_EMPLOYER: &[&str] = &[
    "home", "night", "nights", "weekends", "weekend", "office", "desk", "noon", "dawn", "once", "all",
    "school", "work", "height", "heights", "scale", "sea", "it", "him", "her", "them", "us", "me", "free",
    "myself", "himself", "herself", "clients", "people", "a", "most", "least",
];

/// Lands hold cities, so one of each may be true at once.
#[rustfmt::skip]
pub(super) const LANDS: &[&str] = &[
    "germany", "france", "spain", "italy", "portugal", "england", "scotland", "wales", "ireland", "britain",
    "uk", "usa", "us", "america", "canada", "mexico", "brazil", "argentina", "chile", "peru", "colombia",
    "china", "japan", "korea", "india", "pakistan", "bangladesh", "indonesia", "malaysia", "singapore",
    "thailand", "vietnam", "philippines", "taiwan", "australia", "russia", "ukraine", "poland", "czechia",
    "austria", "switzerland", "belgium", "netherlands", "holland", "denmark", "sweden", "norway", "finland",
    "iceland", "greece", "turkey", "egypt", "morocco", "nigeria", "kenya", "ghana", "ethiopia", "uganda",
    "rwanda", "tanzania", "israel", "iran", "iraq", "europe", "asia", "africa", "california", "texas",
    "florida", "oregon", "bavaria", "catalonia", "quebec", "ontario", "hungary", "romania", "bulgaria",
    "serbia", "croatia", "slovenia", "slovakia", "estonia", "latvia", "lithuania", "zealand", "ohio",
    "michigan", "illinois", "virginia", "colorado", "arizona", "massachusetts", "abroad", "overseas", "north",
    "south", "east", "west",
];

/// Subjects that point at something said elsewhere.
#[rustfmt::skip]
pub(super) const POINTERS: &[&str] = &[
    "he", "she", "it", "they", "him", "her", "his", "its", "their", "them", "this", "that", "these", "those",
    "there", "someone", "somebody", "everyone", "people", "one", "you", "your", "who", "which", "what",
    "something", "anyone", "everything", "nothing", "here", "some",
];

/// Opposites wherever they stand. Each pair is looked for both ways round.
#[rustfmt::skip]
pub(super) const ANTONYMS: &[(&str, &str)] = &[
    ("enable", "disable"), ("allow", "forbid"), ("allows", "forbids"), ("always", "never"),
    ("before", "after"), ("likes", "hates"), ("like", "hate"), ("likes", "dislikes"), ("like", "dislike"),
    ("loves", "hates"), ("love", "hate"), ("all", "no"), ("every", "no"), ("everyone", "nobody"),
    ("everyone", "no-one"), ("accepted", "rejected"), ("accepted", "declined"), ("approved", "rejected"),
    ("approved", "denied"), ("passed", "failed"), ("passes", "fails"), ("succeeded", "failed"),
    ("include", "exclude"), ("includes", "excludes"), ("started", "stopped"), ("must", "neednot"),
    ("agrees", "disagrees"),
];

/// Opposites as predicates: the public part may be so and the private part, too.
#[rustfmt::skip]
pub(super) const OPPOSITE_STATES: &[(&str, &str)] = &[
    ("enabled", "disabled"), ("allowed", "forbidden"), ("locked", "unlocked"), ("mandatory", "optional"),
    ("required", "optional"), ("public", "private"), ("on", "off"), ("online", "offline"),
    ("stateful", "stateless"), ("open", "closed"), ("faster", "slower"), ("cheaper", "dearer"),
    ("larger", "smaller"), ("bigger", "smaller"), ("higher", "lower"), ("older", "younger"),
    ("taller", "shorter"), ("longer", "shorter"), ("heavier", "lighter"), ("earlier", "later"),
    ("synchronous", "asynchronous"), ("mutable", "immutable"), ("safe", "unsafe"), ("stable", "unstable"),
    ("available", "unavailable"), ("possible", "impossible"), ("valid", "invalid"), ("visible", "hidden"),
    ("alive", "dead"), ("true", "false"), ("guilty", "innocent"), ("legal", "illegal"),
    ("encrypted", "unencrypted"), ("supported", "unsupported"), ("married", "single"),
    ("included", "excluded"), ("deterministic", "nondeterministic"), ("compatible", "incompatible"),
    ("correct", "incorrect"), ("complete", "incomplete"), ("empty", "full"), ("inclusive", "exclusive"),
];
