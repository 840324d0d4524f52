// The switch that makes the app read the feed of events, and how that goes.
import { Switch } from '@mantine/core';
import { settingsTable } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import classes from '../common/Dialogs.module.css';
import { TrafficButton } from '../../../widgets/TrafficButton.tsx';
import { LearnMore } from '../../../widgets/LearnMore.tsx';
import { Inbox } from './Inbox.tsx';
import { describeFeed } from './feed-text.ts';

const { title, meaning } = settingsTable.readsFeed;

export function FeedForm() {
  const isOn = useApp((state) => state.settings.values.readsFeed);
  const update = useApp((state) => state.settings.update);
  const feed = useApp((state) => state.frame.status?.feed);
  const connection = useApp((state) => state.frame.status?.connection.name ?? '');
  return (
    <div className={`rb-box ${classes.card}`}>
      <Switch
        label={title}
        description={meaning}
        checked={isOn}
        onChange={(event) => void update({ readsFeed: event.currentTarget.checked })}
      />
      <p className={`rb-dim ${classes.words}`} role="status">
        {isOn && feed ? `${describeFeed(feed, connection, feed.problem?.message)} ` : ''}
        <LearnMore to="receiver?at=receive-without-a-callback-url" about="the feed" />
      </p>
      {isOn && feed?.problem && (
        <TrafficButton id={feed.problem.details.trafficId} size="compact-sm" about="the feed" />
      )}
      {isOn && <Inbox />}
    </div>
  );
}
