// The services that the app can talk to: which one is in use, what of each works, and their settings.
import { Button } from '@mantine/core';
import { IconPlugConnected, IconPlus } from '@tabler/icons-react';
import { useEffect } from 'react';
import { useOpenSection } from '../../widgets/use-open-section.ts';
import { useApp } from '../../store/use-app.ts';
import { LearnMore } from '../../widgets/LearnMore.tsx';
import { CardScreen } from '../../ui/controls/CardScreen.tsx';
import { EmptyState } from '../../ui/controls/EmptyState.tsx';
import { ListOutline, RequestNotice } from '../../widgets/RequestNotice.tsx';
import { ConnectionCard } from './ConnectionCard.tsx';
import { TransferButtons } from './TransferButtons.tsx';
import { TransferResult } from './TransferResult.tsx';

export function ConnectionsScreen() {
  const { items, selectedId, request, load, openEditor } = useApp((state) => state.connections);
  useEffect(() => void load(), [load]);
  useOpenSection('connections');
  const hasOwn = items.some(({ kind }) => kind === 'own');
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
          <Button leftSection={<IconPlus size={16} />} onClick={() => openEditor({ kind: 'create' })}>
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
        outline={<ListOutline />}
        onRetry={() => void load()}
      />
      <TransferResult />
      {items.map((connection) => (
        <ConnectionCard key={connection.id} connection={connection} isSelected={connection.id === selectedId} />
      ))}
      {items.length > 0 && !hasOwn && (
        <section className="rb-card rb-column">
          <EmptyState
            icon={<IconPlugConnected size={32} />}
            title="Only the sandbox so far"
            actions={
              <Button leftSection={<IconPlus size={16} />} onClick={() => openEditor({ kind: 'create' })}>
                Add your service
              </Button>
            }
          >
            <p>
              Enter your service’s URLs and an application’s client ID and secret. Then select “Test” to see what works,
              step by step.
            </p>
          </EmptyState>
        </section>
      )}
    </CardScreen>
  );
}
