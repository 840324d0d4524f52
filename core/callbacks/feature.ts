import type { Notice } from '@rainbell/contract/app-rpc';
import type { Feature, Parts } from '../app/feature.ts';
import { within } from '@rainbell/shared';
import { getForecast } from '../forecast/get-forecast.ts';
import { createCallbackNotifier } from './callback-notifier.ts';
import { createReplayRun } from './replay-run.ts';
import { createBoundedRate } from '../ports/bounded-rate.ts';
import { createReadMarks } from './read-marks.ts';

const maxWeatherWaitMs = 3000;

/** Stored callbacks: their list, what is known of one, and what is done with them. */
export function callbacks(parts: Parts): Feature<'callbacks'> {
  const { callbacks: stored, pages, webhookSecrets, settings, screens, events, clock } = parts;
  let readings = 0;
  const readMarks = createReadMarks({
    ...parts,
    onChanged() {
      readings += 1;
      screens.publish({ topic: 'callbacks-read', version: readings });
    },
  });
  const replayRun = createReplayRun({
    send: (id, { url, signing }) => stored.replay({ id, url, signing }),
    clock,
    onChanged: () => screens.publish({ topic: 'replay' }),
  });
  const notifier = createCallbackNotifier({
    ...parts,
    choice: () => settings.get().notifications,
    isQuiet: (monitorId) => parts.notified.isQuiet(monitorId),
    async weatherAt(geo) {
      const connection = parts.activeConnection.present();
      const forecast = connection && (await within(clock, maxWeatherWaitMs, getForecast(connection, geo, { clock })));
      // The first point is the current one (docs/interface.md §2.3).
      const { status, location } = forecast?.points[0] ?? {};
      return typeof status === 'string' ? { status, place: location?.locality } : undefined;
    },
    notify: parts.notifyUser,
  });
  events.on('callbackJudged', notifier.arrived);

  let changes = 0;
  const counts = (): Notice => ({ topic: 'callbacks', ...pages.counts() });
  const changesNotice = (): Notice => ({ topic: 'callback-changes', version: changes });
  events.on('callbacksArrived', () => screens.publish(counts()));
  // A replay of many changes callbacks many times a second, and screens read their lists again.
  const changed = createBoundedRate(clock, 500, () => {
    changes += 1;
    for (const notice of [counts(), changesNotice()]) screens.publish(notice);
  });
  events.on('callbacksChanged', changed.report);
  return {
    handlers: {
      callbacks: {
        ...stored.handlers,
        unread: readMarks.unread,
        markRead({ input }) {
          readMarks.mark(input.throughId);
          return readMarks.unread();
        },
        async startReplay({ input: { choice, times, ...request } }) {
          replayRun.start(await stored.idsToReplay(choice, times), request);
        },
        replayRun: () => ({ run: replayRun.state() }),
        controlReplay: ({ input }) => replayRun.control(input.action),
        webhookSecret: async () => ({ source: await webhookSecrets.source() }),
        setWebhookSecret: ({ input }) => webhookSecrets.set(input.secret),
      },
    },
    status: () => ({ callbackCount: pages.counts().total, newestCallbackId: pages.counts().newestId }),
    notices: () => [counts(), changesNotice(), { topic: 'replay' }],
    close() {
      replayRun.close();
      changed.cancel();
      notifier.close();
    },
  };
}
