// The switch that makes the app read the feed of events, and how that goes.
import { Button, Switch } from '@mantine/core';
import { type FeedState, settingsTable } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { TrafficButton } from '../../../widgets/TrafficButton.tsx';
import { LearnMore } from '../../../widgets/LearnMore.tsx';
import { useEffect } from 'react';
import { CopyIcon } from '../../../ui/controls/CopyIcon.tsx';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';

const { title, meaning } = settingsTable.readsFeed;

export function FeedForm() {
  const isOn = useApp((state) => state.settings.values.readsFeed);
  const update = useApp((state) => state.settings.update);
  const feed = useApp((state) => state.frame.status?.feed);
  const connection = useApp((state) => state.frame.status?.connection.name ?? '');
  return (
    <div className="rb-box rb-column">
      <Switch
        label={title}
        description={meaning}
        checked={isOn}
        onChange={(event) => void update({ readsFeed: event.currentTarget.checked })}
      />
      <p className="rb-dim" role="status">
        {isOn && feed ? `${describeFeed(feed, connection, feed.problem?.message)} ` : ''}
        <LearnMore to="receiver?at=receive-without-a-callback-url" about="the feed" />
      </p>
      {isOn && feed?.problem && <TrafficButton id={feed.problem.details.trafficId} about="the feed" />}
      {isOn && <Inbox />}
    </div>
  );
}

/** The address at which the service receives webhooks of any sender, until the app reads them from the feed. */
function Inbox() {
  const { inbox, inboxRequest, loadInbox, openInbox, closeInbox } = useApp((state) => state.callbackService);
  useEffect(() => void loadInbox(), [loadInbox]);
  if (inbox?.isOffered === false) return null;
  return (
    <>
      <p className="rb-dim">
        {inbox?.url
          ? 'The service also receives webhooks of any sender for you, while Rainbell is closed. Give senders this address, with any name behind it:'
          : 'The service can also receive webhooks of any sender for you, while Rainbell is closed.'}
      </p>
      {inbox?.url && (
        <p className="rb-row">
          <code className="rb-truncate">{inbox.url}</code>
          <CopyIcon text={`${inbox.url}webhooks`} label="Copy the inbox address" />
        </p>
      )}
      <RequestNotice
        request={inboxRequest}
        failedTitle="Couldn’t change the inbox"
        loadingText="Waiting for the service"
      />
      <div className="rb-buttons">
        {inbox?.url && (
          <Button variant="subtle" onClick={() => void closeInbox()}>
            Close and delete
          </Button>
        )}
        <Button loading={inboxRequest.state === 'loading'} onClick={() => void openInbox()}>
          {inbox?.url ? 'New address' : 'Open an inbox'}
        </Button>
      </div>
    </>
  );
}

/** For the bar above the list, which shows nothing while the feed is off. */
export function formatFeedStatus({ state, hasGap }: FeedState): string {
  return state === 'reading' && hasGap ? 'Feed on, events missing' : statuses[state];
}

const statuses: Readonly<Record<FeedState['state'], string>> = {
  off: '',
  starting: 'Feed: connecting…',
  reading: 'Feed on',
  paused: 'Feed paused',
  absent: 'No feed',
  failed: 'Feed: retrying…',
};

/** `connection`: its name. `reason`: the error, as a sentence. */
export function describeFeed({ state, hasGap }: FeedState, connection: string, reason?: string): string {
  switch (state) {
    case 'off':
      return '';
    case 'starting':
      return `Connecting to the feed from ${connection}…`;
    case 'reading':
      return hasGap
        ? `Reading the feed from ${connection}. Older events may be missing: the service no longer has them.`
        : `Reading the feed from ${connection}.`;
    case 'paused':
      return 'The feed is paused because the receiver is paused. The service keeps events for 30 days.';
    case 'absent':
      return `${connection} has no feed.`;
    case 'failed':
      return reason === undefined
        ? `Couldn’t read the feed from ${connection}. Retrying automatically.`
        : `Couldn’t read the feed from ${connection}: ${reason} Retrying automatically.`;
  }
}
