// The response as JSON: pretty, with the object of the point at the cursor open and highlighted, and the others folded to a line each.
// Deviations from the interface are marked where they are. Line numbers are those of the pretty text; every token is as received.
import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconDots, IconSearch, IconSitemap } from '@tabler/icons-react';
import {
  type KeyboardEvent,
  memo,
  type ReactNode,
  useCallback,
  useDeferredValue,
  useEffect,
  useId,
  useMemo,
  useState,
} from 'react';
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';
import { cutText } from '@rainbell/shared';
import { useAppStore } from '../../../store/use-app.ts';
import { useCopy } from '../../../store/use-copy.ts';
import { CopyIcon } from '../../../ui/controls/CopyIcon.tsx';
import { Panel } from '../../../ui/controls/Panel.tsx';
import { ScrollRegion } from '../../../ui/controls/ScrollRegion.tsx';
import { TextPieces } from '../../../ui/text/ForeignText.tsx';
import type { UnitFormat } from '../../../ui/text/units.ts';
import type { ZonedTimes } from '../../../ui/text/zoned-times.ts';
import { useUnits } from '../../../widgets/use-units.ts';
import { CodeView } from '../../../viewers/CodeView.tsx';
import {
  findLines,
  jsonOutlineOf,
  type JsonOutline,
  jsonPathOf,
  lineAtOffset,
  lineOfMember,
} from '../../../viewers/json-outline.ts';
import { JsonTokens } from '../../../viewers/json-tokens.ts';
import { moveInTree } from '../../../viewers/tree-keys.ts';
import { type PathLines, usePathLines } from '../../../viewers/use-path-lines.ts';
import { WindowedRows } from '../../../viewers/WindowedRows.tsx';
import { pointValues } from '../timeline/point-values.ts';
import { CopyAsChoices } from './CopyAsChoices.tsx';
import { ancestorsOf, branchSummary, type Deviation, deviationsOf, visibleRows } from './json-rows.ts';
import classes from './JsonPane.module.css';

const noLines: readonly number[] = [];
/** The pane is lower, and the text scrolls in it. */
const tallestRaw = 4000;

type Props = { forecast: Forecast; point: ForecastPoint | undefined; times: ZonedTimes };

