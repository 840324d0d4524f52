// The files that the user can send to support, each shown before anything is exported.
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { IconFileZip } from '@tabler/icons-react';
import type { DiagnosticsFile, SettingRow } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { FormButtons, FormDialog } from '../../ui/dialogs/FormDialog.tsx';
import { formatSize } from '../../ui/text/durations.ts';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { CodeView } from '../../viewers/CodeView.tsx';
import { SettingFrame } from './SettingFrame.tsx';
import classes from './SettingsScreen.module.css';

export function Diagnostics({ row }: { readonly row: SettingRow }) {
  const { files, previewing, preview } = useApp((state) => state.diagnostics);
  return (
    <SettingFrame row={row}>
      <TaskButton leftSection={<IconFileZip />} task={() => preview()}>
        Export diagnostics…
      </TaskButton>
      <RequestNotice
        request={previewing}
        failedTitle="Couldn’t collect the diagnostics"
        loadingText="Collecting diagnostics"
      />
      {files && <Preview files={files} />}
    </SettingFrame>
  );
}

function Preview({ files }: { readonly files: readonly DiagnosticsFile[] }) {
  const { exporting, export: run, close } = useApp((state) => state.diagnostics);
  return (
    <FormDialog title="Review diagnostics" size="xl" onClose={close}>
      <ul className="rb-column" aria-label="Diagnostics files">
        {files.map(({ name, description, sizeBytes, text }) => (
          <li key={name} className="rb-box">
            <details>
              <summary>
                <strong className="rb-mono">{name}</strong> <span>{formatSize(sizeBytes)}</span>
                <p className={`rb-note rb-break ${classes.words}`}>{description}</p>
              </summary>
              <CodeView source={text} label={name} as={name.endsWith('.json') ? 'auto' : 'text'} />
            </details>
          </li>
        ))}
      </ul>
      <RequestNotice
        request={exporting}
        failedTitle="Couldn’t export the diagnostics"
        loadingText="Creating ZIP file"
      />
      <FormButtons>
        <TaskButton variant="filled" loading={exporting.state === 'loading'} task={() => run()}>
          Save as ZIP
        </TaskButton>
      </FormButtons>
    </FormDialog>
  );
}
