//! What a model folder says about its model.

use std::collections::HashMap;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::EmbedError;
use crate::text::{Folding, Languages, TokenId, Vocabulary, WordPiece};

/// The English, lower-casing BERT vocabulary has 30,522 pieces; trimmed copies a little fewer. Chinese
/// models have about 21,000 and multilingual ones above 100,000.
const ENGLISH_PIECES: std::ops::RangeInclusive<usize> = 28_000..=32_000;

/// The part of `config.json` that a forward pass needs.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Config {
    #[serde(default, rename = "_name_or_path")]
    name: String,
    #[serde(default)]
    model_type: String,
    #[serde(default)]
    hidden_act: String,
    #[serde(default)]
    position_embedding_type: String,
    pub hidden_size: usize,
    pub intermediate_size: usize,
    pub num_attention_heads: usize,
    pub num_hidden_layers: usize,
    pub max_position_embeddings: usize,
    pub vocab_size: usize,
    #[serde(default = "usual_epsilon")]
    pub layer_norm_eps: f32,
}

fn usual_epsilon() -> f32 {
    1e-12
}

impl Config {
    pub(crate) fn read(folder: &Path) -> Result<Self, EmbedError> {
        let config: Self = read_json(&folder.join("config.json"))?;
        config.check()?;
        Ok(config)
    }

    fn check(&self) -> Result<(), EmbedError> {
        let unsupported = |reason: String| Err(EmbedError::Unsupported { reason });
        if self.model_type != "bert" {
            return unsupported(format!("config.json has model_type {:?}, not \"bert\"", self.model_type));
        }
        if self.hidden_act != "gelu" {
            return unsupported(format!("config.json has hidden_act {:?}, not \"gelu\"", self.hidden_act));
        }
        if !matches!(self.position_embedding_type.as_str(), "" | "absolute") {
            return unsupported(format!("position embeddings are {:?}", self.position_embedding_type));
        }
        if self.num_attention_heads == 0 || !self.hidden_size.is_multiple_of(self.num_attention_heads) {
            return unsupported("hidden_size is not a multiple of num_attention_heads".to_owned());
        }
        if self.hidden_size == 0 || self.max_position_embeddings < 3 {
            return unsupported("hidden_size or max_position_embeddings is too small".to_owned());
        }
        Ok(())
    }

    /// What the model's makers call it, for people to read.
    pub(crate) fn name(&self) -> &str {
        let last = self.name.rsplit(['/', '\\']).find(|part| !part.is_empty());
        last.unwrap_or(&self.model_type)
    }
}

/// How the vectors of a text's tokens become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pooling {
    Mean,
    FirstToken,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct PoolingFile {
    pooling_mode_cls_token: bool,
    pooling_mode_mean_tokens: bool,
}

impl Pooling {
    /// `1_Pooling/config.json` where the folder has one; otherwise the mean, which most models use.
    pub(crate) fn read(folder: &Path) -> Result<Self, EmbedError> {
        match read_json::<PoolingFile>(&folder.join("1_Pooling").join("config.json")) {
            Ok(file) if file.pooling_mode_mean_tokens => Ok(Self::Mean),
            Ok(file) if file.pooling_mode_cls_token => Ok(Self::FirstToken),
            Ok(_) => {
                Err(EmbedError::Unsupported { reason: "pooling is neither mean nor first token".to_owned() })
            }
            Err(EmbedError::MissingFile { .. }) => Ok(Self::Mean),
            Err(error) => Err(error),
        }
    }
}

/// The folder's tokeniser and the two tokens that stand around every text.
pub(crate) struct Tokeniser {
    pub reader: WordPiece,
    pub first: TokenId,
    pub last: TokenId,
}

impl Tokeniser {
    pub(crate) fn read(folder: &Path, config: &Config) -> Result<Self, EmbedError> {
        let (path, pieces) = read_pieces(folder)?;
        if pieces.len() > config.vocab_size {
            let reason = format!("{} pieces, more than vocab_size {}", pieces.len(), config.vocab_size);
            return Err(EmbedError::malformed(&path, reason));
        }
        let vocabulary = Vocabulary::from_pieces(&pieces);
        let special = |name: &str| {
            vocabulary.find(name).ok_or_else(|| EmbedError::malformed(&path, format!("{name} is missing")))
        };
        let [unknown, first, last] = [special("[UNK]")?, special("[CLS]")?, special("[SEP]")?];
        let folding = read_folding(folder)?;
        let english = folding == Folding::Fold && ENGLISH_PIECES.contains(&pieces.len());
        let languages = if english { Languages::English } else { Languages::Any };
        Ok(Self { reader: WordPiece::new(vocabulary, unknown, folding, languages), first, last })
    }
}

#[derive(Deserialize)]
struct TokenizerFile {
    model: ModelFile,
}

#[derive(Deserialize)]
struct ModelFile {
    vocab: HashMap<String, usize>,
}

/// The pieces in the order of their ids, from `vocab.txt` or, where that is missing, `tokenizer.json`.
fn read_pieces(folder: &Path) -> Result<(PathBuf, Vec<String>), EmbedError> {
    let plain = folder.join("vocab.txt");
    match peri_private::read_text(&plain) {
        Ok(text) => return Ok((plain, text.lines().map(str::to_owned).collect())),
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(EmbedError::reading(&plain, error)),
        Err(_) => {}
    }
    let path = folder.join("tokenizer.json");
    let file: TokenizerFile = read_json(&path).map_err(|error| match error {
        // Either file would do; the plain one is the one to name.
        EmbedError::MissingFile { .. } => EmbedError::MissingFile { path: plain },
        other => other,
    })?;
    let mut pieces = vec![String::new(); file.model.vocab.len()];
    for (piece, id) in file.model.vocab {
        let place = pieces.get_mut(id).ok_or_else(|| EmbedError::malformed(&path, "the ids have gaps"))?;
        *place = piece;
    }
    Ok((path, pieces))
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct TokenizerConfigFile {
    do_lower_case: Option<bool>,
}

fn read_folding(folder: &Path) -> Result<Folding, EmbedError> {
    let file = match read_json::<TokenizerConfigFile>(&folder.join("tokenizer_config.json")) {
        Err(EmbedError::MissingFile { .. }) => TokenizerConfigFile::default(),
        other => other?,
    };
    Ok(if file.do_lower_case.unwrap_or(true) { Folding::Fold } else { Folding::Keep })
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, EmbedError> {
    let bytes = peri_private::read(path).map_err(|error| EmbedError::reading(path, error))?;
    serde_json::from_slice(&bytes).map_err(|error| EmbedError::malformed(path, error))
}
