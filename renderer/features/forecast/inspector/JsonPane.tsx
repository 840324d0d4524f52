// The response as JSON: pretty, with the object of the point at the cursor open and highlighted, and the others folded to a line each.
// Deviations from the interface are marked where they are. Line numbers are those of the pretty text; every token is as received.
import { ActionIcon, TextInput } from '@mantine/core';
import { IconChevronDown, IconChevronUp, IconDots, IconSearch, IconSitemap } from '@tabler/icons-react';
import { type KeyboardEvent, memo, useCallback, useDeferredValue, useEffect, useId, useMemo, useState } from 'react';
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';
import { cutText } from '@rainbell/shared';
import { useAppStore } from '../../../store/use-app.ts';
import { useCopy } from '../../../store/use-copy.ts';
import { CopyIcon } from '../../../ui/controls/CopyIcon.tsx';
import { MenuChoice, Panel } from '../../../ui/controls/Panel.tsx';
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
import { type TaskState, useTask } from '../../../viewers/run-task.ts';
import { JsonLines, type LineExtra } from '../../../viewers/JsonLines.tsx';
import { pointValues } from '../timeline/point-values.ts';
import { copyFormats, copyRequestAs } from './copy-request.ts';
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
  const pathSearch = useMemo(() => ({ text: bodyText, path: isPath ? wanted : '' }), [bodyText, isPath, wanted]);
  // Even on a short text, a filter can take any time.
  const byPath = useTask('path', pathSearch, { length: isPath ? Infinity : 0, subject: pathSearch });
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
          leftSection={<IconSearch aria-hidden />}
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
            <ActionIcon color="gray" aria-label="Previous match" onClick={() => go(-1)}>
              <IconChevronUp />
            </ActionIcon>
            <ActionIcon color="gray" aria-label="Next match" onClick={() => go(1)}>
              <IconChevronDown />
            </ActionIcon>
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

function pathProblem({ state }: TaskState<'path'>): string {
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
  const copy = useCopy();
  return (
    <>
      <ActionIcon color="gray" aria-label="More JSON actions" popoverTarget={menuId} aria-haspopup="dialog">
        <IconDots />
      </ActionIcon>
      <Panel id={menuId} label="More JSON actions" align="end">
        <div className="rb-menu">
          <MenuChoice aria-pressed={isRaw} onClick={() => onRaw(!isRaw)}>
            {isRaw ? 'Show formatted' : 'Show as received'}
          </MenuChoice>
          {copyFormats.map((format) => (
            <MenuChoice
              key={format}
              onClick={() => copy({ text: copyRequestAs(format, forecast), message: `Request copied as ${format}` })}
            >
              Copy request as {format}
            </MenuChoice>
          ))}
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
  wanted: string;
};

/** Members of a point that start folded: they say the same in every point. */
const foldedNames = ['geo', 'location'] as const;

function Lines({ outline, forecast, point, pointLine, times, found, shownMatch, wanted }: Readonly<LinesProps>) {
  const { moveCursor } = useAppStore().getState().forecast;
  const units = useUnits();
  const points = useMemo(
    () => new Map(forecast.points.map((one) => [lineAtOffset(outline, one.textRange[0]), one])),
    [forecast, outline],
  );
  const extras = useMemo(() => {
    const all = new Map<number, LineExtra>();
    for (const [line, one] of points)
      all.set(line, { summary: pointSummary(one, times, units), comment: ` // point ${one.index}` });
    for (const [line, deviations] of deviationsOf(outline, points))
      all.set(line, { ...all.get(line), below: <Deviations deviations={deviations} /> });
    return all;
  }, [outline, points, times, units]);
  const isOpenFirst = useMemo(() => {
    const folded = new Set(point ? foldedNames.map((name) => lineOfMember(outline, pointLine, [name])) : []);
    folded.delete(pointLine);
    return (line: number) => (points.has(line) ? line === pointLine : !folded.has(line));
  }, [outline, points, point, pointLine]);
  const onTurn = useCallback(
    (line: number, isFolded: boolean) => {
      const own = points.get(line);
      if (!own || !isFolded) return false;
      // A click on a folded point moves the cursor, which opens it.
      moveCursor(own.index);
      return true;
    },
    [points, moveCursor],
  );
  return (
    <JsonLines
      outline={outline}
      label="The response as JSON"
      className="rb-fill"
      isOpenFirst={isOpenFirst}
      extras={extras}
      found={found}
      wanted={wanted}
      here={point && pointLine}
      shownLine={shownMatch ?? pointLine}
      onTurn={onTurn}
    />
  );
}

/** `9 · Sun 14:00 CET · rainy · 7.4 °C · 3.7 mm` */
function pointSummary(one: ForecastPoint, times: ZonedTimes, units: UnitFormat): string {
  const { status, temperature, precipitation } = pointValues(one, units);
  const at = one.at === null ? undefined : Date.parse(one.at);
  const time = at === undefined ? undefined : `${times.weekdayClock(at)} ${times.zoneName(at)}`;
  return [one.index, time, status, temperature, precipitation].filter((part) => part !== undefined).join(' · ');
}

type Deviation = ForecastPoint['problems'][number];

/** Each deviation at the line of its field, or of the point if the field is missing. */
function deviationsOf(
  outline: JsonOutline,
  points: ReadonlyMap<number, ForecastPoint>,
): ReadonlyMap<number, readonly Deviation[]> {
  const found = new Map<number, Deviation[]>();
  for (const [pointLine, { problems }] of points) {
    for (const problem of problems) {
      const line = lineOfMember(outline, pointLine, problem.field.split('.').filter(Boolean));
      found.set(line, [...(found.get(line) ?? []), problem]);
    }
  }
  return found;
}

function Deviations({ deviations }: { readonly deviations: readonly Deviation[] }) {
  return deviations.map(({ field, message }) => (
    <span key={field} className={`rb-tone rb-lined ${classes.deviation}`} data-tone="warn">
      <TextPieces text={cutText(message, 300)} />
    </span>
  ));
}
