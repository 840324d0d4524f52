// Two requests in one text: what only the older has, what only the newer has, and what both share.
import { ScrollRegion } from '#renderer/ui/ScrollRegion.tsx';
import type { DifferenceLine } from './differences.ts';
import classes from './DifferenceLines.module.css';

const marks = { same: ' ', gone: '−', new: '+' } as const;

type Props = {
  label: string;
  lines: readonly DifferenceLine[];
  /** What the older and the newer one are called, for instance `the older`. */
  names: { gone: string; new: string };
};

export function DifferenceLines({ label, lines, names }: Readonly<Props>) {
  const spoken = { same: '', gone: `only in ${names.gone}: `, new: `only in ${names.new}: ` } as const;
  return (
    <ScrollRegion className={classes.frame} label={label}>
      <pre className={classes.text}>
        {lines.map(({ kind, text }, index) => (
          // Lines have no identity but their place, and the text never changes in part.
          // oxlint-disable-next-line react/no-array-index-key
          <span key={index} className={classes.line} data-kind={kind}>
            <span className={classes.hidden}>{spoken[kind]}</span>
            <span aria-hidden="true">{marks[kind]} </span>
            {text}
            {'\n'}
          </span>
        ))}
      </pre>
    </ScrollRegion>
  );
}
