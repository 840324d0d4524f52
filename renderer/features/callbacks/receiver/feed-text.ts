// Describes how the app reads the feed of events.
import type { FeedState } from '@rainbell/contract/app-rpc';

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
