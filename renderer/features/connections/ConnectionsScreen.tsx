// The services that the app can talk to: which one is in use, what of each works, and their settings.
import { Button, FileButton } from '@mantine/core';
import { IconDownload, IconPlus, IconUpload } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useOpenSection } from '../../widgets/use-open-section.ts';
import { useApp } from '../../store/use-app.ts';
import { LearnMore } from '../../widgets/LearnMore.tsx';
import { CardScreen } from '../../ui/controls/CardScreen.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { ConnectionCard } from './ConnectionCard.tsx';
import { notUnicode, readText } from '@rainbell/shared';

export function ConnectionsScreen() {
  const { items, selectedId, request, load, openEditor, exporting, importing } = useApp((state) => state.connections);
  useEffect(() => void load(), [load]);
  useOpenSection('connections');
  return (
    <CardScreen
      title="Connections"
      isNarrow
      intro={
        <>
          A connection is a service and the credentials to use it. All screens use the active connection.{' '}
          <LearnMore to="access?at=add-a-connection" about="adding connections" />
        </>
      }
      actions={
        <>
          <TransferButtons />
          <Button variant="filled" leftSection={<IconPlus />} onClick={() => openEditor({ kind: 'create' })}>
            New connection
          </Button>
        </>
      }
    >
      <RequestNotice
        request={request}
        failedTitle="Couldn’t load the connections"
        loadingText="Loading connections"
        hasData={items.length > 0}
        onRetry={() => void load()}
      />
      <RequestNotice request={exporting} failedTitle="Nothing was exported" loadingText="Creating the file" hasData />
      <RequestNotice request={importing} failedTitle="Nothing was imported" loadingText="Importing" hasData />
      {items.map((connection) => (
        <ConnectionCard key={connection.id} connection={connection} isSelected={connection.id === selectedId} />
      ))}
    </CardScreen>
  );
}

/** Core takes no more (contract/app-rpc/connections.ts). */
const maxFileLength = 900_000;

/** Export and import. The browser's (in Electron, the system's) own dialog chooses the file. */
function TransferButtons() {
  const hasOwn = useApp((state) => state.connections.items.some(({ kind }) => kind === 'own'));
  const { exportAll, exporting, importFrom, importing } = useApp((state) => state.connections);
  const show = useApp((state) => state.toasts.show);
  const choose = async (file: File | null) => {
    if (!file) return;
    if (file.size > maxFileLength) {
      show({ tone: 'bad', message: `${file.name} is too large to be a connections file.` });
      return;
    }
    const { text, isAnsi } = readText(new Uint8Array(await file.arrayBuffer()));
    if (isAnsi) show({ tone: 'bad', message: `${file.name} ${notUnicode}` });
    else await importFrom(text);
  };
  return (
    <>
      {hasOwn && (
        <Button
          leftSection={<IconDownload />}
          title="Save the connections as JSON, without secrets"
          loading={exporting.state === 'loading'}
          onClick={() => void exportAll()}
        >
          Export
        </Button>
      )}
      <FileButton
        accept="application/json,.json"
        inputProps={{ 'aria-label': 'Connections file' }}
        onChange={(file) => void choose(file)}
      >
        {(props) => (
          <Button {...props} leftSection={<IconUpload />} loading={importing.state === 'loading'}>
            Import…
          </Button>
        )}
      </FileButton>
    </>
  );
}
