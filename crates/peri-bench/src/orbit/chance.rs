//! Chance that is the same in every run.

/// SplitMix64.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// At least 0 and below 1.
    pub(super) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Below `end`, which is not 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        (self.share() * end as f64) as usize
    }

    /// From `least` on and below `end`.
    pub(super) fn between(&mut self, least: f64, end: f64) -> f64 {
        least + self.share() * (end - least)
    }

    /// A whole number that is `mean` on average.
    pub(super) fn about(&mut self, mean: f64) -> usize {
        let spread = mean * self.between(0.5, 1.5);
        spread as usize + usize::from(self.share() < spread.fract())
    }

    /// How much a memory is said to matter: mostly ordinary, seldom vital.
    pub(super) fn importance(&mut self) -> f64 {
        match self.share() {
            0.0..0.55 => 0.5,
            0.55..0.75 => self.between(0.2, 0.45),
            0.75..0.95 => self.between(0.6, 0.8),
            0.95..0.99 => 0.9,
            _ => 1.0,
        }
    }
}
