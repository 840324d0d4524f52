// The selected monitor's fields in the panel, with Save (PATCH, changed fields only), Replace (PUT, everything) and Duplicate.
// What is typed stays while the list is read again, and while other details are open; a change made elsewhere shows at once if
// nothing was typed.
import { Button, Textarea } from '@mantine/core';
import { TaskButton } from '../../../ui/controls/TaskButton.tsx';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { AppMonitor } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { ConfirmDialog } from '../../../ui/dialogs/ConfirmDialog.tsx';
import { EventFields } from './EventFields.tsx';
import { PlaceFields } from './PlaceFields.tsx';
import { changesOf, type FormProblems, type MonitorForm as Form, readForm } from '../common/monitor-form.ts';
import type { MonitorDraft } from '../common/monitor-list-slice.ts';
import { shownFields } from '../common/unsaved-slice.ts';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';

export function MonitorForm({ monitor }: { readonly monitor: AppMonitor }) {
  const { update, replace, duplicate, saving, dialog, openDialog, isEditRequested, requestEdit } = useApp(
    (state) => state.monitors,
  );
  const setUnsavedFields = useApp((state) => state.monitors.setUnsavedFields);
  const unsaved = useApp((state) => state.monitors.unsavedFields.get(monitor.id));
  const formRef = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (!isEditRequested) return;
    formRef.current?.querySelector<HTMLElement>('input, textarea')?.focus();
    requestEdit(false);
  }, [isEditRequested, requestEdit]);
  const { start, form } = shownFields(monitor, unsaved);
  const [problems, setProblems] = useState<FormProblems>({});
  const [confirming, setConfirming] = useState<MonitorDraft | null>(null);
  const read = readForm(form);
  const changes = read.ok ? changesOf(start, read.value) : {};
  const names = Object.keys(changes).map((name) => (name === 'callback' ? 'callback_uri' : name));
  const change = (part: Partial<Form>) => setUnsavedFields(monitor.id, { start, form: { ...form, ...part } });
  /** `base`: what the user saw when the edit began, or another user's change that this one overwrites. */
  const save = (base: AppMonitor) => {
    setProblems(read.ok ? {} : read.problems);
    if (read.ok) void update(base, changesOf(base, read.value), form);
  };
  const onSave = (event: FormEvent) => {
    event.preventDefault();
    save(start);
  };
  /** Both write the whole monitor, so an address that the service did not return has to be typed. */
  const withEverything = (send: (draft: MonitorDraft) => Promise<unknown>) => async () => {
    const whole = readForm({ ...form, target: 'address' });
    setProblems(whole.ok ? {} : whole.problems);
    if (!whole.ok || !whole.value.callback) return;
    const { options: own, ...draft } = { ...whole.value, callback: whole.value.callback };
    // Events that someone else changed meanwhile, and this user did not, stay as they are.
    const options = 'options' in changes ? own : monitor.options;
    await send(options ? { ...draft, options } : draft);
  };
  const onReplace = withEverything(async (draft) => {
    if (start.callbackUri === null) setConfirming(draft);
    else await replace(start, draft, form);
  });
  const onTakeTheirs = () => {
    setUnsavedFields(monitor.id, null);
    openDialog(null);
  };
  const isBusy = saving.state === 'loading' && dialog === null;
  return (
    <form ref={formRef} onSubmit={onSave} noValidate className="rb-stack">
      <Fields form={form} problems={problems} isHidden={start.callbackUri === null} onChange={change} />
      {dialog === null && <EditProblem monitor={start} onWriteMine={save} onTakeTheirs={onTakeTheirs} />}
      <div className="rb-row rb-wrap">
        <Button type="submit" size="xs" loading={isBusy} disabled={read.ok && names.length === 0}>
          Save (PATCH)
        </Button>
        <TaskButton variant="default" size="xs" disabled={isBusy} task={onReplace}>
          Replace (PUT)
        </TaskButton>
        <TaskButton variant="subtle" size="xs" disabled={isBusy} task={withEverything(duplicate)}>
          Duplicate
        </TaskButton>
        <span className="rb-note" role="status">
          {names.length > 0 && (
            <>
              PATCH sends: <bdi translate="no">{names.join(', ')}</bdi>
            </>
          )}
        </span>
      </div>
      <ConfirmDialog
        isOpen={confirming !== null}
        title="Overwrite the callback URL?"
        confirmLabel="Replace anyway (PUT)"
        onCancel={() => setConfirming(null)}
        onConfirm={() => {
          if (confirming) void replace(start, confirming, form);
          setConfirming(null);
        }}
      >
        {`The service didn’t return the current callback URL for ${monitor.id}. PUT replaces it with the one entered here.`}
      </ConfirmDialog>
    </form>
  );
}

