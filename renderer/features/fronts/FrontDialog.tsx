// The dialogs of a front: acknowledge it, or silence its monitors.
import { useApp } from '../../store/use-app.ts';
import { FormDialog } from '../../ui/dialogs/FormDialog.tsx';
import { Button, Radio, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { Front } from '@rainbell/contract/app-rpc';
import { useUnsaved } from '../../ui/hooks/use-unsaved.ts';
import classes from '../monitors/common/MonitorDialogs.module.css';
import { distanceKm, type LatLng } from '@rainbell/contract/service-api';
import { formatInstant } from '@rainbell/shared';
import { useNow } from '../../ui/hooks/use-now.ts';
import { computerZone } from '../../ui/text/computer-zone.ts';
import { parseMinute } from '../../ui/text/typed-minute.ts';
import { zonedTimes } from '../../ui/text/zoned-times.ts';
import { selectMonitors } from '../monitors/selectors.ts';

export function FrontDialog() {
  const { dialog, openDialog } = useApp((state) => state.fronts);
  if (dialog === null) return null;
  const isSilence = dialog.kind === 'silence';
  return (
    <FormDialog
      title={isSilence ? 'Silence notifications' : 'Acknowledge the rain front'}
      size="lg"
      onClose={() => openDialog(null)}
    >
      {isSilence ? <SilenceForm front={dialog.front} /> : <AcknowledgeForm front={dialog.front} />}
    </FormDialog>
  );
}

/** A note on a front that someone looks after: no more notifications about it. */
function AcknowledgeForm({ front }: { readonly front: Front }) {
  const { acknowledge, openDialog } = useApp((state) => state.fronts);
  const [note, setNote] = useState('');
  useUnsaved(note);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    openDialog(null);
    void acknowledge(front.id, note.trim());
  };
  return (
    <form onSubmit={submit}>
      <div className={`rb-stack ${classes.fields}`}>
        <TextInput
          label="Note"
          data-autofocus
          maxLength={500}
          placeholder="Customer notified, ticket 4711"
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </div>
      <p className="rb-fill rb-note">
        {`Stops notifications about this front. Its failures (${front.failed.toLocaleString('en')} so far) stay visible in the table and in the front’s summary.`}
      </p>
      <div className="rb-buttons">
        <Button type="submit">Acknowledge</Button>
        <Button variant="subtle" className={classes.cancel ?? ''} onClick={() => openDialog(null)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

const hourMs = 3_600_000;
const defaultHours = 4;
const maxHours = 7 * 24;

/** As it is typed, by this computer's clock. */
function localTime(instant: number): string {
  const offsetMs = new Date(instant).getTimezoneOffset() * 60_000;
  return new Date(instant - offsetMs).toISOString().slice(0, 16).replace('T', ' ');
}

function problemOf(end: number, now: number): string | null {
  if (Number.isNaN(end)) return 'Enter a date and a time, for instance 2026-11-29 14:00.';
  if (end <= now) return 'Enter a time in the future.';
  return end > now + maxHours * hourMs ? 'Enter a time within the next 7 days.' : null;
}

/** No notifications about the monitors of a tag, or of an area, until a time. */
function SilenceForm({ front }: { readonly front: Front }) {
  const items = useApp(selectMonitors);
  const { silence, openDialog } = useApp((state) => state.fronts);
  const members = new Set(front.monitorIds);
  const monitors = items.filter(({ id }) => members.has(id));
  const tags = [...new Set(monitors.flatMap((monitor) => monitor.tags))].slice(0, 20);
  const area = areaOf(monitors.map(({ geo }) => geo));
  const [choice, setChoice] = useState('area');
  const now = useNow(60_000);
  const [until, setUntil] = useState(() => localTime(now + defaultHours * hourMs));
  const [note, setNote] = useState('');
  const end = parseMinute(until, '');
  const problem = problemOf(end, now);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (problem !== null) return;
    const tag = tags.find((one) => choice === `tag-${one}`);
    const silenced = tag === undefined ? { kind: 'area' as const, ...area } : { kind: 'tag' as const, tag };
    openDialog(null);
    void silence({ until: formatInstant(end), note: note.trim(), monitors: silenced });
  };
  return (
    <form onSubmit={submit}>
      <div className={`rb-stack ${classes.fields}`}>
        <Radio.Group label="Monitors to silence" value={choice} onChange={setChoice}>
          <div className="rb-column">
            <Radio value="area" label={`In the front’s area (${Math.round(area.radiusKm)} km)`} />
            {tags.map((tag) => (
              <Radio key={tag} value={`tag-${tag}`} label={`With the tag ${tag}`} />
            ))}
          </div>
        </Radio.Group>
        <TextInput
          label="Until"
          data-autofocus
          description={`By this computer’s clock, ${zonedTimes(computerZone()).zoneName(Number.isNaN(end) ? now : end)}`}
          error={problem}
          value={until}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
        <TextInput
          label="Note"
          maxLength={500}
          placeholder="Maintenance at the customer’s site"
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
        />
      </div>
      <p className="rb-fill rb-note">Failures stay visible in the table and in the front’s summary.</p>
      <div className="rb-buttons">
        <Button type="submit">Silence</Button>
        <Button variant="subtle" className={classes.cancel ?? ''} onClick={() => openDialog(null)}>
          Cancel
        </Button>
      </div>
    </form>
  );
}

/** A circle around all locations, not over the whole world. */
function areaOf(locations: readonly LatLng[]): { center: LatLng; radiusKm: number } {
  const mean = (pick: (location: LatLng) => number) =>
    locations.reduce((sum, location) => sum + pick(location), 0) / Math.max(1, locations.length);
  const center = { lat: mean(({ lat }) => lat), lng: mean(({ lng }) => lng) };
  const farthest = locations.reduce((max, location) => Math.max(max, distanceKm(center, location)), 0);
  return { center, radiusKm: Math.min(2_000, farthest + 5) };
}
