// The form of an own connection. A typed secret is sent to core on save and deleted here when the dialog closes.
import { Button, NativeSelect, PasswordInput, Switch, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ConnectionFields, SavedConnection } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { connectionColor, connectionColorNames } from '../../ui/controls/connection-color.ts';
import { FormButtons, FormDialog } from '../../ui/dialogs/FormDialog.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { boundFields } from '../../ui/hooks/bound-fields.ts';
import { submitBy } from '../../ui/hooks/submit-by.ts';
import { useUnsaved } from '../../ui/hooks/use-unsaved.ts';
import type { ConnectionEditor } from './connections-slice.ts';

type ConnectionForm = Omit<ConnectionFields, 'caPem' | 'proxyUrl'> & {
  caPem: string;
  proxyUrl: string;
  /** Empty keeps the one that is saved. */
  clientSecret: string;
};
type FormField = keyof ConnectionForm;
type FormProblems = Partial<Record<FormField, string>>;

const emptyForm: ConnectionForm = {
  name: '',
  color: 'blue',
  baseUrl: '',
  authUrl: '',
  clientId: '',
  isPublic: false,
  redirectUri: '',
  scope: 'post_metag',
  caPem: '',
  proxyUrl: '',
  clientSecret: '',
};

export function ConnectionDialog() {
  const { editor, openEditor } = useApp((state) => state.connections);
  if (editor === null) return null;
  const title = editor.kind === 'create' ? 'New connection' : `Edit ${editor.connection.name}`;
  return (
    <FormDialog title={title} size="lg" onClose={() => openEditor(null)}>
      <EditorForm editor={editor} />
    </FormDialog>
  );
}

function EditorForm({ editor }: { readonly editor: NonNullable<ConnectionEditor> }) {
  const { create, update, saving } = useApp((state) => state.connections);
  const [form, setForm] = useState<ConnectionForm>(() =>
    editor.kind === 'create'
      ? { ...emptyForm, baseUrl: editor.baseUrl ?? '', clientId: editor.clientId ?? '' }
      : formOf(editor.connection),
  );
  const [isNetworkOpen, setNetworkOpen] = useState([form.caPem, form.proxyUrl].some(Boolean));
  useUnsaved(form);
  const hasSecret = editor.kind === 'edit' && editor.connection.hasSecret;
  const save = async () => {
    if (editor.kind === 'create') await create(fieldsOf(form), form.isPublic ? null : form.clientSecret);
    else await update(editor.connection.id, fieldsOf(form), secretChange(form, hasSecret));
  };
  const refused = saving.state === 'failed' ? saving.failure : null;
  const problems: FormProblems = refused
    ? { [refused.details.field ?? '']: refused.message, ...refused.details.problems }
    : {};
  const { text, checked } = boundFields(form, setForm, problems);
  const field = (name: Exclude<FormField, 'isPublic' | 'color'>) => ({
    ...text(name),
    autoComplete: 'off',
  });
  return (
    <form className="rb-stack" noValidate onSubmit={submitBy(save)}>
      <div className="rb-pair">
        <TextInput label="Name" data-autofocus {...text('name')} />
        <NativeSelect
          label="Color"
          data={Object.entries(connectionColorNames).map(([value, label]) => ({ value, label }))}
          leftSection={<span className="rb-swatch" style={{ background: connectionColor(form.color) }} />}
          {...text('color')}
        />
      </div>
      <div className="rb-pair">
        <TextInput
          label="Base URL"
          description="Used for the API and the token endpoint"
          placeholder="https://api.example.com"
          {...field('baseUrl')}
        />
        <TextInput
          label="Sign-in URL"
          description="Needed only for user sign-in"
          placeholder="https://login.example.com"
          {...field('authUrl')}
        />
      </div>
      <Switch label="Public client (no secret)" {...checked('isPublic')} />
      <div className="rb-pair">
        <TextInput label="Client ID" {...field('clientId')} />
        {!form.isPublic && (
          <PasswordInput
            label="Client secret"
            placeholder={hasSecret ? 'Saved. Type to replace it.' : ''}
            {...field('clientSecret')}
            autoComplete="new-password"
          />
        )}
      </div>
      <div className="rb-pair">
        <TextInput
          label="Redirect URL"
          description="As registered. Leave empty if users don’t sign in."
          placeholder="http://127.0.0.1:8490/callback"
          {...field('redirectUri')}
        />
        <TextInput label="Scope" description="Separate scopes with spaces" {...field('scope')} />
      </div>
      <details
        className="rb-fold"
        open={isNetworkOpen || [problems.caPem, problems.proxyUrl].some(Boolean)}
        onToggle={(event) => setNetworkOpen(event.currentTarget.open)}
      >
        <summary className="rb-strong">Network: certificates and proxy</summary>
        <div className="rb-stack">
          <p className="rb-dim">
            These settings apply to everything the app and the command line send for this connection: sign-in, tokens,
            API requests, and callbacks replayed or forwarded to other computers. They don’t apply to the service’s
            callbacks or to sign-ins in your browser.
          </p>
          <TextInput label="Proxy" placeholder="http://proxy.example.com:3128" {...field('proxyUrl')} />
          <Textarea
            label="Additional trusted certificates (PEM)"
            placeholder="-----BEGIN CERTIFICATE-----"
            rows={4}
            {...field('caPem')}
          />
        </div>
      </details>
      <RequestNotice request={saving} failedTitle="Couldn’t save the connection" loadingText="Saving the connection" />
      <FormButtons>
        <Button variant="filled" type="submit" loading={saving.state === 'loading'}>
          {editor.kind === 'create' ? 'Create' : 'Save'}
        </Button>
      </FormButtons>
    </form>
  );
}

function formOf({ id: _id, kind: _kind, hasSecret: _has, ...fields }: SavedConnection): ConnectionForm {
  return { ...fields, caPem: fields.caPem ?? '', proxyUrl: fields.proxyUrl ?? '', clientSecret: '' };
}

function fieldsOf(form: ConnectionForm): ConnectionFields {
  const { clientSecret: _secret, ...fields } = form;
  return { ...fields, caPem: form.caPem.trim() || null, proxyUrl: form.proxyUrl.trim() || null };
}

/** Null deletes the secret, which a public client doesn't need; undefined keeps it. Core refuses an empty one. */
function secretChange({ isPublic, clientSecret }: ConnectionForm, hasSecret: boolean): string | null | undefined {
  if (isPublic) return hasSecret ? null : undefined;
  return clientSecret === '' && hasSecret ? undefined : clientSecret;
}
