// The whole response as received, with the selected point marked. A click into the text selects the point it belongs to.
import { type MouseEvent, useEffect, useRef } from 'react';
import type { Forecast, ForecastPoint } from '#contract/procedures/forecast.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { sizeWords } from '#renderer/ui/durations.ts';
import { ScrollRegion } from '#renderer/ui/ScrollRegion.tsx';
import classes from './Inspector.module.css';

type Props = { forecast: Forecast; point: ForecastPoint };

/** Only this much around the selected point is put on the page, so that huge bodies stay quick. */
const aroundCharacters = 60_000;

export function ResponseView({ forecast, point }: Readonly<Props>) {
  const moveCursor = useApp((state) => state.forecast.moveCursor);
  const marked = useRef<HTMLElement>(null);
  const frame = useRef<HTMLDivElement>(null);
  const { bodyText, sizeBytes } = forecast.response;
  const [start, pointEnd] = point.textRange;
  const end = Math.min(pointEnd, start + aroundCharacters);
  const from = Math.max(0, start - aroundCharacters);
  const to = Math.min(bodyText.length, end + aroundCharacters);
  useEffect(() => {
    const target = marked.current;
    if (target && frame.current) frame.current.scrollTop = target.offsetTop - 40;
  }, [start]);
  const onClick = (event: MouseEvent) => {
    const offset = characterUnder(event, frame.current);
    if (offset === undefined) return;
    const hit = forecast.points.find(({ textRange }) => textRange[0] <= offset + from && offset + from < textRange[1]);
    if (hit) moveCursor(hit.index);
  };
  return (
    <>
      {/* Keys choose a point on the timeline. */}
      <ScrollRegion label="The response as received" className={classes.response} ref={frame} onClick={onClick}>
        <pre>
          {bodyText.slice(from, start)}
          <mark ref={marked}>{bodyText.slice(start, end)}</mark>
          {bodyText.slice(end, to)}
        </pre>
      </ScrollRegion>
      <p className={classes.note}>
        {sizeWords(sizeBytes)} as received
        {to - from < bodyText.length ? `, of which ${sizeWords(to - from)} around the point are shown` : ''}. Click a
        point to select it.
      </p>
    </>
  );
}

/** The character of the text under the mouse, counted from the start of what is shown. */
function characterUnder(event: MouseEvent, frame: HTMLElement | null): number | undefined {
  const caret = document.caretPositionFromPoint(event.clientX, event.clientY);
  if (!caret || !frame?.contains(caret.offsetNode)) return undefined;
  const range = document.createRange();
  range.setStart(frame, 0);
  range.setEnd(caret.offsetNode, caret.offset);
  return range.toString().length;
}
