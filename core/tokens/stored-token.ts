// A token as stored among the secrets, and when it counts as fresh.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { grantKinds } from '@rainbell/contract/service-api';
import { deviationSchema } from '@rainbell/contract/app-rpc';
import { parseJsonObject } from '@rainbell/shared';

const storedTokenSchema = z.object({
  accessToken: z.string(),
  refreshToken: z.string().nullable(),
  grant: z.enum(grantKinds),
  /** As granted; null if the service did not send it. */
  scope: z.string().nullable(),
  /** What the sign-in asked for; null if it asked for none, and for tokens of earlier versions. */
  requestedScope: z.string().nullable().default(null),
  obtainedAt: z.number(),
  /** Null: until the service refuses it. */
  expiresAt: z.number().nullable(),
  deviations: z.array(deviationSchema),
  binding: z.string(),
});
export type StoredToken = z.infer<typeof storedTokenSchema>;

const refreshBeforeExpiryMs = 30_000;

/** Whether it can be handed out at `now`. */
export function isFresh(token: StoredToken, now: number): boolean {
  const refreshAt = refreshTimeOf(token);
  // A token that only its user can refresh is used until it expires.
  if (refreshAt === undefined) return now < (token.expiresAt ?? Infinity);
  // One from before the clock was set back has an unknown age.
  return now < refreshAt && now >= token.obtainedAt - refreshBeforeExpiryMs;
}

/** The time to refresh it, epoch milliseconds; undefined if it can't be refreshed, or its expiry is unknown. */
export function refreshTimeOf(token: StoredToken): number | undefined {
  if (token.expiresAt === null) return undefined;
  if (token.refreshToken === null && token.grant !== 'client_credentials') return undefined;
  // Some tokens live for less than a minute; they would otherwise be renewed at every call.
  const margin = Math.min(refreshBeforeExpiryMs, (token.expiresAt - token.obtainedAt) / 2);
  return token.expiresAt - margin;
}

/** Undefined if there is none, it is unreadable, or it belongs to another client or service. */
export function readStoredToken(text: string | null, binding: string): StoredToken | undefined {
  const token = storedTokenSchema.safeParse(parseJsonObject(text ?? '')).data;
  return token?.binding === binding ? token : undefined;
}

/** One short text for all that a token belongs to; reveals nothing of the secret. */
export function bindingOf(facts: readonly (string | undefined)[]): string {
  return createHash('sha256').update(JSON.stringify(facts)).digest('base64url').slice(0, 22);
}
