// Formats numbers as JSON does, but faster: providers send at most two decimals, and joining two known texts takes a third of the
// time of finding a double's shortest digits. A test compares it with JSON.stringify.

const centsTexts = Array.from({ length: 100 }, (_, cents) => String(cents / 100).slice(1));
/** Pressures and degrees stay below. */
const wholeTexts = Array.from({ length: 2_000 }, (_, whole) => String(whole));

/** A finite number as text. */
export function numberText(value: number): string {
  const size = value < 0 ? -value : value;
  const cents = Math.round(size * 100);
  // Equal doubles have the same shortest text, so this is it.
  if (cents / 100 !== size) return String(value);
  const whole = Math.floor(cents / 100);
  const wholeText = wholeTexts[whole];
  if (wholeText === undefined) return String(value);
  const text = wholeText + centsTexts[cents - whole * 100];
  return value < 0 ? `-${text}` : text;
}
