// `rainbell listen --feed`: reads the feed of a service into the store that this command writes (docs/feed.md).
import type { AppClient, FeedState } from '@rainbell/contract/app-rpc';
import { AppFailure, hostOf, isFolderInUse } from '@rainbell/core';
import { serviceOptions } from '../session/credentials.ts';
import { findSandbox, nameService } from '../session/service-session.ts';
import { UsageError, type Options, type ParsedArguments } from '../terminal/arguments.ts';
import type { CommandContext } from '../terminal/command.ts';

export const feedOptions = {
  feed: { words: 'also read events from the service’s feed; callbacks don’t have to reach this computer' },
  ...serviceOptions,
} as const satisfies Options;

export const feedDetails =
  '--feed reads the application’s events from its service, starting now or where an earlier command stopped. The\n' +
  'service must have a feed; specify the service as in other commands (default: a sandbox that runs during this command). If\n' +
  'the app is running, turn on “Read events from the feed” there instead.';

/** Throws UsageError for flags that name a service without --feed. */
export function requireFeedFlags(given: ParsedArguments): void {
  if (given.isSet('feed')) return;
  const named = ['connection', 'base-url', 'client-id'].find((flag) => given.text(flag) !== undefined);
  const extra = given.isSet('client-secret-stdin') ? 'client-secret-stdin' : named;
  if (extra === undefined) return;
  throw new UsageError(`--${extra} selects the feed’s service: add --feed, or omit --${extra}.`);
}

export type Feed = NonNullable<Awaited<ReturnType<typeof prepareFeed>>>;

/** Undefined without --feed. Throws UsageError, and AppFailure UNAVAILABLE if another process has the data folder. */
export async function prepareFeed(given: ParsedArguments, context: CommandContext, dataFolder: string) {
  if (!given.isSet('feed')) return undefined;
  if (isFolderInUse(dataFolder)) {
    throw new AppFailure(
      'UNAVAILABLE',
      'Another Rainbell process is using this data folder and storing its callbacks. Turn on “Read events from the feed” there, or choose another folder with --data.',
    );
  }
  const { service, userTokens } = await nameService(given, context);
  const sandbox = service ? undefined : await findSandbox(dataFolder, undefined, context);
  return {
    service,
    userTokens,
    sandbox: sandbox?.introduction,
    readsFeed: true,
    host: hostOf(service?.baseUrl ?? sandbox?.introduction.baseUrl ?? ''),
    close: async () => sandbox?.close(),
  };
}

/** Reports how reading goes until `ending`. Rejects if the service has no feed, and then aborts `ending`. */
export async function watchFeed(
  client: AppClient,
  { host }: Feed,
  tell: (sentence: string) => void,
  ending: AbortController,
): Promise<void> {
  let before: FeedState | undefined;
  try {
    for await (const { topic } of await client.app.notices(undefined, { signal: ending.signal })) {
      if (topic !== 'status') continue;
      const { feed } = await client.app.status();
      const { state, problem, hasGap } = feed;
      if (hasGap && before?.hasGap !== true) tell(`Older events may be missing: ${host} no longer has them.`);
      if (state === 'absent') throw new AppFailure('UNAVAILABLE', `${host} has no feed.`);
      if (state !== before?.state || problem?.message !== before.problem?.message) {
        if (state === 'reading') tell(`Reading the feed from ${host}.`);
        if (state === 'paused') tell('The feed is paused because the receiver is paused.');
        if (state === 'failed') tell(`Couldn’t read the feed from ${host}: ${problem?.message ?? ''} Retrying.`);
      }
      before = feed;
    }
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    ending.abort();
  }
}