export function JsonPane({ forecast, point, times }: Readonly<Props>) {
  const [isRaw, setRaw] = useState(false);
  const [search, setSearch] = useState('');
  const [match, setMatch] = useState(0);
  const wanted = useDeferredValue(search.trim());
  const { bodyText } = forecast.response;
  const outline = useMemo(() => jsonOutlineOf(bodyText), [bodyText]);
  const isPath = wanted.startsWith('$');
  const byPath = usePathLines(bodyText, isPath && outline ? wanted : null);
  const byText = useMemo(
    () => (outline && wanted !== '' && !isPath ? findLines(outline, wanted) : undefined),
    [outline, wanted, isPath],
  );
  const found = isPath && byPath.state === 'done' ? (byPath.value ?? undefined) : byText;
  const count = found?.length ?? 0;
  const shownMatch = found?.[Math.min(match, count - 1)];
  const line = outline && point ? lineAtOffset(outline, point.textRange[0]) : 0;
  const { moveCursor, showHits } = useAppStore().getState().forecast;
  useEffect(() => {
    const starts = outline?.lines.starts ?? [];
    const offsets = found?.map((one) => starts[one] ?? 0) ?? [];
    const hits = forecast.points.filter(({ textRange: [from, to] }) => offsets.some((at) => from <= at && at < to));
    showHits(hits.map(({ index }) => index));
    return () => showHits([]);
  }, [forecast, outline, found, showHits]);
  /** Shows another match; the chart follows to its point. */
  const go = (step: number) => {
    if (count === 0) return;
    const next = (Math.min(match, count - 1) + step + count) % count;
    setMatch(next);
    const offset = outline?.lines.starts[found?.[next] ?? 0] ?? 0;
    const own = forecast.points.find(({ textRange: [from, to] }) => from <= offset && offset < to);
    if (own) moveCursor(own.index);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') setSearch('');
    else if (event.key === 'Enter') go(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="rb-bar rb-tight">
        <TextInput
          className="rb-fill"
          aria-label="Find in the JSON"
          placeholder="Text or $.objects[9].weather"
          leftSection={<IconSearch size={14} aria-hidden />}
          value={search}
          disabled={isRaw || !outline}
          onChange={(event) => {
            setSearch(event.currentTarget.value);
            setMatch(0);
          }}
          onKeyDown={onKeyDown}
        />
        {wanted !== '' && (
          <>
            <span className="rb-note" role="status">
              {isPath && !found
                ? pathProblem(byPath)
                : `${count === 0 ? 0 : Math.min(match, count - 1) + 1} of ${count}`}
            </span>
            <button type="button" className="rb-button rb-bare" aria-label="Previous match" onClick={() => go(-1)}>
              ‹
            </button>
            <button type="button" className="rb-button rb-bare" aria-label="Next match" onClick={() => go(1)}>
              ›
            </button>
          </>
        )}
        {outline && <CopyPath outline={outline} line={shownMatch ?? line} />}
        <CopyIcon text={bodyText} label="Copy JSON" />
        <More forecast={forecast} isRaw={isRaw} onRaw={setRaw} />
      </div>
      {isRaw || !outline ? (
        <div className={`rb-pane ${classes.raw}`}>
          <CodeView source={bodyText} as="text" label="The response as received" maxHeight={tallestRaw} />
        </div>
      ) : (
        <Lines
          outline={outline}
          forecast={forecast}
          point={point}
          pointLine={line}
          times={times}
          found={found ?? noLines}
          shownMatch={shownMatch}
          wanted={isPath ? '' : wanted}
        />
      )}
    </>
  );
}

function pathProblem({ state }: PathLines): string {
  if (state === 'working') return 'Searching…';
  return state === 'failed' ? 'Stopped after 8 s' : 'Invalid path';
}

/** Drawn again only for another line; the cursor moves often. */
const CopyPath = memo(function CopyPath({ outline, line }: { readonly outline: JsonOutline; readonly line: number }) {
  return <CopyIcon text={() => jsonPathOf(outline, line)} label="Copy JSONPath" icon={<IconSitemap size={16} />} />;
});

type MoreProps = { forecast: Forecast; isRaw: boolean; onRaw: (isRaw: boolean) => void };

const More = memo(function More({ forecast, isRaw, onRaw }: Readonly<MoreProps>) {
  const menuId = useId();
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label="More JSON actions"
        popoverTarget={menuId}
        aria-haspopup="dialog"
      >
        <IconDots size={16} />
      </ActionIcon>
      <Panel id={menuId} label="More JSON actions" align="end">
        <div className="rb-menu">
          <Button
            variant="subtle"
            color="gray"
            aria-pressed={isRaw}
            popoverTarget={menuId}
            popoverTargetAction="hide"
            onClick={() => onRaw(!isRaw)}
          >
            {isRaw ? 'Show formatted' : 'Show as received'}
          </Button>
          <CopyAsChoices forecast={forecast} panelId={menuId} />
        </div>
      </Panel>
    </>
  );
});

type LinesProps = Props & {
  outline: JsonOutline;
  pointLine: number;
  found: readonly number[];
  shownMatch: number | undefined;
  /** The text that is marked. */
  wanted: string;
};

/** Members of a point that start folded: they say the same in every point. */
const foldedNames = ['geo', 'location'] as const;

