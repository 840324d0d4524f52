import { visibleText } from '@rainbell/shared';

/** A text from outside in one line of a row. */
export function TextCell({ text }: { readonly text: string }) {
  const shown = visibleText(text, 300);
  return (
    <span className="rb-truncate" dir="auto" title={shown}>
      {shown}
    </span>
  );
}
