//! What hooks of agents say, how they are answered, and what transcripts hold.
