// Run as a process of its own by feed.test.ts: reads the feed of a service into an app's store until it is killed.
import { join } from 'node:path';
import { pino } from 'pino';
import { systemClock } from '#shared/time/clock.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createConnection } from '#core/connection/connection.ts';
import { createFeedReader } from '#core/feed/feed-reader.ts';
import { createJsonReader } from '#core/http/json-reader.ts';
import { createFeedCursors } from '#core/receiver/records/feed-store.ts';
import { receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { runReceiver } from '#core/receiver/server/run-receiver.ts';

const [, , folder = '', baseUrl = '', clientId = '', clientSecret = '', jsonWorker = ''] = process.argv;
const database = openAppDatabase({ file: join(folder, 'app.sqlite'), clock: systemClock });
const receiver = runReceiver({
  file: database.file,
  limits: receiverLimits,
  rules: { pause: 'off', rules: [] },
  clock: systemClock,
  post: () => {},
});
const stored = new Map<string, string>();
const connection = createConnection(
  {
    id: 'own',
    name: 'Own',
    baseUrl,
    authUrl: baseUrl,
    clientId,
    clientSecret,
    isPublic: false,
    isSandbox: false,
    redirectUri: 'http://127.0.0.1/',
    scope: '',
    caPem: null,
    proxyUrl: null,
  },
  {
    clock: systemClock,
    secrets: {
      protection: 'in memory',
      read: async (name) => stored.get(name) ?? null,
      stateOf: (name) => (stored.has(name) ? 'stored' : 'absent'),
      write: async (name, value) => void stored.set(name, value ?? ''),
    },
    json: createJsonReader({ workerUrl: new URL(jsonWorker), clock: systemClock }),
    onState: () => {},
  },
);
const feed = createFeedReader({
  wanted: () => connection,
  cursors: createFeedCursors(database.db),
  receiver: {
    storeFeed: async (callbacks, progress) => receiver.storeFeed(callbacks, progress),
  },
  clock: systemClock,
  log: pino({ level: 'silent' }),
  onChanged: () => {},
});
feed.apply();
