//! Reads the fixtures, which `bench/distill/golden.py` wrote.

use std::path::PathBuf;
use std::sync::OnceLock;

use peri_embed::TransformerEngine;
use serde::Deserialize;
use serde::de::DeserializeOwned;

#[derive(Deserialize)]
pub struct Vector {
    pub text: String,
    pub vector: Vec<f32>,
}

#[derive(Deserialize)]
pub struct Tokens {
    pub text: String,
    #[serde(rename = "static")]
    pub small: Vec<u32>,
    pub bert: Vec<u32>,
}

#[derive(Deserialize)]
pub struct Sentence {
    pub language: String,
    pub text: String,
}

pub fn lines<T: DeserializeOwned>(file: &str) -> Vec<T> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(file);
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub fn cosine(a: &[f32], b: &[f32]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

pub fn minilm_folder() -> PathBuf {
    let usual = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target/models/all-minilm-l6-v2");
    let folder = std::env::var_os("PERI_MINILM").map_or(usual, PathBuf::from);
    assert!(
        folder.join("model.safetensors").is_file(),
        "{} has no weights: run bench/distill/fetch-minilm, or set PERI_MINILM to a folder with \
         all-MiniLM-L6-v2",
        folder.display()
    );
    folder
}

pub fn minilm() -> &'static TransformerEngine {
    static ENGINE: OnceLock<TransformerEngine> = OnceLock::new();
    ENGINE.get_or_init(|| TransformerEngine::load(&minilm_folder()).unwrap())
}
