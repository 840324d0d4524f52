// The keys with which callbacks are verified (Standard Webhooks), per connection: entered by the user and stored among the
// secrets, or fetched from our sandbox, or the public key that a service of our kind publishes.
import type { z } from 'zod';
import { sandboxWebhookSecretsSchema, webhookKeySetSchema } from '@rainbell/contract/service-api';
import type { Clock } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';
import type { WebhookKeySource } from '@rainbell/contract/app-rpc';
import type { ApiClient } from './api-client.ts';
import type { Connection } from './connection.ts';
import type { ActiveConnection } from './active-connection.ts';
import type { SecretsPort } from '../ports/host.ts';
import type { Log } from '../ports/log.ts';
import type { SigningFacts } from '../receiver/checks/event-evidence.ts';
import type { KnownSecret } from '../senders/diagnose-sender.ts';

export type WebhookSecrets = ReturnType<typeof createWebhookSecrets>;

type Known = { source: WebhookKeySource; secrets: readonly string[] };

type WebhookSecretsDependencies = {
  activeConnection: ActiveConnection;
  secrets: SecretsPort;
  /** IDs of all connections, the sandbox included. */
  connectionIds: () => readonly string[];
  /** Whether the active connection's service has a delivery log; such a service may publish its key. */
  hasDeliveryLog: () => boolean;
  clock: Clock;
  log: Log;
  onChanged: () => void;
};

/** `of`: the connection it was read for; another one is another object. */
type Entry = { of: Connection; hadDeliveryLog: boolean; readAt: number; reading: Promise<Known>; now: Known };

const none: Known = { source: 'none', secrets: [] };
/** A service can change its secret: how often to fetch it again while callbacks are checked. */
const retryMs = 60_000;

export function createWebhookSecrets(dependencies: WebhookSecretsDependencies) {
  const { activeConnection, secrets, connectionIds, hasDeliveryLog, clock, log, onChanged } = dependencies;
  let entry: Entry | undefined;

  function readAgain(of: Connection): Entry {
    const now = entry?.of === of ? entry.now : none;
    const next: Entry = {
      of,
      hadDeliveryLog: hasDeliveryLog(),
      readAt: clock.elapsed(),
      reading: readFor(of),
      now,
    };
    entry = next;
    next.reading.then(
      (value) => {
        const isNew = value.secrets.join() !== next.now.secrets.join();
        next.now = value;
        if (isNew) onChanged();
      },
      (error: unknown) => log.warn({ err: error }, 'the webhook secret could not be read'),
    );
    return next;
  }

  function entryOf(of: Connection): Entry {
    const isFresh =
      entry?.of === of && entry.hadDeliveryLog === hasDeliveryLog() && clock.elapsed() - entry.readAt < retryMs;
    return entry && isFresh ? entry : readAgain(of);
  }

  async function readFor(of: Connection): Promise<Known> {
    const typed = keysIn((await secrets.read(nameFor(of.profile.id))) ?? '');
    const found = typed.length > 0 || !of.isSandbox ? typed : await readSecrets(of);
    // A callback can be signed in both ways, and either signature can be wrong.
    const needsPublished = hasDeliveryLog() && !found.some((key) => key.startsWith('whpk_'));
    const published = needsPublished ? await readPublishedKeys(of) : [];
    const source = typed.length > 0 ? 'typed' : found.length > 0 ? 'service' : 'published';
    const all = [...found, ...published];
    return all.length > 0 ? { source, secrets: all } : none;
  }

  return {
    /** What is known so far; the rest is being fetched, and `onChanged` is called when it arrives. */
    facts(): SigningFacts {
      const of = activeConnection.present();
      if (!of) return { secrets: [], isClockMovable: false };
      const { secrets: known, source } = entryOf(of).now;
      // A secret that was typed in is one of a service under test, whose clock counts.
      return { secrets: known, isClockMovable: of.isSandbox && source !== 'typed' };
    },
    async source(): Promise<WebhookKeySource> {
      return (await entryOf(await activeConnection.current()).reading).source;
    },
    /** The secrets that sign callbacks of the active connection, newest first, without public keys. */
    async current(): Promise<readonly string[]> {
      const { secrets: known } = await entryOf(await activeConnection.current()).reading;
      return known.filter((key) => !key.startsWith('whpk_'));
    },
    /** Stores one or more keys, separated by spaces; null deletes them. Throws AppFailure INVALID_INPUT if one is malformed. */
    async set(text: string | null) {
      const typed = text === null ? null : requireKeys(text).join(' ');
      const of = await activeConnection.current();
      const { id } = of.profile;
      const before = await secrets.read(nameFor(id));
      if (before !== null && before !== typed) await secrets.write(previousNameFor(id), before);
      await secrets.write(nameFor(id), typed);
      await readAgain(of).reading;
    },
    async deleteOf(connectionId: string) {
      await secrets.write(nameFor(connectionId), null);
      await secrets.write(previousNameFor(connectionId), null);
    },
    /** Every secret that a signer may have used by mistake, for the signature doctor. */
    async candidates(): Promise<KnownSecret[]> {
      const of = await activeConnection.current();
      const { secrets: current } = await entryOf(of).reading;
      const { id, clientSecret } = of.profile;
      const stored = async (name: string) => keysIn((await secrets.read(name)) ?? '');
      const others = connectionIds().filter((other) => other !== id);
      const found: readonly (readonly [KnownSecret['origin'], readonly string[]])[] = [
        ['current', current],
        ['previous', await stored(previousNameFor(id))],
        ['client', clientSecret === undefined ? [] : [clientSecret]],
        ['other-connection', (await Promise.all(others.map((other) => stored(nameFor(other))))).flat()],
      ];
      return found.flatMap(([origin, texts]) => texts.map((secret) => ({ secret, origin })));
    },
  };
}

