// Prompts for what an action on many monitors needs, and previews its changes before anything is sent.
import { Button, TagsInput } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { AppMonitor, BulkTask, CallbackTarget } from '@rainbell/contract/app-rpc';
import type { Rain } from '@rainbell/contract/service-api';
import { useApp } from '../../../store/use-app.ts';
import { parseCallbackAddress } from '@rainbell/shared';
import { RowsTable } from '../../../ui/controls/RowsTable.tsx';
import { submitBy } from '../../../ui/hooks/submit-by.ts';
import { WeatherFields } from '../../../widgets/WeatherFields.tsx';
import { type BulkAction, bulkTitle, previewOf, rainTasks, tagTasks } from '../common/bulk-tasks.ts';
import { tagsOf } from '../common/monitor-form.ts';
import { CallbackFields } from '../form/CallbackFields.tsx';
import { FormButtons } from '../../../ui/dialogs/FormDialog.tsx';

type Props = { action: BulkAction; monitors: readonly AppMonitor[] };

const hints: Readonly<Record<BulkAction, string>> = {
  callback: 'You can undo this.',
  tags: 'Tags stay in this app. You can undo this.',
  pause: 'Paused monitors keep their IDs and cool-downs, and get no events. You can undo this.',
  resume: 'The next precipitation after the cool-down is an event. You can undo this.',
  test: 'You can’t undo this: each callback URL receives a test event.',
  rain: 'Minutes are by the sandbox’s clock. Undo ends the rain, but can’t recall callbacks that have already been sent.',
};

export function BulkForm({ action, monitors }: Readonly<Props>) {
  const { openDialog, runBulk, items } = useApp((state) => state.monitors);
  const [kind, setKind] = useState<CallbackTarget['kind']>('this-app');
  const [address, setAddress] = useState('');
  const [added, setAdded] = useState<string[]>([]);
  const [removed, setRemoved] = useState<string[]>([]);
  const [rain, setRain] = useState<Rain>({});
  const [isShown, setShown] = useState(false);
  const isCallback = action === 'callback';
  const parsed = isCallback && kind === 'address' ? parseCallbackAddress(address) : null;
  const problem = parsed?.ok === false ? parsed.problem : null;
  const uri = parsed?.ok ? parsed.value : null;
  // Thousands of them, so not with each letter of another field.
  const preview = useMemo(
    () => (problem === null ? tasksOf(action, monitors, { uri, added, removed, rain }) : []),
    [problem, uri, action, monitors, added, removed, rain],
  );
  const title = bulkTitle(action, action === 'rain' ? monitors.length : preview.length);
  const submit = () => {
    setShown(true);
    if (preview.length === 0) return;
    openDialog(null);
    void runBulk(title, preview);
  };
  const known = useMemo(() => tagsOf(items), [items]);
  return (
    <form className="rb-stack" onSubmit={submitBy(submit)} noValidate>
      {isCallback && (
        <CallbackFields
          description="Each monitor has its own path"
          target={kind}
          address={address}
          problem={isShown ? problem : null}
          onTarget={setKind}
          onAddress={setAddress}
        />
      )}
      {action === 'tags' && (
        <>
          <TagsInput label="Add tags" data-autofocus data={known} value={added} onChange={setAdded} maxTags={30} />
          <TagsInput label="Remove tags" data={tagsOf(monitors)} value={removed} onChange={setRemoved} maxTags={30} />
        </>
      )}
      {action === 'rain' && <WeatherFields weather={rain} onChange={setRain} />}
      <BulkPreview monitors={monitors} tasks={preview} />
      <p className="rb-fill rb-note">{hints[action]}</p>
      <FormButtons>
        <Button variant="filled" type="submit" disabled={problem === null && preview.length === 0}>
          {title}
        </Button>
      </FormButtons>
    </form>
  );
}

/** `uri`: null for this app. */
type Typed = { uri: string | null; added: readonly string[]; removed: readonly string[]; rain: Rain };

function tasksOf(action: BulkAction, monitors: readonly AppMonitor[], typed: Typed): BulkTask[] {
  const { uri, added, removed, rain } = typed;
  const callback: CallbackTarget = uri === null ? { kind: 'this-app' } : { kind: 'address', uri };
  switch (action) {
    case 'callback':
      return monitors.map(({ id }) => ({ kind: 'callback', id, callback }));
    case 'tags':
      return tagTasks(monitors, added, removed);
    case 'test':
      return monitors.map(({ id }) => ({ kind: 'test', id }));
    case 'pause':
    case 'resume':
      return monitors.map(({ id }) => ({ kind: 'delivery', id, isOn: action === 'resume' }));
    case 'rain':
      return rainTasks(monitors, rain);
  }
}

type PreviewProps = { monitors: readonly AppMonitor[]; tasks: readonly BulkTask[] };

function BulkPreview({ monitors, tasks }: Readonly<PreviewProps>) {
  const lines = useMemo(() => previewOf(monitors, tasks), [monitors, tasks]);
  if (lines.length === 0) return null;
  const hasValues = lines.some(({ after }) => after !== '');
  return (
    <RowsTable label="Preview" heads={hasValues ? ['Monitor', 'Before', 'After'] : []} rows={lines} max={100}>
      {({ id, label, before, after }) => (
        <tr key={id}>
          <td>{label}</td>
          {hasValues && (
            <>
              <td className="rb-mono">{before}</td>
              <td className="rb-mono">{after}</td>
            </>
          )}
        </tr>
      )}
    </RowsTable>
  );
}
