// Renders rows (rows.ts) in a fixed-width font. Short texts are on the page as a whole; of long ones only the rows in view.
import { useState } from 'react';
import { TextPieces } from '../ui/text/ForeignText.tsx';
import { ScrollRegion } from '../ui/controls/ScrollRegion.tsx';
import { budget } from './budget.ts';
import type { Row, RowKind, Rows } from './rows.ts';
import { WindowedRows } from './WindowedRows.tsx';
import classes from './RowsView.module.css';

type Props = {
  rows: Rows;
  label: string;
  maxHeight?: number | undefined;
  /** Whether each row says which of two callbacks has it. */
  isCompared?: boolean;
};

export function RowsView({ rows: { rows, characters }, label, maxHeight, isCompared = false }: Readonly<Props>) {
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const isWindowed = rows.length > budget.wholeRows || characters > budget.wholeCharacters;
  return (
    <ScrollRegion
      className={`rb-mono rb-sunken ${classes.frame}`}
      label={label}
      ref={setFrame}
      style={{ maxHeight: maxHeight ?? (isWindowed ? windowedHeight : 'none') }}
    >
      <div className={classes.text} data-compared={isCompared || undefined}>
        <WindowedRows
          frame={frame}
          count={rows.length}
          estimate={(index) => guessHeight(rows[index])}
          // Long rows are many lines tall; one of them is enough.
          overscan={!isWindowed ? rows.length : characters / rows.length > 200 ? 1 : 6}
        >
          {(index) => rows[index] && <RowView row={rows[index]} isCompared={isCompared} />}
        </WindowedRows>
      </div>
    </ScrollRegion>
  );
}

/** Of a text that is longer than what is on the page. */
export const windowedHeight = 'min(48vh, 560px)';
const lineHeight = 18.6;
/** About what fits into a line of the narrowest usual panel. */
const guessedColumns = 70;

function guessHeight(row: Row | undefined): number {
  return Math.max(1, Math.ceil((row?.text.length ?? 0) / guessedColumns)) * lineHeight;
}

const announced = { gone: 'Only in the older callback: ', new: 'Only in the newer callback: ' } as const;
const gutters: Readonly<Record<RowKind, string>> = { same: ' ', gone: '−', new: '+', folded: '⋯' };

type RowProps = { row: Row; isCompared: boolean };

function RowView({ row: { kind, text, isContinued }, isCompared }: Readonly<RowProps>) {
  if (!isCompared)
    return (
      <div className={classes.row} translate="no">
        {text === '' ? '\u00a0' : <TextPieces text={text} />}
      </div>
    );
  return (
    <div className={classes.row} data-kind={kind} translate="no">
      {!isContinued && (kind === 'gone' || kind === 'new') && <span className="rb-hidden">{announced[kind]}</span>}
      <span aria-hidden="true" className={classes.gutter}>
        {isContinued ? ' ' : gutters[kind]}
      </span>
      <TextPieces text={text} />
    </div>
  );
}
