// A note on characters that a text field can't show.
import { cutText, textPieces } from './visible-text.ts';

const maxNamed = 5;

/** A sentence for an editable field, which neither shows hidden characters nor keeps others in order. Undefined without any. */
export function hiddenCharactersNote(text: string): string | undefined {
  const hidden = new Set(
    textPieces(text).flatMap((piece) => (piece.kind === 'escape' ? [cutText(piece.text, 20)] : [])),
  );
  if (hidden.size === 0) return undefined;
  const named = [...[...hidden].slice(0, maxNamed), ...(hidden.size > maxNamed ? ['…'] : [])].join(', ');
  return `Contains hidden characters that this field can’t show: ${named}`;
}