function Lines({ outline, forecast, point, pointLine, times, found, shownMatch, wanted }: Readonly<LinesProps>) {
  const { moveCursor, pin } = useAppStore().getState().forecast;
  const units = useUnits();
  const [frame, setFrame] = useState<HTMLDivElement | null>(null);
  /** What the user opened or folded against the rule. */
  const [turned, setTurned] = useState<ReadonlySet<number>>(() => new Set());
  const points = useMemo(
    () => new Map(forecast.points.map((one) => [lineAtOffset(outline, one.textRange[0]), one])),
    [forecast, outline],
  );
  const deviations = useMemo(() => deviationsOf(outline, points), [outline, points]);
  const rows = useMemo(() => {
    const forced = new Set(found.flatMap((line) => ancestorsOf(outline, line)));
    const folded = new Set(point ? foldedNames.map((name) => lineOfMember(outline, pointLine, [name])) : []);
    folded.delete(pointLine);
    const isOpen = (line: number) => {
      const isOpenByDefault = points.has(line) ? line === pointLine : !folded.has(line);
      return forced.has(line) || (turned.has(line) ? !isOpenByDefault : isOpenByDefault);
    };
    return visibleRows(outline, isOpen);
  }, [outline, found, points, point, pointLine, turned]);
  const shown = shownMatch ?? pointLine;
  const shownRow = useMemo(
    () =>
      Math.max(
        0,
        rows.findIndex(({ line }) => line === shown),
      ),
    [rows, shown],
  );
  const end = outline.foldEnd[pointLine] ?? pointLine;
  const turn = useCallback(
    (line: number, isFolded: boolean) => {
      const own = points.get(line);
      // A click on a folded point moves the cursor, which opens it.
      if (own && isFolded) {
        moveCursor(own.index);
        pin(own.index);
      } else
        setTurned((before) => {
          const next = new Set(before);
          if (!next.delete(line)) next.add(line);
          return next;
        });
    },
    [points, moveCursor, pin],
  );
  const matches = useMemo(() => new Set(found), [found]);
  // The next point's lines reuse the elements of this one's, because most of their text is the same.
  const keyOf = useCallback(
    (index: number) => {
      const line = rows[index]?.line ?? -1;
      return line > pointLine && line <= end ? `point+${line - pointLine}` : line;
    },
    [rows, pointLine, end],
  );
  return (
    <ScrollRegion
      className={`rb-fill rb-mono rb-small ${classes.lines}`}
      label="The response as JSON"
      ref={setFrame}
      onKeyDown={moveInTree}
    >
      <WindowedRows
        frame={frame}
        count={rows.length}
        estimate={estimateHeight}
        overscan={6}
        shownRow={shownRow}
        keyOf={keyOf}
      >
        {(index) => {
          const row = rows[index];
          if (!row) return null;
          const { line, isFolded } = row;
          const own = points.get(line);
          return (
            <Line
              outline={outline}
              line={line}
              isFolded={isFolded}
              isHere={point !== undefined && line >= pointLine && line <= end}
              wanted={matches.has(line) ? wanted : undefined}
              point={own}
              times={times}
              units={units}
              deviation={isFolded && !own ? undefined : deviations.get(line)}
              forecast={forecast}
              onTurn={turn}
            />
          );
        }}
      </WindowedRows>
    </ScrollRegion>
  );
}

/** `9 · Sun 14:00 CET · rainy · 7.4 °C · 3.7 mm` */
function pointSummary(one: ForecastPoint, times: ZonedTimes, units: UnitFormat): string {
  const { status, temperature, precipitation } = pointValues(one, units);
  const at = one.at === null ? undefined : Date.parse(one.at);
  const time = at === undefined ? undefined : `${times.weekdayClock(at)} ${times.zoneName(at)}`;
  return [one.index, time, status, temperature, precipitation].filter((part) => part !== undefined).join(' · ');
}

const estimateHeight = () => 19;

