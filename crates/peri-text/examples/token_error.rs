//! Compares the token estimate with the real `o200k_base` tokenizer on files given as arguments.
//!
//! `cargo run --release -p peri-text --example token_error -- FILE…`
#![allow(clippy::print_stdout, reason = "an example reports to its reader")]

/// Texts are compared in pieces of about the size of a memory.
const CHUNK_BYTES: usize = 1000;

fn main() -> std::io::Result<()> {
    let real = tiktoken_rs::o200k_base_singleton();
    println!("file: estimate / real, total error, mean and 95th percentile of the error per 1000 bytes");
    for path in std::env::args().skip(1) {
        let text = std::fs::read_to_string(&path)?;
        let mut errors = Vec::new();
        let (mut estimated, mut counted) = (0, 0);
        let mut rest = text.as_str();
        while !rest.is_empty() {
            let (chunk, after) = rest.split_at(chunk_len(rest));
            let (ours, theirs) = (peri_text::count_tokens(chunk), real.encode_ordinary(chunk).len());
            estimated += ours;
            counted += theirs;
            errors.push((ours as f64 - theirs as f64).abs() / theirs.max(1) as f64);
            rest = after;
        }
        errors.sort_by(f64::total_cmp);
        let mean = errors.iter().sum::<f64>() / errors.len().max(1) as f64;
        let p95 = errors.get(errors.len() * 95 / 100).copied().unwrap_or_default();
        let total =
            (estimated as f64 / f64::from(u32::try_from(counted.max(1)).unwrap_or(u32::MAX)) - 1.0) * 100.0;
        println!("{path}: {estimated} / {counted}, {total:+.1}%, {:.1}%, {:.1}%", mean * 100.0, p95 * 100.0);
    }
    Ok(())
}

fn chunk_len(text: &str) -> usize {
    (CHUNK_BYTES..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}
