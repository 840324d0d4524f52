// Takes callbacks from a file: what was taken, and each entry that was not, with its line and why.
import { Button, FileInput } from '@mantine/core';
import { useState } from 'react';
import { useApp } from '../../../store/use-app.ts';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';

export function ImportDialog({ onClose }: { readonly onClose: () => void }) {
  const { importing, outcome, importFrom, resetImport } = useApp((state) => state.callbackFiles);
  const [file, setFile] = useState<File | null>(null);
  const isBusy = importing.state === 'loading';
  const close = () => {
    resetImport();
    onClose();
  };
  return (
    <Dialog title="Import callbacks" size="lg" onClose={close}>
      <p className="rb-dim">
        Choose a JSON, NDJSON, HAR, or HTML file exported from Rainbell. Its callbacks get new IDs and are marked as
        imported. Existing callbacks aren’t changed.
      </p>
      <FileInput
        data-autofocus
        label="File"
        placeholder="Choose a file"
        accept=".json,.ndjson,.jsonl,.har,.html"
        value={file}
        onChange={setFile}
      />
      <RequestNotice request={importing} failedTitle="Couldn’t import the file" loadingText="Reading the file" />
      {outcome && (
        <p role="status">
          {`${outcome.imported.toLocaleString('en')} imported, ${outcome.refused.toLocaleString('en')} skipped`}
        </p>
      )}
      {outcome && outcome.problems.length > 0 && (
        <ol className="rb-column rb-tight rb-short" aria-label="Skipped entries">
          {outcome.problems.map(({ line, message }) => (
            <li key={`${line} ${message}`}>
              Entry {line}: {message}
            </li>
          ))}
        </ol>
      )}
      <div className="rb-buttons">
        <Button variant="subtle" onClick={close}>
          Close
        </Button>
        <Button variant="filled" disabled={!file} loading={isBusy} onClick={() => void (file && importFrom(file))}>
          Import
        </Button>
      </div>
    </Dialog>
  );
}
