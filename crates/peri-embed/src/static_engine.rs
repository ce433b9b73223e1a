//! The bundled engine: a table with one vector a piece; a text's vector is the mean of its pieces'.

use fearless_simd::Level;
use peri_types::SpaceId;

use crate::asset::{self, Asset};
use crate::engine::unit;
use crate::kernel;
use crate::text::{Folding, Languages, TokenId, WordPiece};
use crate::{EmbedError, Engine, Reading};

/// A table of word pieces distilled from all-MiniLM-L6-v2: English, 256 dimensions, microseconds a text.
///
/// It has no window: every token of a text counts, however long the text is.
pub struct StaticEngine {
    pub(crate) asset: Asset,
    pub(crate) reader: WordPiece,
    space: SpaceId,
    pub(crate) level: Level,
}

/// One token's vector: `scale` times each of `values`. Common tokens have short vectors.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Row<'a> {
    /// Whole numbers from -127 to 127.
    pub values: &'a [i8],
    /// What to multiply them by.
    pub scale: f32,
}

impl StaticEngine {
    /// The engine that is part of the program. Nothing is read or copied, so this takes microseconds.
    pub fn bundled() -> Result<Self, EmbedError> {
        let asset = Asset::bundled()?;
        let reader = WordPiece::new(asset.vocabulary(), asset::UNKNOWN, Folding::Fold, Languages::English);
        let space = SpaceId {
            model: format!("static-minilm@{}", asset.revision),
            dimensions: u32::try_from(asset.dimensions).unwrap_or(u32::MAX),
        };
        Ok(Self { asset, reader, space, level: Level::new() })
    }

    /// Reads the whole table once and compares it with its checksum, which [`StaticEngine::bundled`]
    /// leaves out. For a self-test.
    pub fn verify() -> Result<(), EmbedError> {
        asset::verify()
    }

    /// The share, from 0 to 1, of a text's letters that lie in Latin words which the vocabulary holds
    /// whole. Identifiers and numbers do not count; a text without anything that counts has 1. See the
    /// crate's page for what it is in several languages.
    pub fn coverage(&self, text: &str) -> f32 {
        self.reader.read(text, usize::MAX).tally.coverage()
    }

    /// Whether the engine has a vector for the text: it is English, or has nothing to judge by, and says something.
    pub fn understands(&self, text: &str) -> bool {
        self.reader.understands(&self.reader.read(text, usize::MAX))
    }

    /// The text's tokens, without the parts that the vocabulary lacks.
    pub fn tokens(&self, text: &str) -> Vec<TokenId> {
        self.known(self.reader.read(text, usize::MAX).tokens)
    }

    /// A token's vector; `None` if the table has no such token.
    pub fn row(&self, token: TokenId) -> Option<Row<'_>> {
        let start = (token.0 as usize).checked_mul(self.asset.dimensions)?;
        let values = self.asset.rows.get(start..start.checked_add(self.asset.dimensions)?)?;
        Some(Row { values, scale: self.asset.scale(token)? })
    }

    /// How long a token's vector is, which says how much the token tells: "the" is far shorter than
    /// "certificate". Zero if the table has no such token.
    pub fn weight(&self, token: TokenId) -> f32 {
        self.row(token).map_or(0.0, |row| self.length(row.values) * row.scale)
    }

    pub(crate) fn length(&self, values: &[i8]) -> f32 {
        (kernel::dot_whole(self.level, values, values) as f32).sqrt()
    }

    pub(crate) fn known(&self, mut tokens: Vec<TokenId>) -> Vec<TokenId> {
        tokens.retain(|token| *token != self.reader.unknown());
        tokens
    }

    fn embed_one(&self, text: &str) -> Option<Vec<f32>> {
        let reading = self.reader.read(text, usize::MAX);
        if !self.reader.understands(&reading) {
            return None;
        }
        let mut sum = vec![0.0; self.asset.dimensions];
        for token in self.known(reading.tokens) {
            if let Some(row) = self.row(token) {
                kernel::add_scaled(self.level, &mut sum, row.values, row.scale);
            }
        }
        unit(sum)
    }
}

impl Engine for StaticEngine {
    fn space(&self) -> &SpaceId {
        &self.space
    }

    fn reading(&self) -> Reading {
        Reading::Words
    }

    fn embed(&self, texts: &[&str]) -> Result<Vec<Option<Vec<f32>>>, EmbedError> {
        Ok(texts.iter().map(|text| self.embed_one(text)).collect())
    }
}
