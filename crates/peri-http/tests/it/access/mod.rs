//! Who may do what: every route with every kind of key, and the rules that no table shows.

mod matrix;
mod mcp;
mod rows;
mod rules;
mod world;
