// Prompts for what an action on many monitors needs, and previews its changes before anything is sent.
import { Button, Radio, TagsInput, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useMemo, useState } from 'react';
import type { AppMonitor, BulkTask, CallbackTarget } from '@rainbell/contract/app-rpc';
import type { Rain } from '@rainbell/contract/service-api';
import { useApp } from '../../../store/use-app.ts';
import { parseCallbackAddress } from '@rainbell/shared';
import { WeatherFields } from '../../../widgets/WeatherFields.tsx';
import { type BulkAction, bulkTitle } from '../common/bulk-action.ts';
import {
  callbackTasks,
  deliveryTasks,
  duplicateTasks,
  moveTasks,
  notesTasks,
  previewOf,
  testTasks,
} from '../common/bulk-tasks.ts';
import { tagsOf } from '../common/monitor-form.ts';
import classes from '../common/MonitorDialogs.module.css';
import { FormButtons } from '../form/FormButtons.tsx';
import { rainTasks } from './rain-tasks.ts';
import { ScrollRegion } from '../../../ui/controls/ScrollRegion.tsx';
import screen from '../common/MonitorsScreen.module.css';

type Props = { action: BulkAction; monitors: readonly AppMonitor[] };

const hints: Readonly<Record<BulkAction, string>> = {
  callback: 'You can undo this.',
  move: 'You can undo this.',
  duplicate: 'The copies get new IDs. To undo this, delete the copies.',
  tags: 'Tags stay in this app. You can undo this.',
  note: 'Notes stay in this app. You can undo this.',
  pause: 'Paused monitors keep their IDs and cool-downs, and get no events. You can undo this.',
  resume: 'The next precipitation after the cool-down is an event. You can undo this.',
  test: 'You can’t undo this: each callback URL receives a test event.',
  rain: 'Minutes are by the sandbox’s clock. Undo ends the rain, but can’t recall callbacks that have already been sent.',
};

export function BulkForm({ action, monitors }: Readonly<Props>) {
  const { openDialog, runBulk, items } = useApp((state) => state.monitors);
  const [kind, setKind] = useState<CallbackTarget['kind']>('this-app');
  const [address, setAddress] = useState('');
  const [north, setNorth] = useState(action === 'duplicate' ? '0.01' : '0');
  const [east, setEast] = useState('0');
  const [added, setAdded] = useState<string[]>([]);
  const [removed, setRemoved] = useState<string[]>([]);
  const [note, setNote] = useState('');
  const [rain, setRain] = useState<Rain>({});
  const [isShown, setShown] = useState(false);
  const parsed = kind === 'address' ? parseCallbackAddress(address) : null;
  const by = { lat: degrees(north), lng: degrees(east) };
  const needsAddress =
    action === 'callback' || (action === 'duplicate' && monitors.some((one) => one.callbackUri === null));
  const isOffset = action === 'move' || action === 'duplicate';
  const problems = {
    address: needsAddress && parsed?.ok === false ? parsed.problem : null,
    north: isOffset && by.lat === null ? 'Enter degrees from −360 to 360.' : null,
    east: isOffset && by.lng === null ? 'Enter degrees from −360 to 360.' : null,
    nothing: action === 'move' && by.lat === 0 && by.lng === 0 ? 'Enter a distance other than 0.' : null,
  };
  const isValid = Object.values(problems).every((problem) => problem === null);
  const uri = parsed?.ok ? parsed.value : null;
  const [byLat, byLng] = [by.lat ?? 0, by.lng ?? 0];
  // Thousands of them, so not with each letter of another field.
  const preview = useMemo(
    () =>
      isValid ? tasksOf(action, monitors, { uri, offset: { lat: byLat, lng: byLng }, added, removed, note, rain }) : [],
    [isValid, uri, byLat, byLng, action, monitors, added, removed, note, rain],
  );
  const title = bulkTitle(action, action === 'rain' ? monitors.length : preview.length);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setShown(true);
    if (!isValid || preview.length === 0) return;
    openDialog(null);
    void runBulk(title, preview);
  };
  const known = useMemo(() => tagsOf(items), [items]);
  return (
    <form onSubmit={submit} noValidate>
      <div className={`rb-stack ${classes.fields}`}>
        {isOffset && (
          <div className="rb-pair">
            <TextInput
              label="Degrees north"
              data-autofocus
              description="South is negative"
              value={north}
              error={isShown && (problems.north ?? problems.nothing)}
              onChange={(event) => setNorth(event.currentTarget.value)}
            />
            <TextInput
              label="Degrees east"
              description="West is negative"
              value={east}
              error={isShown && problems.east}
              onChange={(event) => setEast(event.currentTarget.value)}
            />
          </div>
        )}
        {needsAddress && (
          <Radio.Group
            label={action === 'callback' ? 'Callback URL' : 'Callback URL for copies of monitors without one'}
            value={kind}
            onChange={(value) => setKind(value as CallbackTarget['kind'])}
          >
            <div className="rb-column">
              <Radio value="this-app" label="This app" description="Each monitor has its own path" data-autofocus />
              <Radio value="address" label="Another URL" />
            </div>
          </Radio.Group>
        )}
        {needsAddress && kind === 'address' && (
          <TextInput
            label="Callback URL"
            type="url"
            placeholder="https://example.net/rain"
            value={address}
            error={isShown && problems.address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        )}
        {action === 'tags' && (
          <>
            <TagsInput label="Add tags" data-autofocus data={known} value={added} onChange={setAdded} maxTags={30} />
            <TagsInput label="Remove tags" data={tagsOf(monitors)} value={removed} onChange={setRemoved} maxTags={30} />
          </>
        )}
        {action === 'rain' && <WeatherFields weather={rain} onChange={setRain} />}
        {action === 'note' && (
          <Textarea
            label="Note"
            description="Replaces the notes for these monitors"
            data-autofocus
            autosize
            minRows={2}
            maxLength={10_000}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
        )}
      </div>
      <BulkPreview monitors={monitors} tasks={preview} />
      <p className="rb-fill rb-note">{hints[action]}</p>
      <FormButtons>
        <Button type="submit" disabled={isValid && preview.length === 0}>
          {title}
        </Button>
      </FormButtons>
    </form>
  );
}

