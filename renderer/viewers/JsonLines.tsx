// A JSON text line by line, laid out, whose branches open and close. Every token is as received; only the lines in view are on the page.
import {
  type CSSProperties,
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useMemo,
  useRef,
  useState,
} from 'react';
import { Button } from '@mantine/core';
import { cutText, visibleText } from '@rainbell/shared';
import { ScrollRegion } from '../ui/controls/ScrollRegion.tsx';
import { TextPieces } from '../ui/text/ForeignText.tsx';
import { budget } from './budget.ts';
import { ancestorsOf, branchByKey, branchSummary, type JsonOutline, jsonPathOf, visibleRows } from './json-outline.ts';
import { JsonTokens } from './json-tokens.ts';
import { type ShowRow, WindowedRows } from './WindowedRows.tsx';
import classes from './JsonLines.module.css';

/** What a line shows in addition to its text. */
export type LineExtra = {
  /** Instead of the beginning of what is folded. */
  summary?: string;
  /** Behind a line that is not folded. */
  comment?: string;
  /** Below the text: what is wrong with it. */
  below?: ReactNode;
};

type Props = {
  outline: JsonOutline;
  label: string;
  className: string;
  /** Whether a branch is open until the user turns it; must keep its identity while it means the same, as `extras` must. */
  isOpenFirst: (line: number) => boolean;
  extras?: ReadonlyMap<number, LineExtra>;
  /** Lines that a search found; the branches around them are open. */
  found?: readonly number[];
  /** The text that is marked in them; empty if a path found them. */
  wanted?: string;
  /** The branch that is highlighted, by its first line. */
  here?: number | undefined;
  /** Comes into view when it changes. */
  shownLine?: number;
  /** May take over from turning a branch, by returning true. */
  onTurn?: (line: number, isFolded: boolean) => boolean;
  /** Whether all lines are on the page, so that the browser can select and find in them. */
  isWhole?: boolean;
  maxHeight?: CSSProperties['maxHeight'];
};

const none: readonly number[] = [];
const estimateHeight = () => 19;

export function JsonLines(props: Readonly<Props>) {
  const { outline, label, className, isOpenFirst, extras, found = none, wanted = '', here, shownLine, onTurn } = props;
  const { isWhole = false, maxHeight } = props;
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  /** What the user opened or folded against the rule. */
  const [turned, setTurned] = useState<ReadonlySet<number>>(() => new Set());
  const rows = useMemo(() => {
    const forced = new Set(found.flatMap((line) => ancestorsOf(outline, line)));
    return visibleRows(outline, (line) => forced.has(line) || isOpenFirst(line) !== turned.has(line));
  }, [outline, found, isOpenFirst, turned]);
  const shownRow = useMemo(() => {
    const row = rows.findIndex(({ line }) => line === shownLine);
    return shownLine === undefined ? undefined : Math.max(0, row);
  }, [rows, shownLine]);
  const end = here === undefined ? -1 : (outline.foldEnd[here] ?? here);
  const turn = useCallback(
    (line: number, isFolded: boolean) => {
      if (onTurn?.(line, isFolded)) return;
      setTurned((before) => {
        const next = new Set(before);
        if (!next.delete(line)) next.add(line);
        return next;
      });
    },
    [onTurn],
  );
  const showRow = useRef<ShowRow>(null);
  /** The line that gets the focus once it is on the page. */
  const sought = useRef(-1);
  const onButton = useCallback((line: number, button: HTMLElement | null) => {
    if (!button || sought.current !== line) return;
    sought.current = -1;
    button.focus({ preventScroll: true });
  }, []);
  /** The branches are one Tab stop: arrow keys move between their buttons, and open and close them. */
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const { key, target, currentTarget: tree } = event;
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    // What has the focus leaves the page if these keys scroll it out of view, or if its row is sought.
    const release = () => tree.focus({ preventScroll: true });
    if (/^(Page|Home|End)/.test(key)) release();
    if (!key.startsWith('Arrow')) return;
    const from = target instanceof HTMLElement ? Number(target.dataset['line']) : NaN;
    const at = rows.findIndex(({ line }) => line === from);
    const row = rows[at];
    const next = row ? branchByKey(outline, rows, at, key) : -1;
    const buttonOf = (line: number | undefined) => tree.querySelector<HTMLElement>(`[data-line="${line}"]`);
    const button = row
      ? buttonOf(rows[next]?.line)
      : (tree.querySelector<HTMLElement>('[data-here] [data-line]') ?? tree.querySelector<HTMLElement>('[data-line]'));
    if (!row && !button) return;
    event.preventDefault();
    if (row && key === (row.isFolded ? 'ArrowRight' : 'ArrowLeft')) turn(row.line, row.isFolded);
    else if (button) button.focus();
    else if (next >= 0) {
      sought.current = rows[next]?.line ?? -1;
      release();
      showRow.current?.(next);
    }
  };
  const matches = useMemo(() => new Set(found), [found]);
  // The lines of another highlighted branch reuse the elements of this one's, because most of their text is the same.
  const keyOf = useCallback(
    (index: number) => {
      const line = rows[index]?.line ?? -1;
      return here !== undefined && line > here && line <= end ? `here+${line - here}` : line;
    },
    [rows, here, end],
  );
  return (
    <ScrollRegion
      className={`rb-mono rb-small ${classes.lines} ${className}`}
      label={label}
      ref={setFrame}
      style={{ maxHeight }}
      onKeyDown={move}
    >
      <WindowedRows
        ref={showRow}
        frame={frame}
        count={rows.length}
        estimate={estimateHeight}
        overscan={isWhole ? rows.length : 6}
        shownRow={shownRow}
        keyOf={keyOf}
      >
        {(index) => {
          const row = rows[index];
          if (!row) return null;
          const { line, isFolded } = row;
          return (
            <Line
              outline={outline}
              line={line}
              isFolded={isFolded}
              isHere={here !== undefined && line >= here && line <= end}
              wanted={matches.has(line) ? wanted : undefined}
              extra={extras?.get(line)}
              onButton={onButton}
              onTurn={turn}
            />
          );
        }}
      </WindowedRows>
    </ScrollRegion>
  );
}

