// News of revocations through Redis (RAINBELL_CACHE): other processes drop revoked tokens at once, even while they cannot read the
// database. It may lose some, so each process still reads the revocations (access-check.ts).
import { z } from 'zod';
import type { Revoked } from '#service/accounts/revocation.ts';
import type { SharedCache } from '#service/cache/shared-cache.ts';

export type RevocationFeed = {
  /** Notifies all other processes; returns at once. */
  send(revoked: Revoked): void;
  listen(apply: (revoked: readonly Revoked[]) => void): void;
};

const channel = 'revoked';
const newsSchema = z.object({ kind: z.enum(['token', 'grant', 'application', 'account']), subject: z.string() });

export function createRevocationFeed(cache: SharedCache): RevocationFeed {
  return {
    send: (revoked) => cache.publish(channel, JSON.stringify(revoked)),
    listen(apply) {
      cache.subscribe(channel, (text) => {
        const news = newsSchema.safeParse(parseJson(text));
        if (news.success) apply([news.data]);
      });
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
