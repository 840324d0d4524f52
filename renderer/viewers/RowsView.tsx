// Renders rows (rows.ts) in a fixed-width font. Short texts are on the page as a whole; of long ones only the rows in view.
import { type CSSProperties, type ReactNode, useState } from 'react';
import { TextPieces } from '../ui/text/ForeignText.tsx';
import { ScrollRegion } from '../ui/controls/ScrollRegion.tsx';
import { budget } from './budget.ts';
import { type RowKind, rowKinds, type Rows, runStyles, type RunStyle } from './rows.ts';
import { WindowedRows } from './WindowedRows.tsx';
import classes from './RowsView.module.css';

type Props = {
  rows: Rows;
  label: string;
  maxHeight?: number | undefined;
  /** Whether each row says which of two callbacks has it. */
  isCompared?: boolean;
};

export function RowsView({ rows, label, maxHeight, isCompared = false }: Readonly<Props>) {
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const count = rows.ends.length;
  const isWindowed = count > budget.wholeRows || rows.text.length > budget.wholeCharacters;
  const style: CSSProperties | undefined =
    maxHeight === undefined ? (isWindowed ? { maxHeight: 'min(48vh, 560px)' } : undefined) : { maxHeight };
  const row = (index: number) => <Row rows={rows} index={index} isCompared={isCompared} />;
  return (
    <ScrollRegion
      className={`rb-mono rb-sunken ${classes.frame}`}
      label={label}
      ref={setFrame}
      {...(style ? { style } : {})}
    >
      <div className={classes.text} data-compared={isCompared || undefined}>
        {isWindowed ? (
          <WindowedRows
            frame={frame}
            count={count}
            estimate={(index) => rowHeight(rows, index)}
            // Long rows are many lines tall; one of them is enough.
            overscan={rows.text.length / count > 200 ? 1 : 6}
          >
            {row}
          </WindowedRows>
        ) : (
          // Rows are identified only by their index, and the text changes only as a whole.
          Array.from({ length: count }, (_, index) => <div key={index}>{row(index)}</div>)
        )}
      </div>
    </ScrollRegion>
  );
}

const lineHeight = 18.6;
/** About what fits into a line of the narrowest usual panel. */
const guessedColumns = 70;

function rowHeight({ ends }: Rows, row: number): number {
  const length = (ends[row] ?? 0) - (ends[row - 1] ?? 0);
  return Math.max(1, Math.ceil(length / guessedColumns)) * lineHeight;
}

/** The first run that ends after `offset`. */
function runAfter(runs: Rows['runs'], offset: number): number {
  let [low, high] = [0, Math.floor(runs.length / 2)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((runs[middle * 2] ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

type RowProps = { rows: Rows; index: number; isCompared: boolean };

const announced = { gone: 'Only in the older callback: ', new: 'Only in the newer callback: ' } as const;
const gutters: Readonly<Record<RowKind, string>> = { line: ' ', continued: ' ', gone: '−', new: '+', folded: '⋯' };

function Row({ rows, index, isCompared }: Readonly<RowProps>) {
  const { text, ends, kinds } = rows;
  const [from, to] = [ends[index - 1] ?? 0, ends[index] ?? 0];
  if (!isCompared)
    return (
      <div className={classes.row} translate="no">
        {from === to ? '\u00a0' : runsOf(rows, from, to)}
      </div>
    );
  const kind = kindOf(kinds, index);
  const isFirst = rowKinds[kinds[index] ?? 0] !== 'continued';
  return (
    <div className={classes.row} data-kind={kind} translate="no">
      {isFirst && (kind === 'gone' || kind === 'new') && <span className="rb-hidden">{announced[kind]}</span>}
      <span aria-hidden="true" className={classes.gutter}>
        {isFirst ? gutters[kind] : ' '}
      </span>
      {text.length > 0 && runsOf(rows, from, to)}
    </div>
  );
}

/** A continued row is of the kind of the line that it continues. */
function kindOf(kinds: Uint8Array, index: number): RowKind {
  let at = index;
  while (at > 0 && rowKinds[kinds[at] ?? 0] === 'continued') at -= 1;
  return rowKinds[kinds[at] ?? 0] ?? 'line';
}

/** The runs of a row, each isolated, so that its letters cannot change the order of others. */
function runsOf({ text, runs }: Rows, from: number, to: number): ReactNode[] {
  const shown: ReactNode[] = [];
  const add = (start: number, end: number, style: RunStyle) => {
    if (end <= start) return;
    shown.push(
      <span key={start} className={`rb-json ${classes.run}`} data-kind={style}>
        <TextPieces text={text.slice(start, end)} />
      </span>,
    );
  };
  if (runs.length === 0) {
    add(from, to, 'plain');
    return shown;
  }
  let at = from;
  for (let run = runAfter(runs, from); at < to; run += 1) {
    const end = Math.min(to, runs[run * 2] ?? to);
    add(at, end, runStyles[runs[run * 2 + 1] ?? 0] ?? 'plain');
    at = end;
  }
  return shown;
}
