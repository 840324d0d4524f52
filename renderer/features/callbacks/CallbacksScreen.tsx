// What the receiver got: a live list, newest first, and the chosen callback to the byte.
import { Button, Menu } from '@mantine/core';
import {
  IconArrowForwardUp,
  IconBroadcast,
  IconChecks,
  IconDots,
  IconRoute,
  IconRss,
  IconSelectAll,
  IconSettings,
  IconUpload,
} from '@tabler/icons-react';
import { useState } from 'react';
import type { ReceiverState } from '@rainbell/contract/app-rpc';
import { useApp, useAppStore } from '../../store/use-app.ts';
import { useCommands } from '../../store/use-commands.ts';
import { callbackCommands } from '@rainbell/shared';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import { EmptyState } from '../../ui/controls/EmptyState.tsx';
import { FeatureParts } from '../../widgets/FeatureParts.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { SplitPane } from '../../widgets/SplitPane.tsx';
import styles from '../../ui/controls/SplitScreen.module.css';
import { CallbackDetail } from './detail/CallbackDetail.tsx';
import { CallbackList } from './list/CallbackList.tsx';
import { EndpointsDialog } from './receiver/EndpointsDialog.tsx';
import { ExportMenu } from './list/ExportMenu.tsx';
import { ForwardDialog } from './send/ForwardDialog.tsx';
import { ImportDialog } from './list/ImportDialog.tsx';
import { Histogram } from './list/Histogram.tsx';
import { describeFeed, formatFeedStatus } from './receiver/FeedForm.tsx';
import { ReceiverDialog } from './receiver/ReceiverDialog.tsx';
import classes from './CallbacksScreen.module.css';

/** Nothing here is drawn again with each arrival. */
export function CallbacksScreen() {
  const isEmpty = useApp(({ callbacks: { total, version } }) => total === 0 && version > 0);
  return (
    <div className={`rb-pane ${styles.screen}`}>
      <h1 className="rb-hidden">Callbacks</h1>
      <ReceiverBar />
      <FeatureParts name="callbacks top" />
      <ReadingNotice />
      {isEmpty ? <NoCallbacks /> : <CallbackPanes />}
    </div>
  );
}

function CallbackPanes() {
  const isOpen = useApp((state) => state.callbacks.selectedId !== null);
  const select = useApp((state) => state.callbacks.select);
  return (
    <SplitPane
      name="callbacks"
      sizeLabel="Callback pane size"
      isOpen={isOpen}
      onClose={() => void select(null)}
      list={
        <>
          <Histogram />
          <CallbackList />
        </>
      }
      detail={<CallbackDetail />}
    />
  );
}

function ReadingNotice() {
  const request = useApp((state) => state.callbacks.request);
  const loadNew = useApp((state) => state.callbacks.loadNew);
  const version = useApp((state) => state.callbacks.version);
  return (
    <RequestNotice
      request={request}
      failedTitle="Couldn’t load the callbacks"
      loadingText="Loading callbacks"
      hasData={version > 0}
      onRetry={() => void loadNew()}
    />
  );
}

const lights = { starting: 'warn', listening: 'good', failed: 'bad' } as const;

function ReceiverBar() {
  const receiver = useApp((state) => state.frame.status?.receiver);
  const feed = useApp((state) => state.frame.status?.feed);
  const connection = useApp((state) => state.frame.status?.connection.name ?? '');
  const hasAny = useApp((state) => state.callbacks.total > 0);
  const store = useAppStore();
  return (
    <div className="rb-toolbar" data-over-list>
      <span className={`rb-dot ${classes.light}`} data-tone={lights[receiver?.state ?? 'starting']} />
      <span className="rb-strong">{formatReceiver(receiver)}</span>
      {receiver?.baseUrl && <CopyIcon text={receiver.baseUrl} label="Copy the receiver’s URL" />}
      {feed && feed.state !== 'off' && (
        <span
          className="rb-row rb-tight rb-tone"
          data-tone={feed.state === 'failed' || feed.hasGap ? 'warn' : 'good'}
          title={describeFeed(feed, connection)}
        >
          <IconRss size={14} aria-hidden />
          {formatFeedStatus(feed)}
        </span>
      )}
      {receiver?.notice && (
        <span className={`rb-tone ${classes.notice}`} data-tone="warn">
          {receiver.notice}
        </span>
      )}
      <span className="rb-fill" />
      <FeatureParts name="receiver bar" />
      {hasAny && (
        <ExportMenu
          choose={() => ({
            kind: 'query',
            ...store.getState().callbackSearch.filter,
            throughId: store.getState().callbacks.newestId(),
          })}
        />
      )}
      <MoreMenu />
    </div>
  );
}