type FieldsProps = { form: Form; problems: FormProblems; isHidden: boolean; onChange: (part: Partial<Form>) => void };

/** The address wraps, so that a long path can be read whole. */
function Fields({ form, problems, isHidden, onChange }: Readonly<FieldsProps>) {
  return (
    <>
      <Textarea
        label="Callback URL"
        autosize
        minRows={1}
        maxRows={6}
        inputMode="url"
        classNames={{ input: `rb-mono rb-small rb-break` }}
        placeholder={isHidden ? '(not returned by the service)' : 'https://example.net/rain'}
        value={form.address}
        error={problems.address}
        onChange={({ currentTarget: { value } }) => {
          const address = value.replaceAll(/[\r\n]+/g, '');
          onChange({ address, target: address === '' && isHidden ? 'keep' : 'address' });
        }}
      />
      <PlaceFields form={form} problems={problems} onChange={onChange} />
      <EventFields options={form.options ?? {}} onChange={(options) => onChange({ options })} />
    </>
  );
}

type Conflict = { field: string; mine: string; theirs: string };

type ProblemProps = {
  monitor: AppMonitor;
  onWriteMine: (theirs: AppMonitor) => void;
  onTakeTheirs: () => void;
};

/** The progress of an edit, and why it was not saved. If the monitor was changed elsewhere in the meantime: mine and theirs by field, and the
 * choice. */
function EditProblem({ monitor, onWriteMine, onTakeTheirs }: Readonly<ProblemProps>) {
  const saving = useApp((state) => state.monitors.saving);
  const conflicts = saving.state === 'failed' && saving.failure.code === 'CONFLICT' && saving.failure.details.conflicts;
  if (!conflicts) {
    return (
      <RequestNotice
        request={saving}
        failedTitle="Couldn’t save the monitor"
        loadingText="Saving the monitor"
        hasData
      />
    );
  }
  return (
    <div className="rb-notice rb-lined" data-tone="warn" role="alert">
      <strong>This monitor was changed elsewhere</strong>
      <table className="rb-table rb-small">
        {conflicts.map(({ field, ...values }) => (
          <tbody key={field}>
            <tr>
              <th scope="rowgroup" colSpan={2} translate="no">
                {field}
              </th>
            </tr>
            {(['mine', 'theirs'] as const).map((whose) => (
              <tr key={whose}>
                <th scope="row">{whose === 'mine' ? <>mine</> : <>theirs</>}</th>
                <td className="rb-mono">{values[whose]}</td>
              </tr>
            ))}
          </tbody>
        ))}
      </table>
      <div className="rb-row rb-wrap">
        <Button size="xs" onClick={() => onWriteMine(withTheirs(monitor, conflicts))}>
          Overwrite with my changes
        </Button>
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          Discard my changes
        </Button>
      </div>
    </div>
  );
}

/** Theirs as shown, so that a still newer change is a conflict again. */
function withTheirs(monitor: AppMonitor, conflicts: readonly Conflict[]): AppMonitor {
  const theirs = new Map(conflicts.map((conflict) => [conflict.field, conflict.theirs]));
  const [lat, lng] = (theirs.get('geo') ?? '').split(', ').map(Number);
  return {
    ...monitor,
    callbackUri: theirs.get('callback_uri') ?? monitor.callbackUri,
    geo: lat === undefined || lng === undefined ? monitor.geo : { lat, lng },
  };
}
