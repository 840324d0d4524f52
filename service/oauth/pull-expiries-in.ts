// If the clock was set back, existing tokens would expire too late. They stay valid, but for at most their usual lifetime from now.
import type { Kysely } from 'kysely';
import type { Clock } from '@rainbell/shared';
import { sessionLifetimeMs } from '../accounts/sessions.ts';
import type { Tables } from '../database/tables.ts';
import { linkLifetimesMs } from '../mail/links.ts';
import type { LinkPurpose } from '../mail/tables.ts';
import type { Lifetimes } from './token-store.ts';

export async function pullExpiriesIn(db: Kysely<Tables>, clock: Clock, lifetimes: Lifetimes): Promise<void> {
  const now = clock.now();
  const longest = {
    access_tokens: lifetimes.accessTokenSeconds * 1000,
    refresh_tokens: lifetimes.refreshTokenSeconds * 1000,
    codes: lifetimes.codeSeconds * 1000,
    sessions: sessionLifetimeMs,
  } as const;
  for (const table of Object.keys(longest) as (keyof typeof longest)[]) {
    const latest = now + longest[table];
    await db.updateTable(table).set({ expires_at: latest }).where('expires_at', '>', latest).execute();
  }
  for (const [purpose, lifetimeMs] of Object.entries(linkLifetimesMs) as [LinkPurpose, number][]) {
    const late = db
      .updateTable('mail_links')
      .where('purpose', '=', purpose)
      .where('expires_at', '>', now + lifetimeMs);
    await late.set({ expires_at: now + lifetimeMs }).execute();
  }
}
