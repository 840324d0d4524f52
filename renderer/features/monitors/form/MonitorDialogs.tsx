// The dialogs of a monitor: create (POST), and edit with Save (PATCH, changed fields only) and Replace (PUT, everything).
import { Button, Radio, TagsInput, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AppMonitor, MonitorNotes, Place } from '@rainbell/contract/app-rpc';
import type { LatLng } from '@rainbell/contract/service-api';
import { useShownPlace } from '../../forecast/selectors.ts';
import { useApp } from '../../../store/use-app.ts';
import { writeDegrees } from '@rainbell/shared';
import { FormDialog } from '../../../ui/dialogs/FormDialog.tsx';
import { FeatureParts } from '../../../widgets/FeatureParts.tsx';
import { PlaceSearch } from '../../../widgets/PlaceSearch.tsx';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import { useUnsaved } from '../../../ui/hooks/use-unsaved.ts';
import { changesOf, type FormProblems, formFor, formOf, type MonitorForm, readForm } from '../common/monitor-form.ts';
import { BulkForm } from '../bulk/BulkForm.tsx';
import { bulkTitle } from '../common/bulk-action.ts';
import { EditProblem } from './EditProblem.tsx';
import { EventFields } from './EventFields.tsx';
import { FormButtons } from './FormButtons.tsx';
import { RainForm } from './RainForm.tsx';
import { ImportForm } from '../bulk/ImportForm.tsx';
import type { MonitorDialog } from '../common/monitor-list-state.ts';
import classes from '../common/MonitorDialogs.module.css';

export function MonitorDialogs() {
  const dialog = useApp((state) => state.monitors.dialog);
  const openDialog = useApp((state) => state.monitors.openDialog);
  if (dialog === null) return null;
  return (
    <FormDialog
      title={titleOf(dialog)}
      size={dialog.kind === 'import' || dialog.kind === 'bulk' ? '760px' : 'lg'}
      onClose={() => openDialog(null)}
    >
      {dialog.kind === 'create' && <CreateForm />}
      {dialog.kind === 'edit' && <EditForm key={dialog.monitor.id} monitor={dialog.monitor} />}
      {dialog.kind === 'rain' && <RainForm monitor={dialog.monitor} />}
      {dialog.kind === 'import' && <ImportForm />}
      {dialog.kind === 'bulk' && <BulkForm action={dialog.action} monitors={dialog.monitors} />}
    </FormDialog>
  );
}

function titleOf(dialog: NonNullable<MonitorDialog>): string {
  switch (dialog.kind) {
    case 'create':
      return 'New monitor';
    case 'edit':
      return `Edit ${dialog.monitor.id}`;
    case 'import':
      return 'Import monitors';
    case 'rain':
      return `Make it rain near ${dialog.monitor.name || dialog.monitor.id}`;
    case 'bulk':
      return bulkTitle(dialog.action, dialog.monitors.length);
  }
}

function CreateForm() {
  const dialog = useApp((state) => state.monitors.dialog);
  const place = useShownPlace();
  const create = useApp((state) => state.monitors.create);
  const saving = useApp((state) => state.monitors.saving);
  const at = dialog?.kind === 'create' ? dialog.at : null;
  const [form, setForm] = useState(() => formFor(at ?? place));
  const [notes, setNotes] = useState<MonitorNotes>({ name: '', tags: [], note: '' });
  useUnsaved({ ...form, ...notes });
  const [problems, setProblems] = useState<FormProblems>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readForm(form);
    setProblems(read.ok ? {} : read.problems);
    if (!read.ok) return;
    const { callback, ...rest } = read.value;
    void create({ ...rest, callback: callback ?? { kind: 'this-app' }, notes });
  };
  return (
    <form onSubmit={submit} noValidate>
      <Fields form={form} problems={problems} onChange={setForm} place={at ? null : place} isKeepOffered={false} />
      <FeatureParts name="new monitor" place={placeOf(form)} options={form.options ?? {}} />
      <NotesFields notes={notes} onChange={setNotes} />
      <RequestNotice
        request={saving}
        failedTitle="Couldn’t create the monitor"
        loadingText="Creating the monitor"
        hasData
      />
      <FormButtons>
        <Button type="submit" loading={saving.state === 'loading'}>
          Create
        </Button>
      </FormButtons>
    </form>
  );
}

/** Null while the coordinates are not valid. */
function placeOf(form: MonitorForm): LatLng | null {
  const read = readForm({ ...form, target: 'this-app' });
  return read.ok ? read.value.geo : null;
}

/** Name, tags, and note, which only this app stores. */
function NotesFields({
  notes,
  onChange,
}: {
  readonly notes: MonitorNotes;
  readonly onChange: (notes: MonitorNotes) => void;
}) {
  const items = useApp((state) => state.monitors.items);
  return (
    <div className={`rb-stack ${classes.fields}`}>
      <TextInput
        label="Name"
        description="Name, tags, and note stay in this app"
        maxLength={200}
        value={notes.name}
        onChange={(event) => onChange({ ...notes, name: event.currentTarget.value })}
      />
      <TagsInput
        label="Tags"
        maxTags={30}
        data={[...new Set(items.flatMap(({ tags }) => tags))].slice(0, 200)}
        value={notes.tags}
        onChange={(tags) => onChange({ ...notes, tags: tags.map((tag) => tag.trim().slice(0, 60)) })}
      />
      <TextInput
        label="Note"
        maxLength={10_000}
        value={notes.note}
        onChange={(event) => onChange({ ...notes, note: event.currentTarget.value })}
      />
    </div>
  );
}