function degrees(text: string): number | null {
  const plain = text.trim().replace('−', '-').replace(',', '.');
  return /^[+-]?\d+(\.\d+)?$/.test(plain) && Math.abs(Number(plain)) <= 360 ? Number(plain) : null;
}

type Typed = {
  /** Null: this app. */
  uri: string | null;
  offset: { lat: number; lng: number };
  added: readonly string[];
  removed: readonly string[];
  note: string;
  rain: Rain;
};

function tasksOf(action: BulkAction, monitors: readonly AppMonitor[], typed: Typed): BulkTask[] {
  const { uri, offset, added, removed, note, rain } = typed;
  const callback: CallbackTarget = uri === null ? { kind: 'this-app' } : { kind: 'address', uri };
  switch (action) {
    case 'callback':
      return callbackTasks(monitors, callback);
    case 'move':
      return moveTasks(monitors, offset);
    case 'duplicate':
      return duplicateTasks(monitors, offset, callback);
    case 'tags':
      return notesTasks(monitors, { addTags: added, removeTags: removed });
    case 'note':
      return notesTasks(monitors, { note });
    case 'test':
      return testTasks(monitors);
    case 'pause':
    case 'resume':
      return deliveryTasks(monitors, action === 'resume');
    case 'rain':
      return rainTasks(monitors, rain);
  }
}

const shownLines = 100;

type PreviewProps = { monitors: readonly AppMonitor[]; tasks: readonly BulkTask[] };

/** What the action would change, monitor by monitor. */
function BulkPreview({ monitors, tasks }: Readonly<PreviewProps>) {
  if (tasks.length === 0) return null;
  const lines = previewOf(monitors, tasks.slice(0, shownLines));
  const hasValues = lines.some(({ after }) => after !== '');
  return (
    <ScrollRegion label="Preview" className={screen.plannedFrame ?? ''}>
      <table className="rb-table rb-small">
        {hasValues && (
          <thead>
            <tr>
              <th scope="col">Monitor</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
        )}
        <tbody>
          {lines.map(({ id, label, before, after }) => (
            <tr key={id}>
              <td>{label}</td>
              {hasValues && (
                <>
                  <td className="rb-mono">{before}</td>
                  <td className="rb-mono">{after}</td>
                </>
              )}
            </tr>
          ))}
        </tbody>
      </table>
      {tasks.length > shownLines && <p>{`And ${(tasks.length - shownLines).toLocaleString('en')} more`}</p>}
    </ScrollRegion>
  );
}
