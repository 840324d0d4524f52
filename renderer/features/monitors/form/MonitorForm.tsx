// The selected monitor's fields in the panel, with Save (PATCH, changed fields only) and Replace (PUT, everything), and its notes.
// What is typed stays while the list is read again, and while other details are open; the other fields show what the monitor has.
import { Button, Textarea } from '@mantine/core';
import { TaskButton } from '../../../ui/controls/TaskButton.tsx';
import { useState } from 'react';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { submitBy } from '../../../ui/hooks/submit-by.ts';
import { EventFields } from './EventFields.tsx';
import { NotesFields } from './NotesFields.tsx';
import { PlaceFields } from './PlaceFields.tsx';
import { changesOf, type FormProblems, readForm } from '../common/monitor-form.ts';
import type { MonitorDraft } from '../common/monitor-list-slice.ts';
import { shownForm, type TypedFields } from '../common/edits-slice.ts';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';

export function MonitorForm({ monitor }: { readonly monitor: AppMonitor }) {
  const { update, replace, saving, dialog, typeFields, unsavedFields } = useApp((state) => state.monitors);
  const { notes: _notes, ...typed } = unsavedFields.get(monitor.id) ?? {};
  const form = shownForm(monitor, typed);
  const [problems, setProblems] = useState<FormProblems>({});
  const [confirming, setConfirming] = useState<MonitorDraft | null>(null);
  const read = readForm(form);
  const changes = read.ok ? changesOf(monitor, read.value) : {};
  const names = Object.keys(changes).map((name) => (name === 'callback' ? 'callback_uri' : name));
  const change = (part: TypedFields) => typeFields(monitor, part);
  const save = async () => {
    setProblems(read.ok ? {} : read.problems);
    if (read.ok) await update(monitor.id, changes, typed);
  };
  /** It writes the whole monitor, so an address that the service did not return has to be typed. */
  const onReplace = async () => {
    const whole = readForm({ ...form, target: 'address' });
    setProblems(whole.ok ? {} : whole.problems);
    if (!whole.ok || !whole.value.callback) return;
    const draft = { ...whole.value, callback: whole.value.callback };
    if (monitor.callbackUri === null) setConfirming(draft);
    else await replace(monitor.id, draft, typed);
  };
  const isBusy = saving.state === 'loading' && dialog === null;
  return (
    <form onSubmit={submitBy(save)} noValidate className="rb-stack">
      {/* It wraps, so that a long path can be read whole. */}
      <Textarea
        label="Callback URL"
        autosize
        minRows={1}
        maxRows={6}
        inputMode="url"
        classNames={{ input: 'rb-mono rb-small rb-break' }}
        placeholder={monitor.callbackUri === null ? '(not returned by the service)' : 'https://example.net/rain'}
        value={form.address}
        error={problems.address}
        onChange={({ currentTarget: { value } }) => change({ address: value.replaceAll(/[\r\n]+/g, '') })}
      />
      <PlaceFields form={form} problems={problems} onChange={change} />
      <EventFields options={form.options ?? {}} onChange={(options) => change({ options })} />
      {dialog === null && (
        <RequestNotice
          request={saving}
          failedTitle="Couldn’t save the monitor"
          loadingText="Saving the monitor"
          hasData
        />
      )}
      <div className="rb-row rb-wrap">
        <Button variant="filled" type="submit" loading={isBusy} disabled={read.ok && names.length === 0}>
          Save (PATCH)
        </Button>
        <TaskButton disabled={isBusy} task={onReplace}>
          Replace (PUT)
        </TaskButton>
        <span className="rb-note" role="status">
          {names.length > 0 && (
            <>
              PATCH sends: <bdi translate="no">{names.join(', ')}</bdi>
            </>
          )}
        </span>
      </div>
      {confirming && (
        <ConfirmDialog
          title="Overwrite the callback URL?"
          confirmLabel="Replace anyway (PUT)"
          onClose={() => setConfirming(null)}
          onConfirm={() => void replace(monitor.id, confirming, typed)}
        >
          {`The service didn’t return the current callback URL for ${monitor.id}. PUT replaces it with the one entered here.`}
        </ConfirmDialog>
      )}
    </form>
  );
}

/** Name, tags, and note of the selected monitor. The service does not get them. */
export function MonitorNotes({ monitor }: { readonly monitor: AppMonitor }) {
  const { setNotes, typeFields, unsavedFields } = useApp((state) => state.monitors);
  const { id } = monitor;
  const typed = unsavedFields.get(id);
  const { notes } = shownForm(monitor, typed);
  return (
    <form className="rb-stack" onSubmit={submitBy(() => setNotes(id, { ...notes, name: notes.name.trim() }))}>
      <h3 className="rb-eyebrow rb-part">Notes</h3>
      <NotesFields notes={notes} onChange={(changed) => typeFields(monitor, { notes: changed })} />
      <div className="rb-row rb-wrap">
        <Button type="submit" disabled={typed?.notes === undefined}>
          Save notes
        </Button>
      </div>
    </form>
  );
}
