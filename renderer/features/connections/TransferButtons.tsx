// Export and import of connections, on top of their screen. The browser's (in Electron, the system's) own dialog chooses
// the file.
import { Button, FileButton } from '@mantine/core';
import { IconDownload, IconUpload } from '@tabler/icons-react';
import { notUnicode, readText } from '@rainbell/shared';
import { useApp } from '../../store/use-app.ts';

/** Core takes no more (contract/app-rpc/connections.ts). */
const maxFileLength = 900_000;

export function TransferButtons() {
  const hasOwn = useApp((state) => state.connections.items.some(({ kind }) => kind === 'own'));
  const { export: save, exporting, import: read, importing } = useApp((state) => state.transfer);
  const show = useApp((state) => state.toasts.show);
  const choose = async (file: File | null) => {
    if (!file) return;
    if (file.size > maxFileLength) {
      show({ tone: 'bad', message: `${file.name} is too large to be a connections file.` });
      return;
    }
    const { text, isAnsi } = readText(new Uint8Array(await file.arrayBuffer()));
    if (isAnsi) show({ tone: 'bad', message: `${file.name} ${notUnicode}` });
    else await read(text);
  };
  return (
    <>
      {hasOwn && (
        <Button
          variant="default"
          leftSection={<IconDownload size={16} />}
          title="Save the connections as JSON, without secrets"
          loading={exporting.state === 'loading'}
          onClick={() => void save()}
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
          <Button
            {...props}
            variant="default"
            leftSection={<IconUpload size={16} />}
            loading={importing.state === 'loading'}
          >
            Import…
          </Button>
        )}
      </FileButton>
    </>
  );
}
