// Fronts as lines above the table: how many monitors fired and failed, each one click away; acknowledge, or silence.
import { Button } from '@mantine/core';
import type { Front, Silence } from '@rainbell/contract/app-rpc';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { plural } from '@rainbell/shared';
import { formatCoordinates } from '../../ui/text/durations.ts';
import type { ZonedTimes } from '../../ui/text/zoned-times.ts';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import { termText } from '../monitors/common/monitor-query.ts';
import { filterMonitors } from '../monitors/selectors.ts';
import { failedFront } from './fronts-slice.ts';
import classes from './FrontLines.module.css';

/** Failures are always shown; of the others, the newest. */
const shownQuiet = 2;

export function FrontLines() {
  const { items: fronts, silences } = useApp((state) => state.fronts);
  const isOpen = ({ failedIds, acknowledged }: Front) => failedIds.length > 0 && acknowledged === null;
  const quiet = fronts.filter((front) => !isOpen(front)).slice(0, shownQuiet);
  const shown = [...fronts.filter(isOpen), ...quiet];
  if (shown.length === 0 && silences.length === 0) return null;
  return (
    <section className={`rb-column rb-fixed ${classes.fronts}`} aria-label="Rain fronts" data-over-list>
      {shown.map((front) => (
        <Line key={front.id} front={front} />
      ))}
      {silences.map((silence) => (
        <SilenceLine key={silence.id} silence={silence} />
      ))}
    </section>
  );
}

/** `Rain front, Piedmont, 06:10–07:40 CET: 412 monitors, 9 failed` */
function frontText({ region, from, until, monitorIds, failedIds }: Front, times: ZonedTimes): string {
  const [start, end] = [Date.parse(from), Date.parse(until)];
  const day = times.dayKey(start) === times.dayKey(end) ? '' : `${times.day(end)} `;
  const time = `${times.clock(start)}–${day}${times.clock(end)} ${times.zoneName(end)}`;
  const count = monitorIds.length;
  const failed = failedIds.length.toLocaleString('en');
  return region === null
    ? plural(
        count,
        ['Rain front, {time}: # monitor, {failed} failed', 'Rain front, {time}: # monitors, {failed} failed'],
        { time, failed },
      )
    : plural(
        count,
        [
          'Rain front, {region}, {time}: # monitor, {failed} failed',
          'Rain front, {region}, {time}: # monitors, {failed} failed',
        ],
        { region, time, failed },
      );
}

function Line({ front }: { readonly front: Front }) {
  const store = useAppStore();
  const openDialog = useApp((state) => state.fronts.openDialog);
  const times = useLogTimes();
  const { id, failedIds, acknowledged, isSilenced } = front;
  const show = (term: string) => filterMonitors(store.getState(), termText('front', term));
  const marks = [
    ...(acknowledged ? [acknowledged.note === '' ? 'Acknowledged' : `Acknowledged: ${acknowledged.note}`] : []),
    ...(isSilenced ? ['Silenced'] : []),
  ];
  return (
    <div
      className={`rb-row rb-wrap ${classes.line}`}
      data-tone={failedIds.length > 0 && !acknowledged ? 'bad' : 'plain'}
    >
      <button
        type="button"
        className="rb-medium rb-tone rb-link"
        title="Show this front’s monitors. Times use the service’s clock."
        onClick={() => show(id)}
      >
        {frontText(front, times)}
      </button>
      {marks.length > 0 && <span className="rb-note">{marks.join(' · ')}</span>}
      {failedIds.length > 0 && (
        <Button size="compact-xs" variant="default" onClick={() => show(failedFront(id))}>
          {`Show ${failedIds.length.toLocaleString('en')} failed`}
        </Button>
      )}
      {!acknowledged && (
        <Button size="compact-xs" variant="default" onClick={() => openDialog({ kind: 'acknowledge', front })}>
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
  const { silences, saveSilences } = useApp((state) => state.fronts);
  const times = useLogTimes();
  const end = Date.parse(silence.until);
  const until = `${times.dayClock(end)} ${times.zoneName(end)}`;
  return (
    <div className={`rb-row rb-wrap ${classes.line}`}>
      <span className="rb-note">
        {silence.kind === 'tag'
          ? `No notifications for tag ${silence.tag} until ${until} by this computer’s clock`
          : `No notifications within ${Math.round(silence.radiusKm)} km of ${formatCoordinates(silence.center, 2)} until ${until} by this computer’s clock`}
        {silence.note !== '' && ` · ${silence.note}`}
      </span>
      <TaskButton
        size="compact-xs"
        variant="subtle"
        task={() => saveSilences(silences.filter(({ id }) => id !== silence.id))}
      >
        End silence
      </TaskButton>
    </div>
  );
}
