//! How agents are told of Perihelion: their settings are edited, and nothing else in them changes.
