// The dialogs of a front: acknowledge it, or silence its monitors.
import { useApp } from '../../store/use-app.ts';
import { FormButtons, FormDialog } from '../../ui/dialogs/FormDialog.tsx';
import { Button, NativeSelect, Radio, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Front } from '@rainbell/contract/app-rpc';
import { submitBy } from '../../ui/hooks/submit-by.ts';
import { useUnsaved } from '../../ui/hooks/use-unsaved.ts';
import { distanceKm, type LatLng } from '@rainbell/contract/service-api';
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
      <FrontForm isSilence={isSilence} front={dialog.front} />
    </FormDialog>
  );
}

const durations = [
  { value: '1', label: '1 hour' },
  { value: '4', label: '4 hours' },
  { value: '12', label: '12 hours' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
];

/** A note on a front that someone looks after; or no notifications about the monitors of a tag, or of an area, for a time. */
function FrontForm({ isSilence, front }: { readonly isSilence: boolean; readonly front: Front }) {
  const items = useApp(selectMonitors);
  const { acknowledge, silence, openDialog } = useApp((state) => state.fronts);
  const members = new Set(front.monitor_ids);
  const monitors = items.filter(({ id }) => members.has(id));
  const tags = [...new Set(monitors.flatMap((monitor) => monitor.tags))].slice(0, 20);
  const area = areaOf(monitors.map(({ geo }) => geo));
  const [choice, setChoice] = useState('area');
  const [hours, setHours] = useState('4');
  const [note, setNote] = useState('');
  useUnsaved(note);
  const submit = () => {
    openDialog(null);
    if (!isSilence) return void acknowledge(front.id, note.trim());
    const tag = tags.find((one) => choice === `tag-${one}`);
    const silenced = tag === undefined ? { kind: 'area' as const, ...area } : { kind: 'tag' as const, tag };
    return void silence(Number(hours), { note: note.trim(), monitors: silenced });
  };
  return (
    <form className="rb-stack" onSubmit={submitBy(submit)}>
      {isSilence && (
        <>
          <Radio.Group label="Monitors to silence" value={choice} onChange={setChoice}>
            <div className="rb-column">
              <Radio value="area" label={`In the front’s area (${Math.round(area.radiusKm)} km)`} />
              {tags.map((tag) => (
                <Radio key={tag} value={`tag-${tag}`} label={`With the tag ${tag}`} />
              ))}
            </div>
          </Radio.Group>
          <NativeSelect
            label="For"
            data-autofocus
            data={durations}
            value={hours}
            onChange={(event) => setHours(event.currentTarget.value)}
          />
        </>
      )}
      <TextInput
        label="Note"
        data-autofocus={!isSilence || undefined}
        maxLength={500}
        placeholder={isSilence ? 'Maintenance at the customer’s site' : 'Customer notified, ticket 4711'}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
      <p className="rb-fill rb-note">
        {`${isSilence ? '' : 'Stops notifications about this front. '}Failures (${front.failed.toLocaleString('en')} so far) stay visible.`}
      </p>
      <FormButtons>
        <Button variant="filled" type="submit">
          {isSilence ? 'Silence' : 'Acknowledge'}
        </Button>
      </FormButtons>
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