function EditForm({ monitor }: { readonly monitor: AppMonitor }) {
  const { update, replace, saving, openDialog } = useApp((state) => state.monitors);
  const [form, setForm] = useState(() => formOf(monitor));
  useUnsaved(form);
  const [problems, setProblems] = useState<FormProblems>({});
  const [isConfirming, setConfirming] = useState(false);
  const read = readForm(form);
  const changes = read.ok ? changesOf(monitor, read.value) : {};
  const names = Object.keys(changes).map((name) => (name === 'callback' ? 'callback_uri' : name));
  const onSave = (event: FormEvent) => {
    event.preventDefault();
    setProblems(read.ok ? {} : read.problems);
    if (read.ok && names.length > 0) void update(monitor, changes);
  };
  const onReplace = () => {
    setProblems(read.ok ? {} : read.problems);
    if (!read.ok) return;
    if (read.value.callback === null || (monitor.callbackUri === null && !isConfirming)) setConfirming(true);
    else void replace(monitor, { ...read.value, callback: read.value.callback });
  };
  const isBusy = saving.state === 'loading';
  return (
    <form onSubmit={onSave} noValidate>
      <Fields
        form={form}
        problems={problems}
        onChange={setForm}
        place={null}
        isKeepOffered={monitor.callbackUri === null}
      />
      {isConfirming && <ConfirmAddress isChosen={read.ok && read.value.callback !== null} />}
      <EditProblem
        monitor={monitor}
        draft={read.ok ? read.value : null}
        onWriteMine={(theirs, mine) => void update(theirs, mine)}
        onTakeTheirs={() => openDialog(null)}
      />
      <FormButtons>
        <span className="rb-fill rb-note" role="status">
          {names.length === 0 ? (
            'No changes'
          ) : (
            <>
              PATCH sends: <bdi translate="no">{names.join(', ')}</bdi>
            </>
          )}
        </span>
        <Button variant="default" disabled={isBusy} onClick={onReplace}>
          {isConfirming ? 'Replace anyway (PUT)' : 'Replace (PUT)'}
        </Button>
        <Button type="submit" loading={isBusy} disabled={read.ok && names.length === 0}>
          Save (PATCH)
        </Button>
      </FormButtons>
    </form>
  );
}

/** PUT writes the whole monitor, so an address that the service did not return would be lost. */
function ConfirmAddress({ isChosen }: { readonly isChosen: boolean }) {
  return (
    <div className="rb-notice rb-lined" data-tone="warn" role="alert">
      <strong>PUT would overwrite the callback URL</strong>
      <br />
      {isChosen
        ? 'The service didn’t return the current URL. Press “Replace anyway (PUT)” to overwrite it with the one above.'
        : 'The service didn’t return the current URL. Choose one above, then press “Replace anyway (PUT)”.'}
    </div>
  );
}

type FieldsProps = {
  form: MonitorForm;
  problems: FormProblems;
  onChange: (form: MonitorForm) => void;
  place: Place | null;
  isKeepOffered: boolean;
};

function Fields({ form, problems, onChange, place, isKeepOffered }: Readonly<FieldsProps>) {
  const [picked, setPicked] = useState<Place | null>(place);
  const change = (part: Partial<MonitorForm>) => onChange({ ...form, ...part });
  const pick = (chosen: Place) => {
    setPicked(chosen);
    change({ lat: writeDegrees(chosen.lat), lng: writeDegrees(chosen.lng) });
  };
  return (
    <div className={`rb-stack ${classes.fields}`}>
      <PlaceSearch
        field="monitor"
        label="Place"
        isLabelShown
        place={picked}
        onPick={pick}
        ref={beFirst}
        placeholder="Find a city, or type coordinates below"
      />
      <div className="rb-pair">
        <TextInput
          label="Latitude"
          inputMode="decimal"
          value={form.lat}
          error={problems.lat}
          onChange={(event) => change({ lat: event.currentTarget.value })}
        />
        <TextInput
          label="Longitude"
          inputMode="decimal"
          value={form.lng}
          error={problems.lng}
          onChange={(event) => change({ lng: event.currentTarget.value })}
        />
      </div>
      <Radio.Group
        label="Callback"
        value={form.target}
        onChange={(value) => change({ target: value as MonitorForm['target'] })}
      >
        <div className="rb-column">
          {isKeepOffered && <Radio value="keep" label="Keep the current URL (not returned by the service)" />}
          <Radio
            value="this-app"
            label="This app"
            description="This app’s receiver, with a separate path for this monitor"
          />
          <Radio value="address" label="Another URL" />
        </div>
      </Radio.Group>
      <EventFields options={form.options ?? {}} onChange={(options) => change({ options })} />
      {form.target === 'address' && (
        <TextInput
          label="Callback URL"
          type="url"
          placeholder="https://example.net/rain"
          value={form.address}
          error={problems.address}
          onChange={(event) => change({ address: event.currentTarget.value })}
        />
      )}
    </div>
  );
}

/** The dialog's focus goes to it rather than to Close. */
function beFirst(input: HTMLInputElement | null): void {
  if (input) input.dataset['autofocus'] = '';
}
