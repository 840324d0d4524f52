// Describes what changed since the previous fetch; each change links to its point.
import { UnstyledButton } from '@mantine/core';
import { IconArrowsExchange } from '@tabler/icons-react';
import { useMemo } from 'react';
import type { Forecast } from '#contract/app-rpc/forecast.ts';
import { useApp } from '#renderer/store/use-app.ts';
import type { ZonedTimes } from '#renderer/ui/text/zoned-times.ts';
import { type ForecastChange, forecastChanges } from './forecast-changes.ts';
import classes from './TimelineCard.module.css';

const maxShown = 6;

export function Changes({ forecast, times }: { readonly forecast: Forecast; readonly times: ZonedTimes }) {
  const previous = useApp((state) => state.forecast.previous);
  const moveCursor = useApp((state) => state.forecast.moveCursor);
  const changes = useMemo(() => (previous ? joined(forecastChanges(previous, forecast)) : []), [previous, forecast]);
  if (!previous || changes.length === 0) return null;
  const fetchedAt = Date.parse(previous.fetchedAt);
  const since = `${times.clockSeconds(fetchedAt)} ${times.zoneName(fetchedAt)}`;
  return (
    <p className={classes.changes}>
      <IconArrowsExchange size={16} aria-hidden />
      <span>Changed since the fetch at {since}:</span>
      {changes.slice(0, maxShown).map(({ at, until, before, after, index }) => (
        <UnstyledButton key={at} className={classes.change ?? ''} onClick={() => moveCursor(index)}>
          {times.weekdayClock(at)}
          {until > at ? `–${times.clock(until)}` : ''} {before} → <strong>{after}</strong>
        </UnstyledButton>
      ))}
      {changes.length > maxShown && <span>and {changes.length - maxShown} more</span>}
    </p>
  );
}

const hourMs = 3_600_000;

/** Merges neighboring hours with the same change. */
function joined(changes: readonly ForecastChange[]): readonly (ForecastChange & { until: number })[] {
  return changes.reduce<(ForecastChange & { until: number })[]>((groups, change) => {
    const open = groups.at(-1);
    const isSame =
      open && open.before === change.before && open.after === change.after && change.at - open.until <= hourMs;
    if (isSame) open.until = change.at;
    else groups.push({ ...change, until: change.at });
    return groups;
  }, []);
}
