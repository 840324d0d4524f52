// The optional Redis of several processes (RAINBELL_CACHE). Nothing is stored only there: while it is away, each caller uses the
// database or what its process remembers, and this file reconnects.
import { randomUUID } from 'node:crypto';
import type { Redis, RedisOptions } from 'ioredis';
import type { Logger } from 'pino';
import { systemCode } from '#shared/errors/system-code.ts';
import type { Clock } from '#shared/time/clock.ts';

export type SharedCache = {
  /** Returns the result. Undefined if Redis is away, fails, or does not answer in time; at once after that, until it is back. */
  run<Result>(work: (redis: Redis) => Promise<Result>): Promise<Result | undefined>;
  /** The name of a key or channel. */
  key(kind: string, name: string): string;
  /** Sends text to all other processes; it is lost if Redis is away. */
  publish(channel: string, text: string): void;
  /** Receives what is published from now on. */
  subscribe(channel: string, onText: (text: string) => void): void;
  isAway(): boolean;
  close(): Promise<void>;
};

/** Increase it if keys or values change, so that an older version's are not misread. */
const version = 1;
/** A request that has to wait longer goes on without Redis. */
const defaultTimeoutMs = 500;
const connectTimeoutMs = 5_000;
const maxRetryMs = 5_000;

const silent = Symbol('silent');

type Options = {
  /** redis: or rediss:, with user, password, and the number of a database. */
  url: string;
  /** Of the service's database, so that services can share a Redis. */
  namespace: string;
  /** The machine's. */
  clock: Clock;
  log: Logger;
  timeoutMs?: number;
};

/** Connects in the background, and loads the client first. */
export async function openSharedCache({ url, namespace, clock, log, ...options }: Options): Promise<SharedCache> {
  const { timeoutMs = defaultTimeoutMs } = options;
  const { Redis } = await import('ioredis');
  const redis = new Redis(connectionOptions(url));
  const self = randomUUID();
  const listeners = new Map<string, (text: string) => void>();
  let subscriber: Redis | undefined;
  /** It did not answer in time; its connection is being closed. */
  let isSilent = false;
  let isLost = false;
  let isClosed = false;
  let reason = 'the connection was closed';

  redis.on('error', (error: Error) => (reason = reasonOf(error)));
  redis.on('close', () => {
    if (isLost || isClosed) return;
    isLost = true;
    // Neither the URL nor the error's command: both may contain the password.
    log.warn({ cache: new URL(url).host, reason }, 'the cache is unavailable; continuing without it');
  });
  redis.on('ready', () => {
    if (isLost) log.info({ cache: new URL(url).host }, 'the cache is available again');
    isLost = false;
    isSilent = false;
  });

  const isAway = () => isSilent || redis.status !== 'ready';

  function openSubscriber(): Redis {
    const opened = redis.duplicate({ enableOfflineQueue: true });
    opened.on('error', () => {});
    opened.on('message', (channel: string, message: string) => {
      const end = message.indexOf('\n');
      if (message.slice(0, end) !== self) listeners.get(channel)?.(message.slice(end + 1));
    });
    return opened;
  }

  async function run<Result>(work: (client: Redis) => Promise<Result>): Promise<Result | undefined> {
    if (isAway()) return undefined;
    try {
      const result = await answered(work(redis));
      if (result !== silent) return result;
      if (isAway()) return undefined;
      // Others would wait for it too.
      isSilent = true;
      reason = `no response in ${timeoutMs} ms`;
      redis.disconnect(true);
    } catch (error) {
      log.debug({ reason: reasonOf(error) }, 'the cache did not respond');
    }
    return undefined;
  }

  function answered<Result>(result: Promise<Result>): Promise<Result | typeof silent> {
    return new Promise((resolve, reject) => {
      let cancel = clock.after(timeoutMs, () => {
        // After a stall of this process, the responses that have arrived meanwhile are read first.
        cancel = clock.after(0, () => resolve(silent));
      });
      result.then(resolve, reject).finally(() => cancel());
    });
  }

  const key = (kind: string, name: string) => `rainbell:${version}:${namespace}:${kind}:${name}`;
  return {
    run,
    key,
    publish(channel, text) {
      void run((client) => client.publish(key('channel', channel), `${self}\n${text}`));
    },
    subscribe(channel, onText) {
      const name = key('channel', channel);
      listeners.set(name, onText);
      subscriber ??= openSubscriber();
      subscriber.subscribe(name).catch(() => {});
    },
    isAway,
    async close() {
      isClosed = true;
      // Without waiting for the server.
      for (const client of [redis, subscriber]) client?.disconnect();
    },
  };
}

function connectionOptions(address: string) {
  const url = new URL(address);
  const { username, password } = url;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port || 6379),
    ...(username === '' ? {} : { username: decodeURIComponent(username) }),
    ...(password === '' ? {} : { password: decodeURIComponent(password) }),
    db: Number(url.pathname.slice(1) || 0),
    ...(url.protocol === 'rediss:' ? { tls: {} } : {}),
    connectionName: 'rainbell',
    connectTimeout: connectTimeoutMs,
    // For its own commands after connecting; `answered` is stricter with ours.
    commandTimeout: connectTimeoutMs,
    // Requests don't wait for a connection, and a count that may have arrived is not sent again.
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    // One write for what is sent in one turn.
    enableAutoPipelining: true,
    retryStrategy: (attempts: number) =>
      Math.min(100 * 2 ** Math.min(attempts, 10), maxRetryMs) * (1 + Math.random() / 4),
  } satisfies RedisOptions;
}

/** A system code, or the first word of what Redis answered: WRONGPASS, NOAUTH, LOADING. */
function reasonOf(error: unknown): string {
  const answer = error instanceof Error ? /^[A-Z]{3,}(?=\s|$)/.exec(error.message)?.[0] : undefined;
  return systemCode(error) ?? answer ?? 'unknown error';
}
