/** Colours of the style, as numbers for what is drawn by hand. */

/** Red, green and blue from 0 to 255. */
export type Colour = [number, number, number];

/** The colour that a text such as `#f6b44b` means; the build shortens `#ffffff` to `#fff`. Grey if it means none. */
export function parseColour(text: string): Colour {
  const digits = text.trim().replace(/^#/, "");
  const whole = digits.length === 3 ? digits.replace(/./g, "$&$&") : digits;
  const number = Number.parseInt(whole, 16);
  return Number.isNaN(number) ? [128, 128, 128] : [(number >> 16) & 255, (number >> 8) & 255, number & 255];
}
