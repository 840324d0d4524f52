// Text from elsewhere (bodies, headers, paths, messages of a service), split for display so that the screen shows what is really
// there: characters that reorder, hide, or pile up text become escapes such as \u202E.

/** Text to show as it is, or the escape of characters that must not reach the page as themselves. */
export type TextPiece = {
  kind: 'plain' | 'escape';
  text: string;
  /** Where its characters begin in the text, in UTF-16 units. */
  at: number;
};

/** Marks on one base character that stay as they are; more of them only pile up, and slow the page down. */
const mostMarks = 8;
/** A run of one invisible character is written once, with its count, from this length on. */
const countedRun = 4;

/**
 * Everything that draws nothing or moves what is drawn beside it: C0 and C1 controls except tab and line feed, format characters
 * (bidirectional controls, zero-width characters, byte order mark, tags), line and paragraph separators, fillers, lone surrogates,
 * variation selectors except the emoji one behind an emoji, and combining marks beyond `mostMarks`. The visible signs among the
 * format characters (Arabic number signs) stay.
 */
const special = new RegExp(
  [
    // An emoji that zero-width joiners make of several stays whole.
    String.raw`(?<emoji>\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]*(?:\u200D\p{Extended_Pictographic}[\uFE0F\u{1F3FB}-\u{1F3FF}]*){1,8})`,
    String.raw`(?<marked>[\p{M}--[\u034F\u17B4\u17B5\uFE00-\uFE0F\u{E0100}-\u{E01EF}]]{${mostMarks}})(?<marks>\p{M}+)`,
    String.raw`(?<hidden>(?:[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u034F\u115F\u1160\u17B4\u17B5\u2800\u3164\uFFA0\uFE00-\uFE0E\u{E0100}-\u{E01EF}]--[\t\n\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2]]|(?<!\p{Emoji})\uFE0F)+)`,
  ].join('|'),
  'gv',
);

/** The pieces of a text in their order. Linear in its length. */
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

/** The whole text with escapes, for places that hold no elements. Text of plain ASCII, which nearly all is, costs next to nothing. */
export function escapeHidden(text: string): string {
  if (!/[^\t\n -~]/.test(text)) return text;
  return textPieces(text)
    .map((piece) => piece.text)
    .join('');
}

/** The text for places that hold no elements, such as titles and labels, cut to `limit` UTF-16 units. */
export function visibleText(text: string, limit = 300): string {
  const shown = escapeHidden(cutText(text, limit));
  return text.length > limit ? `${shown}…` : shown;
}

/** The first `limit` UTF-16 units, without half a character at the end. */
export function cutText(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const isSplit = /[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(limit));
  return text.slice(0, isSplit ? limit - 1 : limit);
}

function escapeAll(characters: string): string {
  let escaped = '';
  let run = 0;
  let last = '';
  const end = () => {
    if (run >= countedRun) escaped += `${escapeOne(last)}×${run}`;
    else escaped += escapeOne(last).repeat(run);
  };
  for (const character of characters) {
    if (character !== last) {
      end();
      run = 0;
      last = character;
    }
    run += 1;
  }
  end();
  return escaped;
}

/** As JSON and JavaScript write it: `\r`, `\u202E`, `\u{E0041}`. */
function escapeOne(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (character === '') return '';
  if (character === '\r') return String.raw`\r`;
  const hex = code.toString(16).toUpperCase();
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex.padStart(4, '0')}`;
}
