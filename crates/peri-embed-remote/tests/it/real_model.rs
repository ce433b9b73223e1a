//! A real model served by llama.cpp, asked for embeddings. `tests/llm/install` installs it; without it there is nothing
//! to test here, unless `PERI_TEST_LLM` says that it has to be there.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use peri_embed::Engine as _;
use peri_embed_remote::{Address, OpenAiEngine, RemoteSettings};

/// The server; it ends when its standard input is closed.
struct Model {
    child: Child,
    address: String,
}

impl Drop for Model {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        drop(self.child.wait());
    }
}

fn model() -> Option<Model> {
    let root: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    if !root.join("target/llm/stamp").exists() {
        assert!(
            std::env::var_os("PERI_TEST_LLM").is_none(),
            "the model is not installed: run tests/llm/install"
        );
        return None;
    }
    let mut command = Command::new(root.join("tests/llm/serve"));
    command.arg("embeddings").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    let mut address = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
    Some(Model { child, address: format!("{}/v1", address.trim()) })
}

#[test]
fn a_real_server_is_understood_whatever_the_language() {
    let Some(model) = model() else { return };
    let patient = RemoteSettings {
        attempt_timeout: Duration::from_secs(300),
        deadline: Duration::from_secs(600),
        text_bytes_max: 1000,
        ..RemoteSettings::new(Address::parse(&model.address).unwrap(), "small")
    };
    let engine = OpenAiEngine::start(patient, None).unwrap();
    // The width of SmolLM2-135M.
    assert_eq!(engine.space().dimensions, 576);
    let texts = [
        "He drinks tea in the morning.",
        "아침에는 차를 마신다.",
        "他早上喝茶。",
        "?",
        "He drinks tea in the morning.",
    ];
    let vectors = engine.embed(&texts).unwrap();
    let [Some(tea), Some(korean), Some(chinese), None, Some(again)] = &vectors[..] else {
        panic!("all but the question mark have a vector")
    };
    let cosine = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| x * y).sum::<f32>();
    for vector in [tea, korean, chinese] {
        assert!((cosine(vector, vector) - 1.0).abs() < 1e-4);
    }
    assert!(cosine(tea, again) > 0.9999, "the same text is the same vector");
    assert!(cosine(tea, korean) < 0.9999 && cosine(tea, chinese) < 0.9999);
    let words = "word ".repeat(20_000);
    assert!(engine.embed(&[&words]).unwrap()[0].is_some(), "of a long text the beginning counts");
}
