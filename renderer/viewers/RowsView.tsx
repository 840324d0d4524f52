// Renders rows (rows.ts) in a fixed-width font. Short texts are on the page as a whole; of long ones only the rows in view.
import { useState } from 'react';
import { TextPieces } from '../ui/text/ForeignText.tsx';
import { ScrollRegion } from '../ui/controls/ScrollRegion.tsx';
import { budget } from './budget.ts';
import { type RowKind, rowKinds, type Rows, rowText } from './rows.ts';
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
  const row = (index: number) => <Row rows={rows} index={index} isCompared={isCompared} />;
  return (
    <ScrollRegion
      className={`rb-mono rb-sunken ${classes.frame}`}
      label={label}
      ref={setFrame}
      style={{ maxHeight: maxHeight ?? (isWindowed ? windowedHeight : 'none') }}
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

/** Of a text that is longer than what is on the page. */
export const windowedHeight = 'min(48vh, 560px)';
const lineHeight = 18.6;
/** About what fits into a line of the narrowest usual panel. */
const guessedColumns = 70;

function rowHeight({ ends }: Rows, row: number): number {
  const length = (ends[row] ?? 0) - (ends[row - 1] ?? 0);
  return Math.max(1, Math.ceil(length / guessedColumns)) * lineHeight;
}

type RowProps = { rows: Rows; index: number; isCompared: boolean };

const announced = { gone: 'Only in the older callback: ', new: 'Only in the newer callback: ' } as const;
const gutters: Readonly<Record<RowKind, string>> = { line: ' ', continued: ' ', gone: '−', new: '+', folded: '⋯' };

function Row({ rows, index, isCompared }: Readonly<RowProps>) {
  const { kinds } = rows;
  const text = rowText(rows, index);
  if (!isCompared)
    return (
      <div className={classes.row} translate="no">
        {text === '' ? '\u00a0' : <TextPieces text={text} />}
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
      <TextPieces text={text} />
    </div>
  );
}

/** A continued row is of the kind of the line that it continues. */
function kindOf(kinds: Uint8Array, index: number): RowKind {
  let at = index;
  while (at > 0 && rowKinds[kinds[at] ?? 0] === 'continued') at -= 1;
  return rowKinds[kinds[at] ?? 0] ?? 'line';
}
