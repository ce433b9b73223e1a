//! The options of mimalloc, which are reached through C alone.
#![allow(unsafe_code)]

use std::ffi::{c_int, c_long};

/// For how many milliseconds memory that is no longer used is kept: the number that `mimalloc.h` gives it. A test holds it
/// against what the option is by itself.
pub(crate) const PURGE_DELAY: c_int = 15;

unsafe extern "C" {
    fn mi_option_set_default(option: c_int, value: c_long);
    #[cfg(test)]
    fn mi_option_get(option: c_int) -> c_long;
}

/// Sets an option, unless the environment has.
pub(crate) fn set_default(option: c_int, value: c_long) {
    // SAFETY: it takes two numbers, leaves alone what is not the number of an option, and writes one word of mimalloc's own,
    // which is linked into every program that has this crate. It is called before there are threads.
    unsafe { mi_option_set_default(option, value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_memory_is_given_back_at_once() {
        // SAFETY: it takes a number, and answers 0 for what is not the number of an option.
        let delay = || unsafe { mi_option_get(PURGE_DELAY) };
        // No other option is 1000 by itself.
        assert_eq!(delay(), 1000, "another release of mimalloc may count its options differently");
        crate::set_up();
        assert_eq!(delay(), 0);
    }
}
