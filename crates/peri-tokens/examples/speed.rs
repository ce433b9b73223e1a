//! Measures the first call and the throughput on files: `cargo run --release -p peri-tokens --example speed -- FILE...`.
#![allow(missing_docs, clippy::print_stdout)]

use std::time::Instant;

fn main() -> std::io::Result<()> {
    let began = Instant::now();
    let tokens = peri_tokens::count("Where did we move the archive? 어디로 옮겼지? 搬到哪里了？");
    println!("the first call: {tokens} tokens in {:?}", began.elapsed());
    for name in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&name)?;
        let began = Instant::now();
        let tokens = peri_tokens::count(&text);
        let seconds = began.elapsed().as_secs_f64();
        let speed = text.len() as f64 / seconds / 1e6;
        println!("{name}: {} bytes, {tokens} tokens, {:.2} ms, {speed:.1} MB/s", text.len(), seconds * 1e3);
    }
    Ok(())
}
