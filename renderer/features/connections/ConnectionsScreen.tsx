// The services that the app can talk to: which one is in use, what of each works, and their settings.
import { ActionIcon, Button, FileButton } from '@mantine/core';
import { Badge } from '../../ui/controls/Badge.tsx';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import {
  IconAlertTriangle,
  IconCheck,
  IconDownload,
  IconMinus,
  IconPencil,
  IconPlus,
  IconStethoscope,
  IconTrash,
  IconUpload,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import type { ConnectionTestStep, SavedConnection } from '@rainbell/contract/app-rpc';
import { connectionColor } from '../../ui/controls/connection-color.ts';
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx';
import { FactRows } from '../../ui/controls/FactRows.tsx';
import classes from './ConnectionsScreen.module.css';
import { TrafficButton } from '../../widgets/TrafficButton.tsx';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import type { ConnectionTest } from './connections-slice.ts';
import { useOpenSection } from '../../widgets/use-open-section.ts';
import { useApp } from '../../store/use-app.ts';
import { LearnMore } from '../../widgets/LearnMore.tsx';
import { CardScreen } from '../../ui/controls/CardScreen.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { notUnicode, readText } from '@rainbell/shared';

/** Core takes no more (contract/app-rpc/connections.ts). */
const maxFileLength = 900_000;

export function ConnectionsScreen() {
  const { items, selectedId, request, load, openEditor, exporting, exportAll, importing, importFrom } = useApp(
    (state) => state.connections,
  );
  const show = useApp((state) => state.toasts.show);
  useEffect(() => void load(), [load]);
  useOpenSection('connections');
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
          {items.some(({ kind }) => kind === 'own') && (
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

type CardProps = { connection: SavedConnection; isSelected: boolean };

function ConnectionCard({ connection, isSelected }: Readonly<CardProps>) {
  const { id, name, kind, color } = connection;
  const { tests, test: runTest } = useApp((state) => state.connections);
  const test = tests[id];
  return (
    <section
      className={`rb-card rb-stack rb-padded ${classes.card}`}
      aria-label={name}
      data-section={id}
      data-selected={isSelected || undefined}
    >
      <div className="rb-row rb-wrap rb-break">
        <span className="rb-swatch" style={{ background: connectionColor(color) }} />
        <h2>{name}</h2>
        {isSelected && <Badge tone="good">In use</Badge>}
        {kind === 'sandbox' && <Badge tone="accent">This computer</Badge>}
        {color === 'red' && <Badge tone="bad">Production</Badge>}
        <span className="rb-fill" />
        <Actions connection={connection} isSelected={isSelected} isTesting={test?.request.state === 'loading'} />
      </div>
      <Facts connection={connection} />
      {test && (
        <>
          <RequestNotice
            request={test.request}
            failedTitle="Couldn’t test the connection"
            loadingText={`Testing ${name}`}
            onRetry={() => void runTest(id)}
          />
          <TestSteps test={test} />
        </>
      )}
    </section>
  );
}

function Facts({ connection }: { readonly connection: SavedConnection }) {
  const { baseUrl, authUrl, clientId, isPublic, hasSecret, redirectUri, caPem, proxyUrl } = connection;
  const facts: readonly (readonly [string, string])[] = [
    ['Base URL', baseUrl || 'Unknown while the service is starting'],
    ...(['', baseUrl].includes(authUrl) ? [] : [['Sign-in URL', authUrl] as const]),
    ['Client ID', clientId],
    [
      'Client',
      isPublic ? 'Public, without a secret' : hasSecret ? 'With a secret, stored encrypted' : 'Secret missing',
    ],
    ...(redirectUri === '' ? [] : [['Redirect URL', redirectUri] as const]),
    ...(caPem === null ? [] : [['Certificates', 'Additional certificates are trusted'] as const]),
    ...(proxyUrl === null ? [] : [['Proxy', proxyUrl] as const]),
  ];
  return (
    <dl className="rb-facts">
      <FactRows facts={facts} />
    </dl>
  );
}

function Actions({ connection, isSelected, isTesting }: Readonly<CardProps & { isTesting: boolean }>) {
  const { id, name, kind } = connection;
  const { select, test, openEditor, delete: remove, deleting, selecting } = useApp((state) => state.connections);
  const [isConfirming, setConfirming] = useState(false);
  return (
    <div className="rb-row rb-wrap">
      {!isSelected && (
        <TaskButton variant="filled" disabled={selecting.state === 'loading'} task={() => select(id)}>
          Use {name}
        </TaskButton>
      )}
      <TaskButton
        leftSection={<IconStethoscope />}
        loading={isTesting}
        aria-label={`Test ${name}`}
        task={() => test(id)}
      >
        Test
      </TaskButton>
      {kind === 'own' && (
        <>
          <ActionIcon
            aria-label={`Edit ${name}`}
            title={`Edit ${name}`}
            onClick={() => openEditor({ kind: 'edit', connection })}
          >
            <IconPencil />
          </ActionIcon>
          <ActionIcon
            color="red"
            aria-label={`Delete ${name}`}
            title={`Delete ${name}`}
            onClick={() => setConfirming(true)}
          >
            <IconTrash />
          </ActionIcon>
        </>
      )}
      {isConfirming && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          confirmLabel="Delete connection"
          onConfirm={() => remove(id)}
          onClose={() => setConfirming(false)}
        >
          This deletes its client secret and tokens from this computer. You can’t undo this. The service isn’t affected.
          {isSelected && ' All screens then use the sandbox.'}
          <RequestNotice request={deleting} failedTitle="Couldn’t delete the connection" />
        </ConfirmDialog>
      )}
    </div>
  );
}

const titles: Readonly<Record<ConnectionTestStep['step'], string>> = {
  address: 'URL',
  token: 'Token',
  weather: 'Weather',
  monitors: 'Monitors',
  clock: 'Clock',
};

const resultIcons: Readonly<Record<ConnectionTestStep['result'], { icon: TablerIcon; label: string }>> = {
  ok: { icon: IconCheck, label: 'Works:' },
  warning: { icon: IconAlertTriangle, label: 'Warning:' },
  failed: { icon: IconX, label: 'Failed:' },
  skipped: { icon: IconMinus, label: 'Not tested:' },
};

function TestSteps({ test: { steps, testedAt } }: { readonly test: ConnectionTest }) {
  const times = useLogTimes();
  if (testedAt === null) return null;
  return (
    <div className="rb-column rb-part">
      <p className="rb-eyebrow">Tested at {times.clockSeconds(Date.parse(testedAt))}</p>
      <ul className={`rb-column ${classes.steps}`} aria-label="Test results">
        {steps.map(({ step, result, message, tookMs, problem }) => {
          const { icon: Icon, label } = resultIcons[result];
          return (
            <li key={step} data-verdict={result}>
              <Icon className="rb-mark" size={15} aria-label={label} />
              <strong>{titles[step]}</strong>
              <span className="rb-break">
                {message} <TrafficButton id={problem?.details.trafficId} about={titles[step]} />
              </span>
              <span className="rb-note">{tookMs === null ? '' : `${Math.round(tookMs)} ms`}</span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
