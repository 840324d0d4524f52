// Every HTTP exchange of the app with its services: a list to look through, and the chosen one to the byte. Secrets are masked
// before anything is kept.
import { selectConnections } from '../connections/selectors.ts';
import { Button, NativeSelect, SegmentedControl, Switch, TextInput } from '@mantine/core';
import { IconArrowsExchange, IconSearch, IconTrash } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { useApp } from '../../store/use-app.ts';
import { LearnMore } from '../../widgets/LearnMore.tsx';
import { useCommands } from '../../store/use-commands.ts';
import { trafficCommands } from '@rainbell/shared';
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx';
import { EmptyState } from '../../ui/controls/EmptyState.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { boundFields } from '../../ui/hooks/bound-fields.ts';
import { SplitPane } from '../../widgets/SplitPane.tsx';
import styles from '../../ui/controls/SplitScreen.module.css';
import { TrafficDetail } from './TrafficDetail.tsx';
import { TrafficList } from './TrafficList.tsx';

export function TrafficScreen() {
  const { total, request, loadNew, selectedId, select } = useApp((state) => state.traffic);
  useEffect(() => void loadNew(), [loadNew]);
  return (
    <div className={`rb-pane ${styles.screen}`}>
      <h1 className="rb-hidden">Traffic</h1>
      <Filters />
      <RequestNotice
        request={request}
        failedTitle="Couldn’t load the traffic"
        loadingText="Loading requests"
        hasData={total !== null}
        onRetry={() => void loadNew()}
      />
      {total === 0 && <NoTraffic />}
      {total !== null && total > 0 && (
        <SplitPane
          name="traffic"
          sizeLabel="Request pane size"
          isOpen={selectedId !== null}
          onClose={() => void select(null)}
          list={<TrafficList />}
          detail={<TrafficDetail />}
        />
      )}
    </div>
  );
}

function Filters() {
  const filter = useApp((state) => state.traffic.filter);
  const setFilter = useApp((state) => state.traffic.setFilter);
  const { text, checked } = boundFields(filter, (wanted) => void setFilter(wanted));
  const connections = useApp(selectConnections);
  const field = useRef<HTMLInputElement>(null);
  useCommands(trafficCommands, { 'traffic.filter': () => field.current?.focus() });
  return (
    <div className="rb-toolbar" data-over-list>
      <TextInput
        w={290}
        ref={field}
        aria-label="Filter by URL"
        placeholder="Part of the URL, -part to exclude"
        leftSection={<IconSearch aria-hidden />}
        maxLength={200}
        {...text('text')}
      />
      <SegmentedControl
        aria-label="Kind of request"
        value={filter.kind}
        onChange={(kind) => void setFilter({ kind })}
        data={[
          { value: 'any', label: 'All' },
          { value: 'api', label: 'API' },
          { value: 'token', label: 'Token' },
        ]}
      />
      {connections.length > 1 && (
        <NativeSelect
          aria-label="Connection"
          w={200}
          value={filter.connectionId ?? ''}
          onChange={({ currentTarget: { value } }) => void setFilter({ connectionId: value === '' ? null : value })}
          data={[
            { value: '', label: 'All connections' },
            ...connections.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <Switch label="Failed only" {...checked('failedOnly')} />
      <Switch
        label="Background"
        title="Requests that Rainbell sends on its own, such as those for the sandbox’s state, deliveries, and the feed"
        {...checked('includesBackground')}
      />
      <span className="rb-fill" />
      <Clear />
    </div>
  );
}

function Clear() {
  const { total, clear, clearing } = useApp((state) => state.traffic);
  const [isConfirming, setConfirming] = useState(false);
  if (!total) return null;
  return (
    <>
      <Button leftSection={<IconTrash />} onClick={() => setConfirming(true)}>
        Delete all…
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title="Delete all requests?"
          confirmLabel="Delete all"
          onConfirm={clear}
          onClose={() => setConfirming(false)}
        >
          This deletes the logged requests for every connection. You can’t undo this.
          <RequestNotice request={clearing} failedTitle="Couldn’t delete the log" />
        </ConfirmDialog>
      )}
    </>
  );
}

function NoTraffic() {
  const goTo = useApp((state) => state.frame.goTo);
  return (
    <section className={`rb-card ${styles.none}`}>
      <EmptyState
        icon={<IconArrowsExchange size={32} />}
        title="No traffic yet"
        actions={
          <Button variant="light" onClick={() => goTo('forecast')}>
            Fetch a forecast
          </Button>
        }
      >
        <p>
          The app’s requests to services appear here, with secrets masked.{' '}
          <LearnMore to="traffic" about="the traffic log" />
        </p>
      </EmptyState>
    </section>
  );
}
