// The form of a connection. Of the sandbox only name and colour can be changed; the rest follows from the service that came
// with the app. A typed secret goes to core with the save and is gone from here with the dialog.
import { Button, PasswordInput, Select, Switch, Textarea, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { type ConnectionColor, connectionColor, connectionColorNames } from '#renderer/ui/controls/connection-color.ts';
import { FormDialog } from '#renderer/ui/dialogs/FormDialog.tsx';
import { RequestNotice } from '#renderer/widgets/RequestNotice.tsx';
import { useUnsaved } from '#renderer/ui/hooks/use-unsaved.ts';
import {
  changesOf,
  type ConnectionForm,
  emptyForm,
  fieldsOf,
  type FormField,
  type FormProblems,
  formOf,
  problemsOf,
  secretChange,
} from './connection-form.ts';
import classes from './ConnectionDialog.module.css';
import type { ConnectionEditor } from './connections-slice.ts';

export function ConnectionDialog() {
  const editor = useApp((state) => state.connections.editor);
  const openEditor = useApp((state) => state.connections.openEditor);
  if (editor === null) return null;
  const title = editor.kind === 'create' ? 'New connection' : `Edit ${editor.connection.name}`;
  return (
    <FormDialog title={title} size="lg" onClose={() => openEditor(null)}>
      <EditorForm editor={editor} />
    </FormDialog>
  );
}

function EditorForm({ editor }: { readonly editor: NonNullable<ConnectionEditor> }) {
  const { create, update, saving, openEditor } = useApp((state) => state.connections);
  const [form, setForm] = useState<ConnectionForm>(() =>
    editor.kind === 'create' ? emptyForm : formOf(editor.connection),
  );
  useUnsaved(form);
  const [areProblemsShown, setProblemsShown] = useState(false);
  const isSandbox = editor.kind === 'edit' && editor.connection.kind === 'sandbox';
  const hasSecret = editor.kind === 'edit' && editor.connection.hasSecret;
  const problems = isSandbox ? nameProblem(form) : problemsOf(form, hasSecret);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    setProblemsShown(true);
    if (Object.keys(problems).length > 0) return;
    if (editor.kind === 'create') await create(fieldsOf(form), form.isPublic ? null : form.clientSecret);
    else {
      const changes = changesOf(editor.connection, form);
      await update(editor.connection.id, changes, isSandbox ? undefined : secretChange(form, hasSecret));
    }
  };
  const refused = saving.state === 'failed' ? saving.failure : null;
  const refusedField = refused?.details.field;
  const shown: FormProblems = {
    ...(refused && refusedField !== undefined ? { [refusedField]: refused.message } : {}),
    ...(areProblemsShown ? problems : {}),
  };
  const change = (part: Partial<ConnectionForm>) => setForm({ ...form, ...part });
  return (
    <form className={classes.form} noValidate onSubmit={(event) => void save(event)}>
      <NameAndColor form={form} problems={shown} onChange={change} />
      {isSandbox ? (
        <p className={classes.words}>
          Addresses, client and secret of the sandbox follow from the service on this machine. For another application
          of it, make a connection of your own.
        </p>
      ) : (
        <OwnFields form={form} problems={shown} hasSecret={hasSecret} onChange={change} />
      )}
      <RequestNotice request={saving} failedTitle="The connection was not saved" />
      <div className={classes.buttons}>
        <Button variant="subtle" onClick={() => openEditor(null)}>
          Cancel
        </Button>
        <Button type="submit" loading={saving.state === 'loading'}>
          {editor.kind === 'create' ? 'Create' : 'Save'}
        </Button>
      </div>
    </form>
  );
}

function nameProblem({ name }: ConnectionForm): FormProblems {
  return name.trim() === '' ? { name: 'Give the connection a name.' } : {};
}

type FieldsProps = {
  form: ConnectionForm;
  problems: FormProblems;
  onChange: (part: Partial<ConnectionForm>) => void;
};

function NameAndColor({ form, problems, onChange }: Readonly<FieldsProps>) {
  return (
    <div className={classes.pair}>
      <TextInput
        label="Name"
        data-autofocus
        value={form.name}
        error={problems.name}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <Select
        label="Color"
        data={Object.entries(connectionColorNames).map(([value, label]) => ({ value, label }))}
        leftSection={<span className={classes.swatch} style={{ background: connectionColor(form.color) }} />}
        value={form.color}
        allowDeselect={false}
        onChange={(color) => onChange({ color: (color ?? 'blue') as ConnectionColor })}
      />
    </div>
  );
}

type TextField = Exclude<FormField, 'isPublic' | 'color'>;

function OwnFields({ form, problems, hasSecret, onChange }: Readonly<FieldsProps & { hasSecret: boolean }>) {
  const field = (name: TextField) => ({
    value: form[name],
    error: problems[name],
    spellCheck: false,
    autoComplete: 'off',
    onChange: (event: { currentTarget: { value: string } }) => onChange({ [name]: event.currentTarget.value }),
  });
  return (
    <>
      <div className={classes.pair}>
        <TextInput
          label="Base address"
          description="Of the API and the token endpoint"
          placeholder="https://api.example.com"
          {...field('baseUrl')}
        />
        <TextInput
          label="Sign-in URL"
          description="Not needed without user sign-in"
          placeholder="https://login.example.com"
          {...field('authUrl')}
        />
      </div>
      <Switch
        label="Public client: it has no secret and sends none"
        checked={form.isPublic}
        onChange={(event) => onChange({ isPublic: event.currentTarget.checked })}
      />
      <div className={classes.pair}>
        <TextInput label="Client id" {...field('clientId')} />
        {!form.isPublic && (
          <PasswordInput
            label="Client secret"
            placeholder={hasSecret ? 'Kept; type to replace it' : ''}
            {...field('clientSecret')}
            autoComplete="new-password"
          />
        )}
      </div>
      <div className={classes.pair}>
        <TextInput
          label="Redirect address"
          description="As registered; empty where nobody signs in"
          placeholder="http://127.0.0.1:8490/callback"
          {...field('redirectUri')}
        />
        <TextInput label="Scope" description="Words with spaces between" {...field('scope')} />
      </div>
      <Network isOpen={[form.caPem, form.proxyUrl, problems.caPem, problems.proxyUrl].some(Boolean)} field={field} />
    </>
  );
}

type NetworkProps = { isOpen: boolean; field: (name: TextField) => object };

function Network({ isOpen, field }: Readonly<NetworkProps>) {
  return (
    <details className={classes.network} open={isOpen || undefined}>
      <summary>Network: certificates and proxy</summary>
      <div className={classes.form}>
        <p className={classes.words}>
          For everything the app and the command line send for this connection: sign-in, tokens, API requests, and
          callbacks sent again or forwarded to other machines. The service sends its own callbacks by its own settings,
          and your browser signs in by its own.
        </p>
        <TextInput label="Proxy" placeholder="http://proxy.example.com:3128" {...field('proxyUrl')} />
        <Textarea
          label="Certificates trusted besides the system’s (PEM)"
          placeholder="-----BEGIN CERTIFICATE-----"
          rows={4}
          {...field('caPem')}
        />
      </div>
    </details>
  );
}
