// The whole response as received, with the selected point marked. A click into the text selects the point it belongs to.
import { useMemo } from 'react';
import type { Forecast, ForecastPoint } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { formatSize } from '../../../ui/text/durations.ts';
import { rowBudget, textRows } from '../../../viewers/rows.ts';
import { RowsView } from '../../../viewers/RowsView.tsx';
import classes from './Inspector.module.css';

type Props = { forecast: Forecast; point: ForecastPoint | undefined };

/** Only this much around the selected point is shown, so that large bodies stay quick. */
const aroundCharacters = 60_000;
/** The pane is lower, and the text scrolls in it. */
const tallest = 4000;

export function ResponseView({ forecast, point }: Readonly<Props>) {
  const moveCursor = useApp((state) => state.forecast.moveCursor);
  const { bodyText, sizeBytes } = forecast.response;
  const [start, pointEnd] = point?.textRange ?? [0, 0];
  const end = Math.min(pointEnd, start + aroundCharacters);
  const from = Math.max(0, start - aroundCharacters);
  const to = Math.min(bodyText.length, end + aroundCharacters);
  const { rows, offsetIn, offsetOf } = useMemo(() => {
    const text = bodyText.slice(from, to);
    const laidOut = textRows(text, rowBudget(1), [start - from, end - from]);
    return { rows: laidOut, ...lineOffsets(text) };
  }, [bodyText, from, to, start, end]);
  const onPick = (offset: number) => {
    const picked = offsetOf(offset) + from;
    const hit = forecast.points.find(({ textRange }) => textRange[0] <= picked && picked < textRange[1]);
    if (hit) moveCursor(hit.index);
  };
  return (
    <div className={`rb-pane ${classes.raw}`}>
      {/* Keys choose a point on the timeline. */}
      <RowsView
        rows={rows}
        label="The response as received"
        maxHeight={tallest}
        highlighted={{ from: offsetIn(start - from), to: offsetIn(end - from) }}
        onPick={onPick}
      />
      <p className="rb-note">
        {to - from < bodyText.length
          ? `${formatSize(sizeBytes)} as received. Showing ${formatSize(to - from)} around the point. Click a point to select it.`
          : `${formatSize(sizeBytes)} as received. Click a point to select it.`}
      </p>
    </div>
  );
}

/** Rows contain no line breaks, so an offset in them is the offset in the text minus the line breaks before it. */
function lineOffsets(text: string) {
  const breaks = [...text.matchAll(/\r?\n/g)].map((found) => ({ at: found.index, length: found[0].length }));
  let removed = 0;
  const places = breaks.map(({ at, length }) => {
    removed += length;
    return { at, shownAt: at - (removed - length), removed };
  });
  const last = (isBefore: (place: (typeof places)[number]) => boolean) => places.findLast(isBefore)?.removed ?? 0;
  return {
    /** Where a place of the text is in the rows. */
    offsetIn: (offset: number) => offset - last(({ at }) => at < offset),
    /** Where a place of the rows is in the text. */
    offsetOf: (offset: number) => offset + last(({ shownAt }) => shownAt <= offset),
  };
}
