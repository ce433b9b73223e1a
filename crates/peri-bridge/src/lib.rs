//! Between Perihelion and the memory files of agents: MEMORY.md, CLAUDE.md, AGENTS.md.
#![forbid(unsafe_code)]
