// Saves callbacks as a file; how many are written so far shows when it takes a while.
import { Button, Menu } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import type { CallbackChoice, ExportFormat } from '@rainbell/contract/app-rpc';
import { plural } from '@rainbell/shared';
import { useApp } from '../../../store/use-app.ts';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';

const formats: readonly { format: ExportFormat; label: string }[] = [
  { format: 'json', label: 'JSON' },
  { format: 'ndjson', label: 'NDJSON, one per line' },
  { format: 'csv', label: 'CSV for spreadsheets (can’t be imported)' },
  { format: 'har', label: 'HAR for HTTP tools' },
];

type Props = {
  /** Read on demand, because the list grows. */
  choose: () => CallbackChoice;
};

export function ExportMenu({ choose }: Readonly<Props>) {
  const { exportTo, exporting, exported } = useApp((state) => state.callbackFiles);
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button leftSection={<IconDownload />} disabled={exporting.state === 'loading'}>
            Export
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>Includes secrets in headers and URLs</Menu.Label>
          {formats.map(({ format, label }) => (
            <Menu.Item key={format} onClick={() => void exportTo(format, choose())}>
              {label}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      <RequestNotice
        request={exporting}
        failedTitle="Couldn’t save the callbacks"
        loadingText={plural(exported, ['# written', '# written'])}
        hasData
      />
    </>
  );
}
