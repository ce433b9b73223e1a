//! Reads a BERT encoder's tensors and lays them out for computing.

use std::path::Path;

use fearless_simd::Level;
use safetensors::{Dtype, SafeTensors};

use super::config::Config;
use super::linear::Linear;
use crate::EmbedError;

/// A normalisation's two vectors.
pub(crate) struct Norm {
    pub weight: Vec<f32>,
    pub bias: Vec<f32>,
}

/// One layer of the encoder.
pub(crate) struct Layer {
    /// Query, key and value side by side, so that one product makes all three.
    pub attention: Linear,
    pub attention_output: Linear,
    pub attention_norm: Norm,
    pub inner: Linear,
    pub output: Linear,
    pub output_norm: Norm,
}

/// A whole encoder.
pub(crate) struct Weights {
    pub words: Vec<f32>,
    /// Position and segment vectors, added up: a text is always the first segment.
    pub positions: Vec<f32>,
    pub norm: Norm,
    pub layers: Vec<Layer>,
    /// A digest of the file, which goes into the name of the vector space.
    pub digest: blake3::Hash,
}

impl Weights {
    pub(crate) fn read(folder: &Path, config: &Config, level: Level) -> Result<Self, EmbedError> {
        let path = folder.join("model.safetensors");
        let bytes = peri_private::read(&path).map_err(|error| EmbedError::reading(&path, error))?;
        let file = SafeTensors::deserialize(&bytes).map_err(|error| EmbedError::malformed(&path, error))?;
        let tensors = Tensors { file, level };
        let size = config.hidden_size;
        let segments = tensors.first_row("embeddings.token_type_embeddings.weight", size)?;
        let shape = [config.max_position_embeddings, size];
        let mut positions = tensors.read("embeddings.position_embeddings.weight", &shape)?;
        for (place, value) in positions.iter_mut().zip(segments.iter().cycle()) {
            *place += value;
        }
        Ok(Self {
            words: tensors.read("embeddings.word_embeddings.weight", &[config.vocab_size, size])?,
            positions,
            norm: tensors.norm("embeddings.LayerNorm", size)?,
            layers: (0..config.num_hidden_layers)
                .map(|number| tensors.layer(&format!("encoder.layer.{number}"), config))
                .collect::<Result<_, _>>()?,
            digest: blake3::hash(&bytes),
        })
    }
}

struct Tensors<'a> {
    file: SafeTensors<'a>,
    level: Level,
}

impl Tensors<'_> {
    fn layer(&self, at: &str, config: &Config) -> Result<Layer, EmbedError> {
        let (size, inner) = (config.hidden_size, config.intermediate_size);
        let own = ["query", "key", "value"].map(|part| format!("{at}.attention.self.{part}"));
        Ok(Layer {
            attention: self.linear(&own, size, size)?,
            attention_output: self.linear(&[format!("{at}.attention.output.dense")], size, size)?,
            attention_norm: self.norm(&format!("{at}.attention.output.LayerNorm"), size)?,
            inner: self.linear(&[format!("{at}.intermediate.dense")], size, inner)?,
            output: self.linear(&[format!("{at}.output.dense")], inner, size)?,
            output_norm: self.norm(&format!("{at}.output.LayerNorm"), size)?,
        })
    }

    /// One product for several named ones, their outputs one after the other.
    fn linear(&self, names: &[String], inputs: usize, outputs: usize) -> Result<Linear, EmbedError> {
        let mut weights = Vec::with_capacity(names.len() * inputs * outputs);
        let mut bias = Vec::with_capacity(names.len() * outputs);
        for name in names {
            weights.extend(self.read(&format!("{name}.weight"), &[outputs, inputs])?);
            bias.extend(self.read(&format!("{name}.bias"), &[outputs])?);
        }
        Ok(Linear::new(self.level, inputs, &weights, &bias))
    }

    fn norm(&self, name: &str, size: usize) -> Result<Norm, EmbedError> {
        let weight = self.read(&format!("{name}.weight"), &[size])?;
        Ok(Norm { weight, bias: self.read(&format!("{name}.bias"), &[size])? })
    }

    /// The first row of a matrix with any number of them.
    fn first_row(&self, name: &str, size: usize) -> Result<Vec<f32>, EmbedError> {
        let rows = self.find(name)?.shape().first().copied().unwrap_or(0).max(1);
        let mut values = self.read(name, &[rows, size])?;
        values.truncate(size);
        Ok(values)
    }

    fn read(&self, name: &str, expected: &[usize]) -> Result<Vec<f32>, EmbedError> {
        let tensor = self.find(name)?;
        if tensor.shape() != expected {
            let (expected, found) = (expected.to_vec(), tensor.shape().to_vec());
            return Err(EmbedError::WrongShape { tensor: name.to_owned(), expected, found });
        }
        if tensor.dtype() != Dtype::F32 {
            let reason = format!("the tensor {name} is {:?}, only F32 is read", tensor.dtype());
            return Err(EmbedError::Unsupported { reason });
        }
        let (numbers, _) = tensor.data().as_chunks::<4>();
        Ok(numbers.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect())
    }

    fn find(&self, name: &str) -> Result<safetensors::tensor::TensorView<'_>, EmbedError> {
        let tensor = self.file.tensor(name).or_else(|_| self.file.tensor(&format!("bert.{name}")));
        tensor.map_err(|_| EmbedError::MissingTensor { tensor: name.to_owned() })
    }
}
