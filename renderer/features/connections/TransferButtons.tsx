// Export and import of connections, on top of their screen. The browser's (in Electron, the system's) own dialog chooses
// the file.
import { Button, FileButton } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { useApp } from '#renderer/store/use-app.ts';

/** Core takes no more (contract/app-rpc/connections.ts). */
const maxFileLength = 900_000;

export function TransferButtons() {
  const hasOwn = useApp((state) => state.connections.items.some(({ kind }) => kind === 'own'));
  const openExport = useApp((state) => state.transfer.openExport);
  const openImport = useApp((state) => state.transfer.openImport);
  const complain = useApp((state) => state.toasts.show);
  const choose = async (file: File | null) => {
    if (!file) return;
    if (file.size > maxFileLength) {
      complain({ tone: 'bad', message: `${file.name} is too large to be a connections file.` });
      return;
    }
    await openImport({ name: file.name, text: await file.text() });
  };
  return (
    <>
      {hasOwn && (
        <Button variant="default" leftSection={<IconDownload size={16} />} onClick={openExport}>
          Export…
        </Button>
      )}
      <FileButton
        accept="application/json,.json"
        inputProps={{ 'aria-label': 'Connections file' }}
        onChange={(file) => void choose(file)}
      >
        {(props) => (
          <Button {...props} variant="default" leftSection={<IconUpload size={16} />}>
            Import…
          </Button>
        )}
      </FileButton>
    </>
  );
}
