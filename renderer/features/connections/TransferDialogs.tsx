// The dialogs of export and import. An import shows what it would do before it does it; what cannot be taken says why.
import { Button, Checkbox, PasswordInput } from '@mantine/core';
import { TaskButton } from '#renderer/ui/controls/TaskButton.tsx';
import { type FormEvent, useState } from 'react';
import type { ImportedConnection, ImportPreview } from '#contract/app-rpc/connections.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { Dialog } from '#renderer/ui/dialogs/Dialog.tsx';
import { RequestNotice } from '#renderer/widgets/RequestNotice.tsx';
import classes from './TransferDialogs.module.css';

export function TransferDialogs() {
  const dialog = useApp((state) => state.transfer.dialog);
  const close = useApp((state) => state.transfer.close);
  if (dialog === null) return null;
  return (
    <Dialog title={dialog === 'export' ? 'Export connections' : 'Import connections'} size="lg" onClose={close}>
      {dialog === 'export' ? <ExportForm /> : <ImportForm />}
    </Dialog>
  );
}

const minPassphraseLength = 8;

function ExportForm() {
  const items = useApp((state) => state.connections.items);
  const own = items.filter(({ kind }) => kind === 'own');
  const { export: run, exporting, close } = useApp((state) => state.transfer);
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [withSecrets, setWithSecrets] = useState(false);
  const [passphrase, setPassphrase] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const chosen = own.filter(({ id }) => !left.has(id));
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const isShort = withSecrets && passphrase.length < minPassphraseLength;
    setProblem(isShort ? `Enter at least ${minPassphraseLength} characters; a few random words work well.` : null);
    if (isShort) return;
    setPassphrase('');
    void run(
      chosen.map(({ id }) => id),
      withSecrets ? passphrase : null,
    );
  };
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      <fieldset className={classes.list}>
        <legend>Connections to export</legend>
        {own.map(({ id, name, baseUrl }) => (
          <Checkbox
            key={id}
            label={name}
            description={baseUrl}
            checked={!left.has(id)}
            onChange={() => setLeft(toggled(left, id))}
          />
        ))}
      </fieldset>
      <p className={classes.words}>
        URLs, client IDs, and settings are exported in plain text. Client secrets are exported only if you include them;
        tokens and the sandbox are never exported.
      </p>
      <Checkbox
        label="Include client secrets, encrypted with a passphrase"
        checked={withSecrets}
        onChange={(event) => setWithSecrets(event.currentTarget.checked)}
      />
      {withSecrets && (
        <PasswordInput
          visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the text' }}
          label="Passphrase"
          description="Required to import the file. Rainbell doesn’t store it and can’t recover it."
          autoComplete="new-password"
          value={passphrase}
          error={problem}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
      )}
      <RequestNotice request={exporting} failedTitle="Nothing was exported" loadingText="Creating the file" />
      <div className={classes.buttons}>
        <Button variant="subtle" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" disabled={chosen.length === 0} loading={exporting.state === 'loading'}>
          Export {chosen.length}
        </Button>
      </div>
    </form>
  );
}

function ImportForm() {
  const { preview, previewing, close, file } = useApp((state) => state.transfer);
  const isUnreadable = previewing.state === 'failed' && previewing.failure.details.field !== 'passphrase';
  return (
    <div className={classes.form}>
      <p className={classes.words}>{file?.name}</p>
      {(preview === null || isUnreadable) && (
        <RequestNotice request={previewing} failedTitle="Couldn’t read the file" loadingText="Reading the file" />
      )}
      {preview ? (
        <Preview preview={preview} />
      ) : (
        <div className={classes.buttons}>
          <Button variant="default" onClick={close}>
            Close
          </Button>
        </div>
      )}
    </div>
  );
}

function Preview({ preview }: { readonly preview: ImportPreview }) {
  const { importing, previewing, unlock, import: run, close } = useApp((state) => state.transfer);
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set());
  const [passphrase, setPassphrase] = useState('');
  const chosen = preview.entries.filter(({ index, outcome }) => outcome !== 'refused' && !left.has(index));
  const refusal = previewing.state === 'failed' ? previewing.failure.message : null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const indexes = chosen.map(({ index }) => index);
    void run(indexes, preview.secrets === 'open' ? passphrase : null);
  };
  return (
    <form className={classes.form} noValidate onSubmit={submit}>
      {preview.secrets !== 'none' && (
        <div className={classes.unlock}>
          <PasswordInput
            visibilityToggleButtonProps={{ 'aria-label': 'Show or hide the text' }}
            label="Passphrase for the file"
            description={
              preview.secrets === 'open'
                ? 'Secrets decrypted.'
                : 'Without it, connections are imported without secrets.'
            }
            autoComplete="off"
            value={passphrase}
            error={refusal}
            disabled={preview.secrets === 'open'}
            onChange={(event) => setPassphrase(event.currentTarget.value)}
          />
          {preview.secrets === 'locked' && (
            <TaskButton
              variant="default"
              disabled={passphrase === ''}
              loading={previewing.state === 'loading'}
              task={() => unlock(passphrase)}
            >
              Decrypt secrets
            </TaskButton>
          )}
        </div>
      )}
      <ul className={classes.entries} aria-label="Import preview">
        {preview.entries.map((entry) => (
          <Entry
            key={entry.index}
            entry={entry}
            isChosen={!left.has(entry.index)}
            onToggle={() => setLeft(toggled(left, entry.index))}
          />
        ))}
      </ul>
      <RequestNotice request={importing} failedTitle="Nothing was imported" loadingText="Importing" />
      <div className={classes.buttons}>
        <Button variant="subtle" onClick={close}>
          Cancel
        </Button>
        <Button type="submit" disabled={chosen.length === 0} loading={importing.state === 'loading'}>
          Import {chosen.length}
        </Button>
      </div>
    </form>
  );
}

const outcomes: Readonly<Record<ImportedConnection['outcome'], { tone: string; label: string }>> = {
  added: { tone: 'good', label: 'New' },
  renamed: { tone: 'warn', label: 'Renamed' },
  refused: { tone: 'bad', label: 'Can’t be imported' },
};

type EntryProps = { entry: ImportedConnection; isChosen: boolean; onToggle: () => void };

function Entry({ entry, isChosen, onToggle }: Readonly<EntryProps>) {
  const { name, savedAs, baseUrl, outcome, hasSecret, notes } = entry;
  const { tone, label } = outcomes[outcome];
  const isRefused = outcome === 'refused';
  return (
    <li className={classes.entry}>
      <Checkbox
        label={savedAs ?? name}
        description={baseUrl}
        checked={!isRefused && isChosen}
        disabled={isRefused}
        onChange={onToggle}
      />
      <span className={classes.badges}>
        {hasSecret && (
          <span className="rb-badge" data-tone="accent">
            With secret
          </span>
        )}
        <span className="rb-badge" data-tone={tone}>
          {label}
        </span>
      </span>
      {notes.map((note) => (
        <p key={note} className={isRefused ? classes.refusal : classes.words}>
          {note}
        </p>
      ))}
    </li>
  );
}

function toggled<Key>(keys: ReadonlySet<Key>, key: Key): ReadonlySet<Key> {
  const next = new Set(keys);
  if (!next.delete(key)) next.add(key);
  return next;
}
