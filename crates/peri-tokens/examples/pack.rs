//! Packs a vocabulary as OpenAI publishes it (`o200k_base.tiktoken`: a token in base64 and its rank on each line) into
//! `assets/o200k.bin`: `cargo run -p peri-tokens --example pack -- FROM TO`.
#![allow(missing_docs, clippy::print_stdout)]

use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let mut names = std::env::args().skip(1);
    let (from, to) = (names.next().ok_or("from which file?")?, names.next().ok_or("to which file?")?);
    let mut packed = Vec::new();
    for (number, line) in std::fs::read_to_string(from)?.lines().enumerate() {
        let (token, rank) = line.split_once(' ').ok_or("a line without a rank")?;
        if rank.parse() != Ok(number) {
            return Err(format!("line {}: the ranks are not in order", number + 1).into());
        }
        let token = decode(token).ok_or("a token that is not base64")?;
        packed.push(u8::try_from(token.len())?);
        packed.extend(token);
    }
    std::fs::write(to, &packed)?;
    println!("{} bytes", packed.len());
    Ok(())
}

fn decode(text: &str) -> Option<Vec<u8>> {
    const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let (mut bytes, mut held, mut bits) = (Vec::new(), 0_u32, 0);
    for letter in text.trim_end_matches('=').chars() {
        held = held << 6 | u32::try_from(LETTERS.find(letter)?).ok()?;
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xFF) as u8);
        }
    }
    Some(bytes)
}
