// Basic credentials of callbacks (RFC 7617). They are stored once, encrypted, with the monitor, so that a change takes effect at
// once; an event only records that there are some.
import type { Kysely } from 'kysely';
import { ServiceError } from '../../errors/service-error.ts';
import { openSeal, type SecretSeal } from '../../secrets/secret-seal.ts';
import type { Tables } from '../../database/tables.ts';
import type { WaitingEvent } from '../schema/tables.ts';

/**
 * Returns the `Authorization` for an event's callback; undefined if its monitor has none, or now uses another server. Throws a
 * ServiceError if no key of this process decrypts it.
 */
export type CallbackCredentials = (
  event: Pick<WaitingEvent, 'monitor_id' | 'callback_uri'>,
) => Promise<string | undefined>;

export function createCallbackCredentials({
  db,
  seal = openSeal,
}: {
  db: Kysely<Tables>;
  seal?: SecretSeal;
}): CallbackCredentials {
  return async (event) => {
    const monitor = await db
      .selectFrom('monitors')
      .select(['callback_uri', 'callback_credentials'])
      .where('id', '=', event.monitor_id)
      .executeTakeFirst();
    if (!monitor || monitor.callback_credentials === null) return undefined;
    if (new URL(monitor.callback_uri).origin !== new URL(event.callback_uri).origin) return undefined;
    const credentials = seal.open(monitor.callback_credentials);
    if (credentials === undefined) throw new ServiceError('server_error', unreadable);
    return `Basic ${Buffer.from(credentials, 'utf8').toString('base64')}`;
  };
}

const unreadable =
  "The password for this callback URL cannot be decrypted with this process's keys. " +
  'The operator of the service can find the cause with "operator keys check".';

/** Removes a password that a receiver returned, as echo servers do, even if it is cut off. */
export function withoutCredentials(text: string, authorization: string): string {
  const encoded = authorization.slice('Basic '.length);
  const password = Buffer.from(encoded, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
  return [encoded, password, encodeURIComponent(password)].reduce(mask, text);
}

function mask(text: string, secret: string): string {
  if (secret === '') return text;
  const masked = text.replaceAll(secret, '••••');
  for (let length = Math.min(secret.length - 1, masked.length); length >= 4; length -= 1) {
    if (masked.endsWith(secret.slice(0, length))) return `${masked.slice(0, -length)}••••`;
  }
  return masked;
}
