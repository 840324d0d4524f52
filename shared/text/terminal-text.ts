// Text of strangers in a terminal, or in a command that someone pastes into one.

/** C0 and C1 controls, and the marks that turn the direction of writing. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const steering = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Escapes as JSON does, so that one line stays one line. */
export function printable(text: string): string {
  return text.replaceAll(steering, (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Keeps the ends of lines. JSON stays the same JSON, because these characters occur only in its strings. */
export function printableLines(text: string): string {
  return text.split(/\r?\n/).map(printable).join('\n');
}