type LineProps = {
  outline: JsonOutline;
  line: number;
  isFolded: boolean;
  isHere: boolean;
  /** The text to mark on a line that matches; empty if it matches a path. */
  wanted: string | undefined;
  /** That begins on this line. */
  point: ForecastPoint | undefined;
  times: ZonedTimes;
  units: UnitFormat;
  deviation: readonly Deviation[] | undefined;
  forecast: Forecast;
  onTurn: (line: number, isFolded: boolean) => void;
};

const Line = memo(function Line(props: Readonly<LineProps>) {
  const { outline, line, isFolded, isHere, wanted, point, times, units, deviation, forecast, onTurn } = props;
  const isBranch = (outline.foldEnd[line] ?? -1) >= 0;
  const depth = outline.lines.indents[line] ?? 0;
  const summary = !isFolded ? undefined : point ? pointSummary(point, times, units) : branchSummary(outline, line);
  return (
    <div
      className={classes.line}
      data-here={isHere || undefined}
      data-match={wanted !== undefined || undefined}
      data-deviating={deviation !== undefined || undefined}
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
          data-level={depth}
          aria-label={isFolded ? `Unfold ${jsonPathOf(outline, line)}` : `Fold ${jsonPathOf(outline, line)}`}
          onClick={() => onTurn(line, isFolded)}
        >
          {isFolded ? '▸' : '▾'}
        </button>
      ) : (
        <span className={`rb-fixed rb-note ${classes.fold}`} />
      )}
      <span className={`rb-fill rb-break ${classes.code}`} style={{ paddingInlineStart: depth * 10 }}>
        {tokensOf(outline, line, isFolded, wanted)}
        {summary !== undefined && (
          <button
            type="button"
            className={`rb-badge rb-truncate ${classes.summary}`}
            translate={point ? undefined : 'no'}
            title={summary}
            onClick={() => onTurn(line, isFolded)}
            tabIndex={-1}
          >
            <TextPieces text={summary} />
          </button>
        )}
        {point && !isFolded && <span className="rb-dim">{` // point ${point.index}`}</span>}
        {deviation?.map(({ field, message }) => (
          <span key={field} className={`rb-tone rb-lined ${classes.deviation}`} data-tone="warn">
            <TextPieces text={cutText(message, 300)} />{' '}
            <CopyReport forecast={forecast} path={jsonPathOf(outline, line)} message={message} />
          </span>
        ))}
      </span>
    </div>
  );
});

function CopyReport({
  forecast,
  path,
  message,
}: {
  readonly forecast: Forecast;
  readonly path: string;
  readonly message: string;
}) {
  const copy = useCopy();
  const { request, response, fetchedAt } = forecast;
  const report = `${path}: ${message}\n${request.method} ${request.url}\nHTTP ${response.status}, fetched ${fetchedAt}\n`;
  return (
    <button type="button" className="rb-more" onClick={() => copy({ text: report, message: 'Report copied' })}>
      Copy report
    </button>
  );
}

const maxCharacters = 2_000;

/** The tokens of a line in their colors; of a folded branch only what is before its bracket. */
function tokensOf({ lines }: JsonOutline, line: number, isFolded: boolean, wanted = ''): ReactNode[] {
  const start = lines.starts[line] ?? 0;
  const whole = lines.source.slice(start, (lines.ends[line] ?? start) - (isFolded ? 1 : 0));
  const tokens = new JsonTokens(whole);
  const shown: ReactNode[] = [];
  while (tokens.next() !== 'end') {
    const { kind, start: from, end } = tokens;
    const text = cutText(whole.slice(from, end), maxCharacters);
    const isName: boolean = kind === 'string' && shown.length === 0 && /^\s*:/.test(whole.slice(end, end + 8));
    const cut = text.length < end - from ? '…' : '';
    const space = kind === ':' || (kind === ',' && end < whole.length) ? ' ' : '';
    shown.push(
      <span key={from} className="rb-json" data-kind={isName ? 'key' : kind}>
        <Marked text={text} wanted={wanted} />
        {cut}
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
