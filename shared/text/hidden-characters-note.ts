// A note on characters that a text field can't show.
import { cutText, textPieces } from './visible-text.ts';

const maxNamed = 5;

/** Returns a sentence that names hidden characters, for an editable field, where they can reorder the text. Undefined without any. */
export function hiddenCharactersNote(text: string): string | undefined {
  const hidden = new Set(
    textPieces(text).flatMap((piece) => (piece.kind === 'escape' ? [cutText(piece.text, 20)] : [])),
  );
  if (hidden.size === 0) return undefined;
  const named = [...[...hidden].slice(0, maxNamed), ...(hidden.size > maxNamed ? ['…'] : [])].join(', ');
  return `Contains hidden characters that this field can’t show: ${named}`;
}
