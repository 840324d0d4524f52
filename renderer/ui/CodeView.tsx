// Text in a fixed-width font: JSON laid out and coloured, or a text as it was received. Very long texts show their beginning
// and say so.
import { useMemo } from 'react';
import { sizeWords } from './durations.ts';
import { layOutJson } from './json-text.ts';
import { ScrollRegion } from './ScrollRegion.tsx';
import classes from './CodeView.module.css';

type Props = { text: string; label: string; isJson?: boolean; maxHeight?: number };

const shownCharacters = 60_000;

export function CodeView({ text, label, isJson = false, maxHeight }: Readonly<Props>) {
  const shown = text.length > shownCharacters ? text.slice(0, shownCharacters) : text;
  const pieces = useMemo(() => (isJson ? layOutJson(shown) : null), [shown, isJson]);
  return (
    <ScrollRegion
      className={classes.frame}
      label={label}
      {...(maxHeight === undefined ? {} : { style: { maxHeight } })}
    >
      <pre className={classes.text}>
        {pieces?.map((piece, index) => (
          // Pieces have no identity but their place, and the text never changes in part.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className={classes[piece.kind]}>
            {piece.text}
          </span>
        )) ?? shown}
      </pre>
      {shown.length < text.length && (
        <p className={classes.cut}>
          The first {sizeWords(shownCharacters)} of {sizeWords(text.length)} are shown; copy takes all.
        </p>
      )}
    </ScrollRegion>
  );
}
