/** How a body looks, as the graphics card is told. `painter_sprites.ts` draws the same with gradients. */

/** How far the light of a body reaches, in its own radii: the fresher, the further. Every pixel costs. */
export const GLOW = { least: 2.3, more: 2 };
/** Around an ink dot there is room for a rim of paper and the ring of the pinned. */
export const RIM = 2.1;

/** Puts a body on the screen as a square around its middle. */
export const PLACE = `#version 300 es
layout(location = 0) in vec2 place;
layout(location = 1) in float radius;
layout(location = 2) in float strength;
layout(location = 3) in float kind;
layout(location = 4) in float freshness;
layout(location = 5) in float pinned;
uniform vec3 kinds[9];
uniform vec3 room;
uniform vec2 reach;
uniform vec2 sun;
out float extent;
out vec2 sunward;
out vec3 tint;
out float fresh;
out float shown;
out float kept;
out float grain;
out float ringed;
void main() {
  sunward = normalize(sun - place + vec2(0.001));
  tint = kinds[int(kind + 0.5)];
  fresh = freshness;
  shown = strength;
  kept = pinned;
  // One pixel of the screen, in radii.
  grain = 1.0 / max(radius * room.z, 0.25);
  ringed = max(1.9, 4.0 * grain * room.z / 1.2);
  extent = max(reach.x + reach.y * freshness * freshness, pinned * (ringed + 2.0 * grain));
  float wide = radius * extent * room.z;
  gl_PointSize = strength < 0.004 ? 0.0 : max(2.0 * wide, 1.0);
  gl_Position = strength < 0.004 ? vec4(2.0, 2.0, 0.0, 1.0)
    : vec4(place.x / room.x * 2.0 - 1.0, 1.0 - place.y / room.y * 2.0, 0.0, 1.0);
}`;

/** Night: a disc that is whiter the fresher it is, lit from where the sun is, and a glow in its colour. */
export const LIGHT = `#version 300 es
precision highp float;
in vec2 sunward;
in vec3 tint;
in float fresh;
in float shown;
in float kept;
in float grain;
in float ringed;
in float extent;
uniform float shine;
out vec4 colour;
void main() {
  vec2 p = (gl_PointCoord * 2.0 - 1.0) * extent;
  float d = length(p);
  float disc = 1.0 - smoothstep(1.0 - grain, 1.0 + grain, d);
  float day = 0.66 + 0.34 * smoothstep(-0.7, 0.6, dot(p, sunward));
  float lit = (0.2 + 0.8 * fresh) * day;
  float edge = 1.0 - smoothstep(extent * 0.55, extent, d);
  float glow = exp(-d * d * 0.42) * edge * (0.06 + 0.5 * fresh * fresh) * shine;
  float ring = kept * (1.0 - smoothstep(0.0, grain * 1.2, abs(d - ringed))) * 0.75;
  vec3 heart = mix(tint, vec3(1.0), (1.0 - smoothstep(0.0, 1.1, length(p - sunward * 0.25))) * 0.62 * fresh);
  float most = max(max(disc * lit, glow), ring);
  vec3 light = max(max(heart * disc * lit, tint * glow), tint * ring);
  colour = vec4(light, most) * shown;
}`;

/** Paper: a dot of ink with a rim of paper around it, pale where it has faded, its outline always there. */
export const INK = `#version 300 es
precision highp float;
in vec3 tint;
in float fresh;
in float shown;
in float kept;
in float grain;
in float ringed;
uniform vec3 ground;
in float extent;
out vec4 colour;
void main() {
  float d = length(gl_PointCoord * 2.0 - 1.0) * extent;
  float disc = 1.0 - smoothstep(1.0 - grain, 1.0 + grain, d);
  // The smallest dots have no room for a line around them: they are of one tone.
  float fine = 1.0 - smoothstep(0.26, 0.6, grain);
  float paper = (1.0 - smoothstep(1.0, 1.0 + grain * 2.5, d)) * 0.9 * fine;
  float hollow = 1.0 - smoothstep(1.0 - grain * 2.6, 1.0 - grain * 0.8, d);
  float lit = 0.1 + 0.9 * fresh * fresh;
  float line = 0.42 + 0.58 * fresh;
  float tone = mix(0.3 + 0.7 * fresh, mix(line, lit, hollow), fine);
  vec3 dot = mix(ground, tint, tone);
  vec3 body = mix(ground, dot, max(disc, 1.0 - fine));
  float cover = max(disc, paper);
  float ring = kept * (1.0 - smoothstep(0.0, grain * 1.1, abs(d - ringed)));
  body = mix(body, tint, ring);
  cover = max(cover, ring);
  colour = vec4(body, 1.0) * cover * shown;
}`;
