//! The allocator of our programs: mimalloc, which gives back at once what is no longer used.
//!
//! By itself it keeps that for a second or more, and looks at it only when something else is allocated or freed: a server
//! that has just built an index, and then waits, held twice what it needed for as long as nobody asked it anything.
//! `docs/decisions.md` has what was measured. Programs that embed the library choose an allocator of their own.
#![deny(unsafe_code)]

mod mimalloc_options;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Sets the allocator up; a program's first step. What the user says in `MIMALLOC_PURGE_DELAY` holds instead.
pub fn set_up() {
    mimalloc_options::set_default(mimalloc_options::PURGE_DELAY, 0);
}
