// A cell of the table while it is edited: Enter sends the changed field only, Escape leaves everything as it was.
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { writeDegrees } from '@rainbell/shared';
import { focusOnce } from '../../../ui/hooks/focus-once.ts';
import { changesOf, formOf, readForm } from '../common/monitor-form.ts';

export type EditedCell = { id: string; field: 'callback' | 'place' };

type Props = { monitor: AppMonitor; field: EditedCell['field']; onDone: () => void };

export function InPlaceEdit({ monitor, field, onDone }: Readonly<Props>) {
  const updateInPlace = useApp((state) => state.monitors.updateInPlace);
  const { geo, callbackUri } = monitor;
  const before = field === 'callback' ? (callbackUri ?? '') : `${writeDegrees(geo.lat)}, ${writeDegrees(geo.lng)}`;
  const [text, setText] = useState(before);
  const [problem, setProblem] = useState<string | null>(null);
  const save = () => {
    const [lat = '', lng = ''] = text.split(/,\s*|\s+/);
    const form = formOf(monitor);
    const read = readForm(
      field === 'callback' ? { ...form, target: 'address', address: text } : { ...form, target: 'keep', lat, lng },
    );
    if (!read.ok) {
      setProblem(Object.values(read.problems).join(' '));
      return;
    }
    const changes = changesOf(monitor, read.value);
    if (Object.keys(changes).length > 0) void updateInPlace(monitor, changes);
    onDone();
  };
  // Nothing that was typed is sent, or lost, by a click elsewhere.
  const leave = () => {
    if (text === before) onDone();
    else setProblem('Not saved: press Enter to save or Esc to cancel.');
  };
  return (
    <TextInput
      size="xs"
      ref={focusOnce}
      aria-label={field === 'callback' ? `Callback URL for ${monitor.id}` : `Latitude, longitude for ${monitor.id}`}
      title={problem ?? 'Enter saves, Esc cancels'}
      classNames={{ input: 'rb-mono' }}
      value={text}
      error={problem}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={leave}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') save();
        if (event.key === 'Escape') onDone();
      }}
    />
  );
}