function nameFor(connectionId: string): string {
  return `webhook-secret:${connectionId}`;
}

/** What was stored before the last change; only the signature doctor reads it. */
function previousNameFor(connectionId: string): string {
  return `webhook-secret-previous:${connectionId}`;
}

/** During a rotation there are two, and a service may have a public key in addition to a secret. */
const maxKeys = 4;

function keysIn(text: string): string[] {
  return text.split(/\s+/).filter((key) => key !== '');
}

/** Our sandbox returns the secrets that it signs with; another service, or an older one, has no such URL. */
async function readSecrets({ api }: Connection): Promise<readonly string[]> {
  const reported = await readIfThere(api, '/sandbox/webhook-secrets', sandboxWebhookSecretsSchema);
  return [reported?.webhook_secret, reported?.previous_webhook_secret].filter((secret) => typeof secret === 'string');
}

/** Only a service that publishes keys has this path; others are not queried (`hasDeliveryLog`). */
async function readPublishedKeys({ api }: Connection): Promise<readonly string[]> {
  const published = await readIfThere(api, '/.well-known/webhook-keys.json', webhookKeySetSchema);
  return (published?.keys ?? []).map(({ x }) => `whpk_${Buffer.from(x, 'base64url').toString('base64')}`);
}

async function readIfThere<Value>(api: ApiClient, path: string, schema: z.ZodType<Value>): Promise<Value | undefined> {
  try {
    const response = await api.call({ method: 'GET', path, isBackground: true });
    return schema.safeParse((await response.json()).value).data;
  } catch (error) {
    if (error instanceof AppFailure) return undefined;
    throw error;
  }
}

function requireKeys(text: string): string[] {
  const keys = keysIn(text);
  if (keys.length > 0 && keys.length <= maxKeys && keys.every(isWebhookKey)) return keys;
  throw new AppFailure(
    'INVALID_INPUT',
    `Enter the secret as the service shows it (whsec_ followed by 24 to 64 bytes in base64), or its public key (whpk_ followed by 32 bytes in base64). Enter at most ${maxKeys} keys, separated by spaces.`,
    { field: 'secret' },
  );
}

/** Whether a text is a secret of 24 to 64 bytes or a public key of 32 bytes, as Standard Webhooks writes them. */
export function isWebhookKey(text: string): boolean {
  if (!/^((whsec|whpk)_)?[A-Za-z0-9+/]+={0,2}$/.test(text)) return false;
  const { length } = Buffer.from(text.replace(/^(whsec|whpk)_/, ''), 'base64');
  return text.startsWith('whpk_') ? length === 32 : length >= 16 && length <= 64;
}
