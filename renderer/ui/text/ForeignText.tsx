// A short untrusted text inside our own (a path, a header's value, a service's message): isolated from the text around it, with
// hidden characters as escapes, and truncated if it is long.
import { cutText, plural, textPieces } from '@rainbell/shared';
import { useState } from 'react';

type Props = {
  text: string;
  /** How many UTF-16 units are shown; the rest hides behind "Show more" or, in a line of a list, behind an ellipsis. */
  limit?: number;
  canShowMore?: boolean;
};

/** Each "Show more" adds this many. */
const step = 10_000;

export function ForeignText({ text, canShowMore = false, limit = canShowMore ? 500 : 200 }: Readonly<Props>) {
  const [more, setMore] = useState(0);
  const shown = cutText(text, limit + more);
  const rest = text.length - shown.length;
  return (
    <>
      <bdi dir="ltr">
        <TextPieces text={shown} />
        {rest > 0 && '…'}
      </bdi>
      {rest > 0 && canShowMore && (
        <>
          {' '}
          <button type="button" className="rb-more" onClick={() => setMore(more + step)}>
            {plural(rest, ['Show more (# character)', 'Show more (# characters)'])}
          </button>
        </>
      )}
    </>
  );
}

/** The text in one line that is an element of its own, with `dir`: the element isolates it, and a long list has one less a row. */
export function ForeignLine({ text, limit }: { readonly text: string; readonly limit: number }) {
  const shown = cutText(text, limit);
  return (
    <>
      <TextPieces text={shown} />
      {shown.length < text.length && '…'}
    </>
  );
}

/** The text itself, for places that isolate and cut it themselves. */
export function TextPieces({ text }: { readonly text: string }) {
  const pieces = textPieces(text);
  if (pieces.every(({ kind }) => kind === 'plain')) return text;
  return pieces.map(({ kind, text: shown, at }) =>
    kind === 'plain' ? (
      shown
    ) : (
      <span key={at} className="rb-escape">
        {shown}
      </span>
    ),
  );
}
