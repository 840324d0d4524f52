// Fronts as lines above the table: how many monitors fired and failed, each one click away; acknowledge, or silence.
import { Button, NativeSelect } from '@mantine/core';
import { useEffect } from 'react';
import type { Front, Silence } from '@rainbell/contract/app-rpc';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { minFrontMonitors } from '@rainbell/contract/service-api';
import { dayMs, parseTimestamp, plural, visibleText } from '@rainbell/shared';
import { useNow } from '../../ui/hooks/use-now.ts';
import { formatCoordinates } from '../../ui/text/durations.ts';
import { midnights, type ZonedTimes } from '../../ui/text/zoned-times.ts';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import { showEvents } from '../events/selectors.ts';
import { selectMonitors, selectServiceOffers } from '../monitors/selectors.ts';
import classes from './FrontLines.module.css';

/** Failures are always shown; of the others of the last 24 hours, the newest. */
const shownQuiet = 2;
const shownHosts = 2;
/** A new front is on an open screen within ten seconds. */
const readEveryMs = 8_000;
const days = 30;

export function FrontLines() {
  const { isAvailable, items: fronts, silences, day, missingBefore, load } = useApp((state) => state.fronts);
  const isOffered = useApp((state) => selectMonitors(state).length >= minFrontMonitors) && isAvailable;
  const times = useLogTimes();
  useEffect(() => {
    const timer = setInterval(() => {
      if (day === null && !document.hidden) void load();
    }, readEveryMs);
    return () => clearInterval(timer);
  }, [day, load]);
  if (!isOffered && silences.length === 0) return null;
  const isOpen = ({ failed, acknowledged }: Front) => failed > 0 && acknowledged === null;
  const quiet = fronts.filter((front) => !isOpen(front));
  const shown = day === null ? [...fronts.filter(isOpen), ...quiet.slice(0, shownQuiet)] : fronts;
  return (
    <section className={`rb-column rb-fixed ${classes.fronts}`} aria-label="Rain fronts" data-over-list>
      <DayLine count={fronts.length} />
      {missingBefore !== null && (
        <p className="rb-note">{`Fronts before ${timeText(times, missingBefore)} are not shown, because the day has over 50,000 events.`}</p>
      )}
      {shown.map((front) => (
        <Line key={front.id} front={front} />
      ))}
      {silences.map((silence) => (
        <SilenceLine key={silence.id} silence={silence} />
      ))}
    </section>
  );
}

/** The last 24 hours, or a day of the record. */
function DayLine({ count }: { readonly count: number }) {
  const { day, showDay } = useApp((state) => state.fronts);
  const aheadMs = useApp((state) => selectServiceOffers(state)?.aheadMs ?? 0);
  const times = useLogTimes();
  const now = useNow(60_000) + aheadMs;
  const starts = midnights(times, now - days * dayMs, now).toReversed();
  return (
    <div className={`rb-row rb-wrap ${classes.line}`}>
      <NativeSelect
        size="xs"
        aria-label="Time of the rain fronts"
        value={day?.from ?? ''}
        data={[
          { value: '', label: 'Last 24 hours' },
          ...starts.map(({ startsAt }) => ({ value: String(startsAt), label: times.day(startsAt) })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          const chosen = starts.find(({ startsAt }) => String(startsAt) === value);
          void showDay(chosen ? { from: chosen.startsAt, to: chosen.startsAt + chosen.hours * 3_600_000 } : null);
        }}
      />
      <span className="rb-note">
        {count === 0 ? 'No rain fronts' : plural(count, ['# rain front', '# rain fronts'])}
      </span>
    </div>
  );
}

function timeText(times: ZonedTimes, instant: string): string {
  const at = parseTimestamp(instant) ?? 0;
  return `${times.dayClock(at)} ${times.zoneName(at)}`;
}

/** `Acknowledged by anna, Sat 21 Nov, 14:20 CET: Customer informed` */
function decisionText(
  what: string,
  { by, at, note }: { by: string; at: string; note: string },
  times: ZonedTimes,
): string {
  const text = `${what} by ${by}, ${timeText(times, at)}`;
  return note === '' ? text : `${text}: ${note}`;
}

/** `Rain front, Piedmont, 06:10–07:40 CET: 412 monitors, 9 failed` */
function frontText({ region, from, until, monitors: count, failed: failing }: Front, times: ZonedTimes): string {
  const [start, end] = [from, until].map((text) => parseTimestamp(text) ?? 0) as [number, number];
  const day = times.dayKey(start) === times.dayKey(end) ? '' : `${times.day(end)} `;
  const time = `${times.clock(start)}–${day}${times.clock(end)} ${times.zoneName(end)}`;
  return plural(
    count,
    ['Rain front, {where}: # monitor, {failed} failed', 'Rain front, {where}: # monitors, {failed} failed'],
    {
      where: region === null ? time : `${region}, ${time}`,
      failed: failing.toLocaleString('en'),
    },
  );
}

function Line({ front }: { readonly front: Front }) {
  const store = useAppStore();
  const openDialog = useApp((state) => state.fronts.openDialog);
  const times = useLogTimes();
  const { id, failed, hosts, acknowledged, isSilenced } = front;
  const show = (state: 'any' | 'undelivered') => showEvents(store.getState(), { front: id, state });
  const marks = [
    ...hosts
      .slice(0, shownHosts)
      .map((host) => `${visibleText(host.host, 60)}: ${host.failed.toLocaleString('en')} failed`),
    ...(acknowledged ? [decisionText('Acknowledged', acknowledged, times)] : []),
    ...(isSilenced ? ['Silenced'] : []),
  ];
  return (
    <div className={`rb-row rb-wrap ${classes.line}`} data-tone={failed > 0 && !acknowledged ? 'bad' : 'plain'}>
      <button
        type="button"
        className="rb-medium rb-tone rb-link"
        title="Show this front’s events. Times use the service’s clock."
        onClick={() => show('any')}
      >
        {frontText(front, times)}
      </button>
      {marks.length > 0 && <span className="rb-note">{marks.join(' · ')}</span>}
      {failed > 0 && (
        <Button size="compact-xs" onClick={() => show('undelivered')}>
          {`Show ${failed.toLocaleString('en')} failed`}
        </Button>
      )}
      {!acknowledged && (
        <Button size="compact-xs" onClick={() => openDialog({ kind: 'acknowledge', front })}>
          Acknowledge…
        </Button>
      )}
      <Button size="compact-xs" variant="subtle" onClick={() => openDialog({ kind: 'silence', front })}>
        Silence…
      </Button>
    </div>
  );
}

function SilenceLine({ silence }: { readonly silence: Silence }) {
  const endSilence = useApp((state) => state.fronts.endSilence);
  const times = useLogTimes();
  const { monitors } = silence;
  const until = timeText(times, silence.until);
  return (
    <div className={`rb-row rb-wrap ${classes.line}`}>
      <span className="rb-note">
        {monitors.kind === 'tag'
          ? `No notifications for tag ${monitors.tag} until ${until} by this computer’s clock`
          : `No notifications within ${Math.round(monitors.radiusKm)} km of ${formatCoordinates(monitors.center, 2)} until ${until} by this computer’s clock`}
        {` · ${decisionText('Silenced', silence, times)}`}
      </span>
      <TaskButton size="compact-xs" variant="subtle" task={() => endSilence(silence.id)}>
        End silence
      </TaskButton>
    </div>
  );
}
