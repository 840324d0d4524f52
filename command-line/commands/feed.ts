// `rainbell listen --feed`: reads the feed of a service into the store that this command writes (docs/feed.md).
import { AppFailure, createFeedReader, hostOf, openLog, sandboxId } from '@rainbell/core';
import { join } from 'node:path';
import { readDataFolder, UsageError, type Options, type ParsedArguments } from '../terminal/arguments.ts';
import type { Arrivals } from '../session/arrivals.ts';
import type { CommandContext } from '../terminal/command.ts';
import { openConnection } from '../session/connect.ts';
import { serviceOptions } from '../session/credentials.ts';

export const feedOptions = {
  feed: { words: 'also read events from the service’s feed; callbacks don’t have to reach this computer' },
  ...serviceOptions,
} as const satisfies Options;

export const feedDetails =
  '--feed reads the application’s events from its service, starting now or where an earlier command stopped. The\n' +
  'service must have a feed; specify the service as in other commands (default: a sandbox that runs during this command). If\n' +
  'the app is running, turn on “Read events from the feed” there instead.';

export type OpenFeed = {
  /** Rejects if the service has no feed. Never resolves otherwise. */
  failed: Promise<never>;
  close: () => Promise<void>;
};

/** Throws UsageError for flags that name a service without --feed. */
export function requireFeedFlags(given: ParsedArguments): void {
  if (given.isSet('feed')) return;
  const named = ['connection', 'base-url', 'client-id'].find((flag) => given.text(flag) !== undefined);
  const extra = given.isSet('client-secret-stdin') ? 'client-secret-stdin' : named;
  if (extra === undefined) return;
  throw new UsageError(`--${extra} selects the feed’s service: add --feed, or omit --${extra}.`);
}

const withoutFeed: OpenFeed = { failed: new Promise<never>(() => {}), close: async () => {} };

/** Without --feed, reads none. Throws UsageError, AppFailure UNAVAILABLE if another program writes the store, and what the service refuses. */
export async function openFeed(
  given: ParsedArguments,
  context: CommandContext,
  arrivals: Arrivals,
  tell: (sentence: string) => void,
): Promise<OpenFeed> {
  if (!given.isSet('feed')) return withoutFeed;
  const { feedStore } = arrivals;
  if (!feedStore) {
    throw new AppFailure(
      'UNAVAILABLE',
      'Another Rainbell process is using this data folder and storing its callbacks. Turn on “Read events from the feed” there, or choose another folder with --data.',
    );
  }
  const opened = await openConnection(given, context);
  const { connection, appConnectionId } = opened;
  const host = hostOf(connection.baseUrl);
  const failed = Promise.withResolvers<never>();
  const feed = createFeedReader({
    wanted: () => (feedStore.isPaused() ? 'paused' : connection),
    // As the app names it, so that either can continue where the other stopped.
    identityOf: () => ({
      connectionId: appConnectionId ?? connection.profile.id,
      source: `${appConnectionId === sandboxId ? 'sandbox' : connection.baseUrl} ${connection.profile.clientId}`,
    }),
    cursors: feedStore.cursors,
    receiver: feedStore.receiver,
    // Forwarding skips nothing here.
    whenForwarded: async () => {},
    clock: context.clock,
    log: openLog(join(readDataFolder(given), 'logs', 'command-line.log'), 'command line'),
    onChanged() {
      const { state, problem, hasGap } = feed.state();
      if (state === 'reading') tell(`Reading the feed from ${host}.`);
      if (hasGap) tell(`Older events may be missing: ${host} no longer has them.`);
      if (state === 'paused') tell('The feed is paused because the receiver is paused.');
      if (state === 'failed') tell(`Couldn’t read the feed from ${host}: ${problem?.message ?? ''} Retrying.`);
      if (state === 'absent') failed.reject(new AppFailure('UNAVAILABLE', `${host} has no feed.`));
    },
  });
  // It may fail before anyone awaits it.
  failed.promise.catch(() => {});
  feed.apply();
  return {
    failed: failed.promise,
    async close() {
      await feed.close();
      await opened.close();
    },
  };
}
