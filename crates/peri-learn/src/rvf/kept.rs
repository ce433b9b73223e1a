//! A record with the fields that we do not know.
//!
//! Files of others, and of later releases of ours, have fields that this release has not heard of. They are set aside
//! while the known ones are read, and written back. Known fields never pass through a looser type on the way, so that
//! every float reads back to the last bit.

use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, IntoDeserializer as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer, forward_to_deserialize_any};
use serde_json::{Map, Value};

/// A record and whatever else was written beside its fields.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Kept<T> {
    /// What we know.
    pub record: T,
    /// Fields that we do not know. Numbers beyond 64 bits become the nearest float.
    pub other: Map<String, Value>,
}

impl<T> Kept<T> {
    /// A record without further fields.
    pub fn new(record: T) -> Self {
        Self { record, other: Map::new() }
    }
}

impl<T: Serialize> Serialize for Kept<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Whole<'a, T> {
            #[serde(flatten)]
            record: &'a T,
            #[serde(flatten)]
            other: &'a Map<String, Value>,
        }
        Whole { record: &self.record, other: &self.other }.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Kept<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut other = Map::new();
        let record = T::deserialize(Catching { inner: deserializer, other: &mut other })?;
        Ok(Self { record, other })
    }
}

/// Learns from a struct which fields it knows, and catches the others.
struct Catching<'a, D> {
    inner: D,
    other: &'a mut Map<String, Value>,
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Catching<'_, D> {
    type Error = D::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        self.inner.deserialize_any(visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        known: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        self.inner.deserialize_map(Sorter { visitor, known, other: self.other })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

struct Sorter<'a, V> {
    visitor: V,
    known: &'static [&'static str],
    other: &'a mut Map<String, Value>,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Sorter<'_, V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(f)
    }

    fn visit_map<A: MapAccess<'de>>(self, inner: A) -> Result<V::Value, A::Error> {
        self.visitor.visit_map(Sorted { inner, known: self.known, other: self.other })
    }
}

/// Gives the known fields and keeps the others.
struct Sorted<'a, A> {
    inner: A,
    known: &'static [&'static str],
    other: &'a mut Map<String, Value>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Sorted<'_, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        while let Some(key) = self.inner.next_key::<String>()? {
            if self.known.contains(&key.as_str()) {
                return seed.deserialize(key.into_deserializer()).map(Some);
            }
            let value = self.inner.next_value()?;
            self.other.insert(key, value);
        }
        Ok(None)
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.inner.next_value_seed(seed)
    }
}