function formatReceiver(receiver: ReceiverState | undefined): string {
  if (receiver?.state === 'listening') return `Listening on ${receiver.baseUrl ?? ''}`;
  return receiver?.state === 'failed' ? 'Not listening' : 'Starting…';
}

type OpenDialog = 'forward' | 'receiver' | 'import';

function MoreMenu() {
  const [open, setOpen] = useState<OpenDialog | null>(null);
  const close = () => setOpen(null);
  const { openedPaths, openPaths } = useApp((state) => state.receiver);
  const unread = useApp((state) => state.callbacks.unread.count);
  const markRead = useApp((state) => state.callbacks.markRead);
  const newestId = useApp((state) => state.callbacks.newestId);
  const hasAny = useApp((state) => state.callbacks.total > 0);
  const selectAll = useApp((state) => state.callbackSelection.selectAll);
  useCommands(callbackCommands, {
    'callbacks.forward': () => setOpen('forward'),
    'callbacks.receiver': () => setOpen('receiver'),
  });
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button leftSection={<IconDots />}>More</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconArrowForwardUp />} onClick={() => setOpen('forward')}>
            Forward…
          </Menu.Item>
          <Menu.Item leftSection={<IconRoute />} onClick={() => openPaths({})}>
            Paths…
          </Menu.Item>
          <Menu.Item leftSection={<IconSettings />} onClick={() => setOpen('receiver')}>
            Receiver settings…
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item leftSection={<IconChecks />} disabled={unread === 0} onClick={() => void markRead(newestId())}>
            Mark all as read
          </Menu.Item>
          <Menu.Item leftSection={<IconSelectAll />} disabled={!hasAny} onClick={() => void selectAll(newestId())}>
            Select all
          </Menu.Item>
          <Menu.Item leftSection={<IconUpload />} onClick={() => setOpen('import')}>
            Import…
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'forward' && <ForwardDialog onClose={close} />}
      {openedPaths && <EndpointsDialog at={openedPaths} onClose={() => openPaths(null)} />}
      {open === 'receiver' && <ReceiverDialog onClose={close} />}
      {open === 'import' && <ImportDialog onClose={close} />}
    </>
  );
}

function NoCallbacks() {
  const receiver = useApp((state) => state.frame.status?.receiver);
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const goTo = useApp((state) => state.frame.goTo);
  const address = receiver?.baseUrl ?? null;
  const command = `curl -d '{"hello":"rain"}' ${address ?? 'http://127.0.0.1:4545'}/hooks/try`;
  return (
    <section className={`rb-card ${styles.none}`}>
      <EmptyState
        icon={<IconBroadcast size={32} />}
        title="No callbacks yet"
        actions={
          <Button variant="light" onClick={() => goTo('monitors')}>
            {isSandbox ? 'Create a monitor and make it rain' : 'Go to Monitors'}
          </Button>
        }
      >
        <p>
          {address === null
            ? 'The receiver isn’t listening yet.'
            : 'Send webhooks from any sender, such as Stripe, GitHub, or your monitors, to any path of this URL. Each request is stored byte for byte and appears here:'}
        </p>
        {address !== null && (
          <p className="rb-row rb-middle">
            <code className="rb-mono">{address}</code> <CopyIcon text={address} label="Copy the URL" />
          </p>
        )}
        {address !== null && (
          <p className="rb-row rb-middle">
            <code className="rb-mono">{command}</code> <CopyIcon text={command} label="Copy the command" />
          </p>
        )}
      </EmptyState>
    </section>
  );
}
