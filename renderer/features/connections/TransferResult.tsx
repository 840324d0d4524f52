// What failed in an export or import of connections, and what the import did with each entry.
import { Button } from '@mantine/core';
import type { ImportedConnection } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { Dialog } from '../../ui/dialogs/Dialog.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { plural } from '@rainbell/shared';
import classes from './TransferResult.module.css';
import { Badge } from '../../ui/controls/Badge.tsx';

export function TransferResult() {
  const { exporting, importing, imported, closeResult } = useApp((state) => state.connections);
  return (
    <>
      <RequestNotice request={exporting} failedTitle="Nothing was exported" loadingText="Creating the file" hasData />
      <RequestNotice request={importing} failedTitle="Nothing was imported" loadingText="Importing" hasData />
      {imported && <ImportResult imported={imported} onClose={closeResult} />}
    </>
  );
}

type ResultProps = { imported: readonly ImportedConnection[]; onClose: () => void };

function ImportResult({ imported, onClose }: Readonly<ResultProps>) {
  const added = imported.filter(({ outcome }) => outcome !== 'refused').length;
  return (
    <Dialog title={plural(added, ['# connection imported', '# connections imported'])} size="lg" onClose={onClose}>
      <ul className={`rb-column ${classes.entries}`} aria-label="Entries of the file">
        {imported.map((entry) => (
          <Entry key={entry.index} entry={entry} />
        ))}
      </ul>
      <p className="rb-dim rb-break">
        A connections file has no secrets: edit a connection to enter its client secret.
      </p>
      <div className="rb-buttons">
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}

const outcomes: Readonly<Record<ImportedConnection['outcome'], { tone: 'good' | 'warn' | 'bad'; label: string }>> = {
  added: { tone: 'good', label: 'New' },
  renamed: { tone: 'warn', label: 'Renamed' },
  refused: { tone: 'bad', label: 'Not imported' },
};

function Entry({ entry: { name, savedAs, baseUrl, outcome, notes } }: { readonly entry: ImportedConnection }) {
  const { tone, label } = outcomes[outcome];
  return (
    <li className={`rb-box ${classes.entry}`}>
      <div>
        <b>{savedAs ?? name}</b>
        <div className="rb-dim rb-break">{baseUrl}</div>
      </div>
      <Badge tone={tone}>{label}</Badge>
      {notes.map((note) => (
        <p key={note} className={outcome === 'refused' ? 'rb-tone' : 'rb-dim rb-break'} data-tone="bad">
          {note}
        </p>
      ))}
    </li>
  );
}
