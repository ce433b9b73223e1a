//! JSON schemas of the types that are written as plain texts and numbers.
//!
//! Everything else derives its schema; these have parsers of their own, which a derived schema would not know of.
//! The patterns use only what every dialect of regular expressions has, since validators in many languages read
//! them: no look-ahead and no classes of Unicode. So they are exact for ASCII and let every other character
//! through, of which the parser then takes letters and digits only.

use std::borrow::Cow;

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};

use crate::{
    Circumstance, EntryId, Importance, JournalPosition, KeyId, MemoryId, Namespace, PatternId, Scope,
    TrajectoryId, TurnId,
};

/// A character of a segment other than the dot: every ASCII character is left out that is not a letter, a digit
/// or one of `- _ @ : +`. By their numbers, since dialects differ in what they want to be escaped.
const CHARACTER: &str = r"[^\x00-\x2a\x2c\x2e\x2f\x3b-\x3f\x5b-\x5e\x60\x7b-\x7f]";

/// The same with the dot.
const CHARACTER_OR_DOT: &str = r"[^\x00-\x2a\x2c\x2f\x3b-\x3f\x5b-\x5e\x60\x7b-\x7f]";

/// What an id looks like.
const UUID: &str = "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$";

/// A time in milliseconds, of the years that can be written with four digits.
const MILLISECONDS: &str = "(-?([0-9]{1,14}|1[0-9]{14}|2[0-4][0-9]{13})|25[0-3][0-9]{12})";

/// What a namespace looks like. A segment holds something else than dots, or else at least three of them.
fn namespace_pattern() -> String {
    let segment = format!(r"(\.*{CHARACTER}{CHARACTER_OR_DOT}*|\.\.\.+)");
    format!("{segment}(/{segment})*")
}

impl JsonSchema for Namespace {
    fn schema_name() -> Cow<'static, str> {
        "Namespace".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A path such as `team/agent/user`: segments of letters, digits and - _ . @ : +.",
            "type": "string",
            "pattern": format!("^{}$", namespace_pattern()),
            "maxLength": Self::BYTES_MAX,
        })
    }
}

impl JsonSchema for Scope {
    fn schema_name() -> Cow<'static, str> {
        "Scope".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Where to look: a namespace, a namespace with all below it (`team/*`), or everything (`*`).",
            "type": "string",
            "pattern": format!(r"^(\*|{}(/\*)?)$", namespace_pattern()),
            "maxLength": Namespace::BYTES_MAX + "/*".len(),
        })
    }
}

impl JsonSchema for Circumstance {
    fn schema_name() -> Cow<'static, str> {
        "Circumstance".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "One circumstance of an episode, such as `spatial.place=office`.",
            "type": "string",
            "pattern": r"^(temporal|spatial|emotional|social)\.[^=\s][^=]*=\S",
        })
    }
}

impl JsonSchema for MemoryId {
    fn schema_name() -> Cow<'static, str> {
        "MemoryId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A memory's identity: a UUID of version 7, so that ids sort by the time they were given.",
            "type": "string",
            "format": "uuid",
            "pattern": UUID,
            "maxLength": 36,
        })
    }
}

impl JsonSchema for EntryId {
    fn schema_name() -> Cow<'static, str> {
        "EntryId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A journal event's identity: a UUID of version 7.",
            "type": "string",
            "format": "uuid",
            "pattern": UUID,
            "maxLength": 36,
        })
    }
}

impl JsonSchema for TurnId {
    fn schema_name() -> Cow<'static, str> {
        "TurnId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A turn's identity: a UUID of version 7.",
            "type": "string",
            "format": "uuid",
            "pattern": UUID,
            "maxLength": 36,
        })
    }
}

impl JsonSchema for PatternId {
    fn schema_name() -> Cow<'static, str> {
        "PatternId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A pattern's identity: a UUID of version 7.",
            "type": "string",
            "format": "uuid",
            "pattern": UUID,
            "maxLength": 36,
        })
    }
}

impl JsonSchema for TrajectoryId {
    fn schema_name() -> Cow<'static, str> {
        "TrajectoryId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "A trajectory's identity: a UUID of version 7.",
            "type": "string",
            "format": "uuid",
            "pattern": UUID,
            "maxLength": 36,
        })
    }
}

impl JsonSchema for JournalPosition {
    fn schema_name() -> Cow<'static, str> {
        "JournalPosition".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "Where the next page of the journal goes on, as the page before told it.",
            "type": "string",
            "pattern": format!(r"^{MILLISECONDS}\.{}", UUID.trim_start_matches('^')),
        })
    }
}

impl JsonSchema for KeyId {
    fn schema_name() -> Cow<'static, str> {
        "KeyId".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "What a key is called by: the part of it that is no secret.",
            "type": "string",
            "pattern": format!("^[a-z2-7]{{{}}}$", Self::LENGTH),
            "maxLength": Self::LENGTH,
        })
    }
}

impl JsonSchema for Importance {
    fn schema_name() -> Cow<'static, str> {
        "Importance".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({
            "description": "How much a memory was said to matter, from 0 to 1.",
            "type": "number",
            "minimum": 0,
            "maximum": 1,
        })
    }
}
