//! Folders that are not what they should be, and small models made on the spot.

use std::collections::HashMap;
use std::path::Path;

use peri_embed::{EmbedError, Engine, TransformerEngine};
use safetensors::tensor::{Dtype, TensorView};
use serde_json::{Value, json};

const PIECES: &str = "[PAD]\n[UNK]\n[CLS]\n[SEP]\nhello\nworld\n##s\n世\n界\n";

fn config() -> Value {
    json!({
        "model_type": "bert", "hidden_act": "gelu", "hidden_size": 8, "intermediate_size": 12,
        "num_attention_heads": 2, "num_hidden_layers": 1, "max_position_embeddings": 16, "vocab_size": 9,
    })
}

fn shapes() -> Vec<(String, Vec<usize>)> {
    let mut shapes = vec![
        ("embeddings.word_embeddings.weight".to_owned(), vec![9, 8]),
        ("embeddings.position_embeddings.weight".to_owned(), vec![16, 8]),
        ("embeddings.token_type_embeddings.weight".to_owned(), vec![2, 8]),
    ];
    let at = "encoder.layer.0";
    for part in ["self.query", "self.key", "self.value", "output.dense"] {
        shapes.push((format!("{at}.attention.{part}.weight"), vec![8, 8]));
        shapes.push((format!("{at}.attention.{part}.bias"), vec![8]));
    }
    for norm in ["embeddings", "encoder.layer.0.attention.output", "encoder.layer.0.output"] {
        shapes.push((format!("{norm}.LayerNorm.weight"), vec![8]));
        shapes.push((format!("{norm}.LayerNorm.bias"), vec![8]));
    }
    shapes.push((format!("{at}.intermediate.dense.weight"), vec![12, 8]));
    shapes.push((format!("{at}.intermediate.dense.bias"), vec![12]));
    shapes.push((format!("{at}.output.dense.weight"), vec![8, 12]));
    shapes.push((format!("{at}.output.dense.bias"), vec![8]));
    shapes
}

fn write_weights(folder: &Path, prefix: &str, shapes: &[(String, Vec<usize>)], value: fn(usize) -> f32) {
    let data: Vec<Vec<u8>> = shapes
        .iter()
        .map(|(_, shape)| (0..shape.iter().product()).flat_map(|at| value(at).to_le_bytes()).collect())
        .collect();
    let tensors: HashMap<String, TensorView<'_>> = shapes
        .iter()
        .zip(&data)
        .map(|((name, shape), data)| {
            (format!("{prefix}{name}"), TensorView::new(Dtype::F32, shape.clone(), data).unwrap())
        })
        .collect();
    let bytes = safetensors::serialize(&tensors, None).unwrap();
    std::fs::write(folder.join("model.safetensors"), bytes).unwrap();
}

fn wavy(at: usize) -> f32 {
    ((at * 37 % 19) as f32 - 9.0) / 10.0
}

fn write_model(folder: &Path) {
    std::fs::write(folder.join("config.json"), config().to_string()).unwrap();
    std::fs::write(folder.join("vocab.txt"), PIECES).unwrap();
    write_weights(folder, "", &shapes(), wavy);
}

/// Loads a sound model after something was done to its folder.
fn load_after(change: impl FnOnce(&Path)) -> Result<TransformerEngine, EmbedError> {
    let folder = tempfile::tempdir().unwrap();
    write_model(folder.path());
    change(folder.path());
    TransformerEngine::load(folder.path())
}

fn message(change: impl FnOnce(&Path)) -> String {
    load_after(change).err().expect("the folder is not sound").to_string()
}

#[test]
fn another_vocabulary_is_not_held_to_english() {
    let engine = load_after(|_| {}).unwrap();
    let vectors = engine.embed(&["世界", "hello worlds", "unheard", "?"]).unwrap();
    let some: Vec<bool> = vectors.iter().map(Option::is_some).collect();
    assert_eq!(some, [true, true, false, false]);
}

