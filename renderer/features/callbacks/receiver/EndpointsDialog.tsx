// The receiver's paths under names of their own, each with what it keeps; a click shows its callbacks.
import { ActionIcon, Button, NumberInput, TextInput } from '@mantine/core';
import { IconSearch, IconTrash } from '@tabler/icons-react';
import { useEffect } from 'react';
import { type Endpoint, endpointSchema, type EndpointState } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { FormDialog } from '../../../ui/dialogs/FormDialog.tsx';
import { formatSize } from '../../../ui/text/durations.ts';
import { EditedRowsForm } from '../../../widgets/EditedRowsForm.tsx';
import { focusOnce } from '../../../ui/hooks/focus-once.ts';
import { freshRowId } from '../../../ui/hooks/fresh-row-id.ts';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import { useEditedRows } from '../../../ui/hooks/use-edited-rows.ts';
import { useFormClose } from '../../../ui/hooks/use-unsaved.ts';
import classes from '../common/Dialogs.module.css';

export function EndpointsDialog({ onClose }: { readonly onClose: () => void }) {
  const { endpoints, endpointsRequest, loadEndpoints } = useApp((state) => state.callbackEndpoints);
  useEffect(() => void loadEndpoints(), [loadEndpoints]);
  return (
    <FormDialog title="Receiver paths" size="xl" onClose={onClose}>
      <p className={`rb-dim ${classes.words}`}>
        The receiver accepts every path. Name a path to find its callbacks or to keep fewer of them than the limits in
        Settings allow.
      </p>
      {endpoints ? (
        <EndpointsForm endpoints={endpoints} onClose={onClose} />
      ) : (
        <RequestNotice
          request={endpointsRequest}
          failedTitle="Couldn’t load the paths"
          loadingText="Loading paths"
          onRetry={() => void loadEndpoints()}
        />
      )}
    </FormDialog>
  );
}

type FormProps = { endpoints: readonly EndpointState[]; onClose: () => void };

function EndpointsForm({ endpoints, onClose }: Readonly<FormProps>) {
  const { replaceEndpoints, endpointsRequest, unnamedPaths } = useApp((state) => state.callbackEndpoints);
  const { rows, fields, addButton, addedId, areProblemsShown, ...edit } = useEditedRows<Endpoint>(endpoints);
  const add = (path: string) => edit.add({ ...emptyEndpoint, id: freshRowId('path', rows), path });
  const save = async () => {
    edit.showProblems();
    if (rows.some((row) => Object.keys(problemsOf(row)).length > 0)) return;
    if (await replaceEndpoints(rows.map((row) => endpointSchema.parse(row)))) onClose();
  };
  const taken = new Set(rows.map(({ path }) => path));
  const offered = unnamedPaths.filter((path) => !taken.has(path)).slice(0, 6);
  return (
    <EditedRowsForm
      fields={fields}
      addButton={addButton}
      addLabel="Add a path"
      saving={endpointsRequest}
      failedTitle="Couldn’t save the paths"
      onAdd={() => add('/')}
      onSave={() => void save()}
      onCancel={onClose}
    >
      {rows.map((row) => (
        <EndpointCard
          key={row.id}
          row={row}
          state={endpoints.find(({ id }) => id === row.id)}
          problems={areProblemsShown ? problemsOf(row) : {}}
          isAdded={row.id === addedId}
          onChange={edit.change}
          onRemove={() => edit.remove(row.id)}
        />
      ))}
      {offered.length > 0 && (
        <div className="rb-buttons">
          <span className={`rb-dim ${classes.words}`}>Not named yet:</span>
          {offered.map((path) => (
            <Button
              key={path}
              data-autofocus
              size="compact-sm"
              variant="light"
              title={path}
              classNames={{ label: 'rb-truncate' }}
              onClick={() => add(path)}
            >
              {path}
            </Button>
          ))}
          <span className="rb-fill" />
        </div>
      )}
    </EditedRowsForm>
  );
}

type CardProps = {
  row: Endpoint;
  state: EndpointState | undefined;
  problems: { name?: string; path?: string };
  /** Just now, by hand: its first field has the focus. */
  isAdded: boolean;
  onChange: (row: Endpoint) => void;
  onRemove: () => void;
};

function EndpointCard({ row, state, problems, isAdded, onChange, onRemove }: Readonly<CardProps>) {
  const search = useApp((app) => app.callbackSearch.search);
  const close = useFormClose();
  const limit = (field: 'keptCallbacks' | 'keptDays' | 'keptMegabytes', label: string, max: number) => (
    <NumberInput
      label={label}
      placeholder="no separate limit"
      min={1}
      max={max}
      allowDecimal={false}
      value={row[field] ?? ''}
      onChange={(value) => onChange({ ...row, [field]: typeof value === 'number' ? value : null })}
    />
  );
  return (
    <fieldset className={`rb-box ${classes.card}`} aria-label={row.name === '' ? 'New path' : row.name}>
      <TextInput
        label="Name"
        data-autofocus
        ref={isAdded ? focusOnce : null}
        value={row.name}
        error={problems.name}
        onChange={(event) => onChange({ ...row, name: event.currentTarget.value })}
      />
      <TextInput
        label="Path"
        description="End a path with * to match any suffix. The first match applies."
        value={row.path}
        error={problems.path}
        onChange={(event) => onChange({ ...row, path: event.currentTarget.value })}
      />
      {limit('keptCallbacks', 'Callbacks to keep', 5_000_000)}
      {limit('keptDays', 'Days to keep', 3650)}
      {limit('keptMegabytes', 'Megabytes to keep', 100_000)}
      <div className="rb-buttons">
        {state && (
          <p className="rb-note">
            {state.total.toLocaleString('en')} stored · {formatSize(state.bytes)}
          </p>
        )}
        <span className="rb-fill" />
        <Button
          size="xs"
          variant="subtle"
          leftSection={<IconSearch size={15} />}
          onClick={() => {
            void search(`path:${row.path.replace(/\*$/, '')}`);
            close();
          }}
        >
          Show its callbacks
        </Button>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={row.name === '' ? 'Remove the path' : `Remove ${row.name}`}
          onClick={onRemove}
        >
          <IconTrash size={17} />
        </ActionIcon>
      </div>
    </fieldset>
  );
}

const emptyEndpoint = { name: '', keptCallbacks: null, keptDays: null, keptMegabytes: null };

function problemsOf(row: Endpoint): { name?: string; path?: string } {
  const checked = endpointSchema.safeParse(row);
  if (checked.success) return {};
  const fields = new Set(checked.error.issues.map(({ path }) => path[0]));
  return {
    ...(fields.has('name') ? { name: 'Enter a name of at most 100 characters.' } : {}),
    ...(fields.has('path') ? { path: 'Start with /. You can end with *.' } : {}),
  };
}
