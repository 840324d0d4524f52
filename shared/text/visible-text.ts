// Splits untrusted text (bodies, headers, paths, a service's messages) for display so that the screen shows its real content:
// characters that reorder, hide, or stack text become escapes such as \u202E.

/** Text to show unchanged, or the escape of unsafe characters. */
export type TextPiece = {
  kind: 'plain' | 'escape';
  text: string;
  /** Start of its characters in the text, in UTF-16 units. */
  at: number;
};

/** Maximum marks on one base character; more of them only stack up, and slow the page down. */
const maxMarks = 8;
/** From this length on, a run of one invisible character is written once, with its count. */
const countedRun = 4;

/**
 * All characters that are invisible or move adjacent text: C0 and C1 controls except tab and line feed, format characters
 * (bidirectional controls, zero-width characters, byte order mark, tags), line and paragraph separators, fillers, lone surrogates,
 * variation selectors except the emoji one after an emoji, and combining marks beyond `maxMarks`. The visible format characters
 * (Arabic number signs) stay.
 */
const special = new RegExp(
  [
    // An emoji joined from several by zero-width joiners stays complete.
    String.raw`(?<emoji>\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]*(?:\u200D\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]*){1,8})`,
    String.raw`(?<marked>[\p{M}--[\u034F\u17B4\u17B5\uFE00-\uFE0F\u{E0100}-\u{E01EF}]]{${maxMarks}})(?<marks>\p{M}+)`,
    String.raw`(?<hidden>(?:[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0\uFE00-\uFE0E\u{E0100}-\u{E01EF}]--[\t\n\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2]]|(?<!\p{Emoji})\uFE0F)+)`,
  ].join('|'),
  'gv',
);

/** Returns the pieces of a text in order, in linear time. */
export function textPieces(text: string): TextPiece[] {
  const pieces: TextPiece[] = [];
  let from = 0;
  const add = (kind: TextPiece['kind'], start: number, shown: string) => {
    if (shown !== '') pieces.push({ kind, text: shown, at: start });
  };
  for (const { index, groups } of text.matchAll(special)) {
    const { marked = '', marks, hidden } = groups ?? {};
    const escaped = marks ?? hidden;
    if (escaped === undefined) continue;
    const start = index + marked.length;
    add('plain', from, text.slice(from, start));
    add('escape', start, escapeAll(escaped));
    from = start + escaped.length;
  }
  add('plain', from, text.slice(from));
  return pieces;
}

/** Escapes the whole text, for attributes and other plain text. Fast for plain ASCII, which nearly all text is. */
export function escapeHidden(text: string): string {
  if (!/[^\t\n -~]/.test(text)) return text;
  return textPieces(text)
    .map((piece) => piece.text)
    .join('');
}

/** Escapes text for plain-text places such as titles and labels, cut to `limit` UTF-16 units. */
export function visibleText(text: string, limit = 300): string {
  const shown = escapeHidden(cutText(text, limit));
  return text.length > limit ? `${shown}…` : shown;
}

/** Returns the first `limit` UTF-16 units, without half a character at the end. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(limit));
  return text.slice(0, isSplit ? limit - 1 : limit);
}

function escapeAll(characters: string): string {
  return characters.replaceAll(/(.)\1*/gsu, (run, character: string) => {
    const count = run.length / character.length;
    const escaped = escapeOne(character);
    return count >= countedRun ? `${escaped}×${count}` : escaped.repeat(count);
  });
}

/** Escapes a character as JSON and JavaScript do: `\r`, `\u202E`, `\u{E0041}`. */
function escapeOne(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '\r') return String.raw`\r`;
  const hex = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
