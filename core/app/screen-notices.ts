// Which notices screens get for which event, and for the state at the start.
import type { Notice } from '@rainbell/contract/app-rpc';
import type { ChosenTarget } from '../notifications/chosen-target.ts';
import type { NotificationQueue } from '../notifications/notification-queue.ts';
import type { CoreEventHub } from '../ports/events.ts';
import type { NoticeHub } from '../ports/notices.ts';
import type { CallbackPages } from '../receiver/records/callback-pages.ts';
import type { TrafficLog } from '../traffic/traffic-log.ts';

export type ScreenNotices = {
  /** The state at the start, then what changed, until the signal aborts. */
  listen: (signal: AbortSignal, whenWritable: () => Promise<void>) => AsyncGenerator<Notice>;
  /** Makes every screen read everything again. */
  publishAll: () => void;
};

type ScreenNoticesDependencies = {
  events: CoreEventHub;
  hub: NoticeHub;
  pages: Pick<CallbackPages, 'counts'>;
  traffic: Pick<TrafficLog, 'newestId'>;
  chosenTarget: ChosenTarget;
  notifications: Pick<NotificationQueue, 'present'>;
};

export function createScreenNotices(dependencies: ScreenNoticesDependencies): ScreenNotices {
  const { events, hub, pages, traffic, chosenTarget, notifications } = dependencies;
  let callbackChanges = 0;
  let outcomes = 0;
  let readings = 0;

  const callbackNotices = (): Notice[] => [
    { topic: 'callbacks', ...pages.counts() },
    { topic: 'callback-changes', version: callbackChanges },
  ];
  const presentNotices = (): Notice[] => [
    { topic: 'status' },
    ...callbackNotices(),
    ...chosenTarget.present(),
    ...notifications.present(),
    { topic: 'held-requests' },
    { topic: 'consents' },
    { topic: 'monitors' },
    { topic: 'sandbox' },
    { topic: 'settings' },
    { topic: 'connections' },
    { topic: 'session' },
    { topic: 'traffic', newestId: traffic.newestId() },
  ];
  const publish = (...notices: Notice[]) => {
    for (const notice of notices) hub.publish(notice);
  };

  events.on('settingsChanged', () => publish({ topic: 'settings' }, { topic: 'status' }));
  events.on('connectionChanged', () => publish({ topic: 'status' }, { topic: 'session' }));
  events.on('connectionsChanged', () => publish({ topic: 'connections' }));
  events.on('sessionChanged', () => publish({ topic: 'session' }));
  events.on('trafficChanged', (newestId) => publish({ topic: 'traffic', newestId }));
  events.on('receiverChanged', () => publish({ topic: 'status' }));
  events.on('feedChanged', () => publish({ topic: 'status' }));
  // The tray shows whether the receiver is paused.
  events.on('receiverRulesChanged', () => publish({ topic: 'status' }));
  events.on('heldRequestsChanged', () => publish({ topic: 'held-requests' }));
  events.on('consentsChanged', () => publish({ topic: 'consents' }));
  events.on('callbacksArrived', () => publish({ topic: 'callbacks', ...pages.counts() }));
  events.on('callbacksChanged', () => {
    callbackChanges += 1;
    publish(...callbackNotices());
  });
  events.on('outcomesRecorded', () => {
    outcomes += 1;
    publish({ topic: 'callback-outcomes', version: outcomes });
  });
  events.on('callbacksRead', () => {
    readings += 1;
    publish({ topic: 'callbacks-read', version: readings });
  });
  events.on('monitorsChanged', () => publish({ topic: 'monitors' }));
  events.on('sandboxChanged', () => publish({ topic: 'sandbox' }));
  events.on('damageReportsChanged', () => publish({ topic: 'status' }));
  events.on('updateChanged', () => publish({ topic: 'status' }));
  events.on('hostNoticesChanged', () => publish({ topic: 'status' }));

  return {
    listen: (signal, whenWritable) => hub.listen({ present: presentNotices(), signal, whenWritable }),
    publishAll: () => publish(...presentNotices()),
  };
}