#[test]
fn a_prefix_and_the_other_vocabulary_file_are_understood() {
    let plain = load_after(|_| {}).unwrap().embed(&["hello world"]).unwrap();
    let other = load_after(|folder| {
        std::fs::remove_file(folder.join("vocab.txt")).unwrap();
        let vocab: HashMap<&str, usize> = PIECES.lines().enumerate().map(|(id, piece)| (piece, id)).collect();
        let file = json!({ "model": { "type": "WordPiece", "vocab": vocab } });
        std::fs::write(folder.join("tokenizer.json"), file.to_string()).unwrap();
        write_weights(folder, "bert.", &shapes(), wavy);
    });
    assert_eq!(plain, other.unwrap().embed(&["hello world"]).unwrap());
}

#[test]
fn pooling_follows_the_folder_and_changes_the_space() {
    let mean = load_after(|_| {}).unwrap();
    let pooling = |mode: &str| {
        let file = json!({ mode: true }).to_string();
        load_after(|folder| {
            std::fs::create_dir(folder.join("1_Pooling")).unwrap();
            std::fs::write(folder.join("1_Pooling/config.json"), file).unwrap();
        })
    };
    let first = pooling("pooling_mode_cls_token").unwrap();
    assert_ne!(mean.space(), first.space());
    assert_ne!(mean.embed(&["hello"]).unwrap(), first.embed(&["hello"]).unwrap());
    assert_eq!(pooling("pooling_mode_mean_tokens").unwrap().space(), mean.space());
    assert!(matches!(pooling("pooling_mode_max_tokens"), Err(EmbedError::Unsupported { .. })));
}

#[test]
fn a_missing_file_is_named() {
    for file in ["config.json", "vocab.txt", "model.safetensors"] {
        let said = message(|folder| std::fs::remove_file(folder.join(file)).unwrap());
        assert!(said.contains(file) && said.contains("lacks"), "{said}");
    }
}

#[test]
fn a_malformed_file_is_named() {
    for file in ["config.json", "vocab.txt", "model.safetensors"] {
        let said = message(|folder| std::fs::write(folder.join(file), "{ not this").unwrap());
        assert!(said.contains(file) && said.contains("malformed"), "{said}");
    }
    let said = message(|folder| std::fs::write(folder.join("vocab.txt"), "a\n".repeat(10)).unwrap());
    assert!(said.contains("vocab_size"), "{said}");
}

#[test]
fn every_missing_or_misshapen_tensor_is_named() {
    for at in 0..shapes().len() {
        let (name, _) = shapes().swap_remove(at);
        let missing = message(|folder| {
            let mut shapes = shapes();
            shapes.swap_remove(at);
            write_weights(folder, "", &shapes, wavy);
        });
        assert!(missing.contains(&name), "{missing}");
        let misshapen = message(|folder| {
            let mut shapes = shapes();
            shapes[at].1.push(3);
            write_weights(folder, "", &shapes, wavy);
        });
        assert!(misshapen.contains(&name) && misshapen.contains("shape"), "{misshapen}");
    }
}

#[test]
fn other_architectures_are_refused_with_the_reason() {
    for (key, value) in [
        ("model_type", json!("roberta")),
        ("hidden_act", json!("relu")),
        ("num_attention_heads", json!(3)),
        ("num_attention_heads", json!(0)),
        ("hidden_size", json!(0)),
        ("position_embedding_type", json!("relative_key")),
        ("max_position_embeddings", json!(1)),
    ] {
        let mut changed = config();
        changed[key] = value;
        let said = message(|folder| std::fs::write(folder.join("config.json"), changed.to_string()).unwrap());
        assert!(said.contains("not supported"), "{key}: {said}");
    }
}

#[test]
fn weights_that_are_not_numbers_give_an_error_and_no_vector() {
    let engine = load_after(|folder| write_weights(folder, "", &shapes(), |_| f32::NAN)).unwrap();
    assert!(matches!(engine.embed(&["hello"]), Err(EmbedError::NotFinite { .. })));
}
