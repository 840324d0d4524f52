// Renders rows (rows.ts) in a fixed-width font. Short texts are on the page as a whole; of long ones only the rows in view.
import { type CSSProperties, type MouseEvent, type ReactNode, useState } from 'react';
import { TextPieces } from '../ui/text/ForeignText.tsx';
import { ScrollRegion } from '../ui/controls/ScrollRegion.tsx';
import { textPieces } from '@rainbell/shared';
import { budget } from './budget.ts';
import { type RowKind, rowKinds, type Rows, runStyles, type RunStyle } from './rows.ts';
import { WindowedRows } from './WindowedRows.tsx';
import classes from './RowsView.module.css';

type Props = {
  rows: Rows;
  label: string;
  maxHeight?: number | undefined;
  /** Characters that stand out, as offsets; the row where they begin is scrolled to. A row begins at `from`. */
  highlighted?: { from: number; to: number } | undefined;
  /** What a click means, with the offset of the character under it. Keys must have another way. */
  onPick?: (offset: number) => void;
  /** In a comparison: announced before a line that only this side has, for instance `Only in the older callback`. */
  sides?: { gone: string; new: string } | undefined;
};

export function RowsView({ rows, label, maxHeight, highlighted, onPick, sides }: Readonly<Props>) {
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  const count = rows.ends.length;
  const isWindowed = count > budget.wholeRows || rows.text.length > budget.wholeCharacters;
  const style: CSSProperties | undefined =
    maxHeight === undefined ? (isWindowed ? { maxHeight: 'min(48vh, 560px)' } : undefined) : { maxHeight };
  const row = (index: number) => (
    <Row rows={rows} index={index} highlighted={highlighted} sides={sides} isPicked={onPick !== undefined} />
  );
  const onClick = (event: MouseEvent) => {
    const offset = offsetUnder(event, frame);
    if (offset !== undefined) onPick?.(offset);
  };
  return (
    <ScrollRegion
      className={classes.frame}
      label={label}
      ref={setFrame}
      {...(style ? { style } : {})}
      {...(onPick ? { onClick } : {})}
    >
      <div className={classes.text} data-compared={sides !== undefined || undefined}>
        {isWindowed ? (
          <WindowedRows
            frame={frame}
            count={count}
            estimate={(index) => rowHeight(rows, index)}
            // Long rows are many lines tall; one of them is enough.
            overscan={rows.text.length / count > 200 ? 1 : 6}
            shownRow={highlighted && rowAt(rows, highlighted.from)}
          >
            {row}
          </WindowedRows>
        ) : (
          // Rows are identified only by their index, and the text changes only as a whole.
          // oxlint-disable-next-line react/no-array-index-key
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

/** Returns the row of a character. */
function rowAt({ ends }: Rows, offset: number): number {
  return firstAbove(ends, 1, 0, offset);
}

/** The first place in a list of ascending ends, taken every `step` from `start`, whose end is above `offset`. */
function firstAbove(ends: Uint32Array, step: number, start: number, offset: number): number {
  let [low, high] = [0, Math.floor(ends.length / step)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle * step + start] ?? 0) > offset) high = middle;
    else low = middle + 1;
  }
  return low;
}

type RowProps = { rows: Rows; index: number; isPicked: boolean } & Pick<Props, 'highlighted' | 'sides'>;

const gutters: Readonly<Record<RowKind, string>> = { line: ' ', continued: ' ', gone: '−', new: '+', folded: '⋯' };

function Row({ rows, index, highlighted, sides, isPicked }: Readonly<RowProps>) {
  const { text, ends, kinds } = rows;
  const [from, to] = [ends[index - 1] ?? 0, ends[index] ?? 0];
  if (!sides)
    return (
      <div className={classes.row} translate="no">
        {from === to ? '\u00a0' : runsOf(rows, from, to, { highlighted, isPicked })}
      </div>
    );
  const kind = kindOf(kinds, index);
  const isFirst = rowKinds[kinds[index] ?? 0] !== 'continued';
  return (
    <div className={classes.row} data-kind={kind} translate="no">
      {isFirst && (kind === 'gone' || kind === 'new') && <span className="rb-hidden">{`${sides[kind]}: `}</span>}
      <span aria-hidden="true" className={classes.gutter}>
        {isFirst ? gutters[kind] : ' '}
      </span>
      {text.length > 0 && runsOf(rows, from, to, { highlighted, isPicked })}
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
function runsOf(
  { text, runs }: Rows,
  from: number,
  to: number,
  { highlighted, isPicked }: Pick<RowProps, 'highlighted' | 'isPicked'>,
): ReactNode[] {
  const shown: ReactNode[] = [];
  const add = (start: number, end: number, style: RunStyle) => {
    if (end <= start) return;
    const part = text.slice(start, end);
    const pieces = isPicked ? <PickedPieces text={part} from={start} /> : <TextPieces text={part} />;
    const isHighlighted = highlighted !== undefined && start >= highlighted.from && end <= highlighted.to;
    const content = isHighlighted ? <mark>{pieces}</mark> : pieces;
    shown.push(
      <span key={start} className={`rb-json ${classes.run}`} data-kind={style}>
        {content}
      </span>,
    );
  };
  const addSplit = (start: number, end: number, style: RunStyle) => {
    if (!highlighted) return add(start, end, style);
    const [low, high] = [
      Math.min(end, Math.max(start, highlighted.from)),
      Math.min(end, Math.max(start, highlighted.to)),
    ];
    add(start, low, style);
    add(low, high, style);
    add(high, end, style);
  };
  if (runs.length === 0) {
    addSplit(from, to, 'plain');
    return shown;
  }
  let at = from;
  for (let run = firstAbove(runs, 2, 0, from); at < to; run += 1) {
    const end = Math.min(to, runs[run * 2] ?? to);
    addSplit(at, end, runStyles[runs[run * 2 + 1] ?? 0] ?? 'plain');
    at = end;
  }
  return shown;
}

/** Each piece with its offset, for `offsetUnder`. */
function PickedPieces({ text, from }: { readonly text: string; readonly from: number }) {
  return textPieces(text).map((piece) => (
    <span key={piece.at} className={piece.kind === 'escape' ? 'rb-escape' : undefined} data-at={from + piece.at}>
      {piece.text}
    </span>
  ));
}

/** The character of the text under the mouse; of an escape, the first that it stands for. */
function offsetUnder(event: MouseEvent, frame: HTMLElement | null): number | undefined {
  const caret = document.caretPositionFromPoint(event.clientX, event.clientY);
  if (!caret || !frame?.contains(caret.offsetNode)) return undefined;
  const piece = (
    caret.offsetNode instanceof Element ? caret.offsetNode : caret.offsetNode.parentElement
  )?.closest<HTMLElement>('[data-at]');
  if (!piece) return undefined;
  return Number(piece.dataset['at']) + (piece.classList.contains('rb-escape') ? 0 : caret.offset);
}