type LineProps = {
  outline: JsonOutline;
  line: number;
  isFolded: boolean;
  isHere: boolean;
  wanted: string | undefined;
  extra: LineExtra | undefined;
  onButton: (line: number, button: HTMLElement | null) => void;
  onTurn: (line: number, isFolded: boolean) => void;
};

const Line = memo(function Line(props: Readonly<LineProps>) {
  const { outline, line, isFolded, isHere, wanted, extra, onButton, onTurn } = props;
  const [limit, setLimit] = useState<number>(budget.lineCharacters);
  const start = outline.lines.starts[line] ?? 0;
  // Of a folded branch only what is before its bracket.
  const whole = outline.lines.source.slice(start, (outline.lines.ends[line] ?? start) - (isFolded ? 1 : 0));
  const text = cutText(whole, limit);
  const isBranch = (outline.foldEnd[line] ?? -1) >= 0;
  const depth = outline.lines.indents[line] ?? 0;
  const summary = isFolded ? (extra?.summary ?? branchSummary(outline, line)) : undefined;
  // What is wrong inside of a folded branch is not on its line.
  const below = isFolded && extra?.summary === undefined ? undefined : extra?.below;
  const path = isBranch ? visibleText(jsonPathOf(outline, line), 1000) : '';
  return (
    <div
      className={classes.line}
      data-here={isHere || undefined}
      data-match={wanted !== undefined || undefined}
      data-deviating={below !== undefined || undefined}
    >
      <span className={`${classes.number} rb-fixed rb-note`} aria-hidden="true">
        {line + 1}
      </span>
      {isBranch ? (
        <button
          type="button"
          className={`rb-fixed rb-note ${classes.fold}`}
          aria-expanded={!isFolded}
          tabIndex={-1}
          data-line={line}
          ref={(button) => onButton(line, button)}
          aria-label={isFolded ? `Unfold ${path}` : `Fold ${path}`}
          onClick={() => onTurn(line, isFolded)}
        >
          {isFolded ? '▸' : '▾'}
        </button>
      ) : (
        <span className={`rb-fixed rb-note ${classes.fold}`} />
      )}
      <span className={`rb-fill rb-break ${classes.code}`} style={{ paddingInlineStart: depth * 10 }}>
        {tokensOf(text, wanted)}
        {text.length < whole.length && (
          <>
            {'… '}
            <Button size="compact-xs" variant="light" onClick={() => setLimit(limit + 10 * budget.lineCharacters)}>
              Show more
            </Button>
          </>
        )}
        {summary !== undefined && (
          <button
            type="button"
            className={`rb-badge rb-truncate ${classes.summary}`}
            translate={extra?.summary === undefined ? 'no' : undefined}
            title={visibleText(summary)}
            onClick={() => onTurn(line, isFolded)}
            tabIndex={-1}
          >
            <TextPieces text={summary} />
          </button>
        )}
        {!isFolded && extra?.comment !== undefined && <span className="rb-dim">{extra.comment}</span>}
        {below}
      </span>
    </div>
  );
});

function tokensOf(text: string, wanted = ''): ReactNode[] {
  const tokens = new JsonTokens(text);
  const shown: ReactNode[] = [];
  while (tokens.next() !== 'end') {
    const { kind, start: from, end: to } = tokens;
    const isName: boolean = kind === 'string' && shown.length === 0 && /^\s*:/.test(text.slice(to, to + 8));
    const space = kind === ':' || (kind === ',' && to < text.length) ? ' ' : '';
    shown.push(
      <span key={from} className="rb-json" data-kind={isName ? 'key' : kind}>
        <Marked text={text.slice(from, to)} wanted={wanted} />
        {space}
      </span>,
    );
  }
  return shown;
}

/** In any case, as `findLines` finds it. */
function Marked({ text, wanted }: { readonly text: string; readonly wanted: string }): ReactNode {
  if (wanted === '') return <TextPieces text={text} />;
  const [folded, searched] = [text.toLowerCase(), wanted.toLowerCase()];
  const parts: ReactNode[] = [];
  let end = 0;
  for (let at = folded.indexOf(searched); at >= 0; at = folded.indexOf(searched, end)) {
    parts.push(<TextPieces key={`before ${at}`} text={text.slice(end, at)} />);
    end = at + wanted.length;
    parts.push(
      <mark key={at}>
        <TextPieces text={text.slice(at, end)} />
      </mark>,
    );
  }
  return [...parts, <TextPieces key="rest" text={text.slice(end)} />];
}
