// The accounts of applications, from memory once they are known, because an application never changes its owner.
import type { Kysely } from 'kysely';
import { createCache } from '../../cache/create-cache.ts';
import type { Tables } from '../../database/tables.ts';

export type Owners = ReturnType<typeof createOwners>;

const rememberedApplications = 50_000;

export function createOwners(db: Kysely<Tables>) {
  const known = createCache<string, string>(rememberedApplications);
  return {
    /** Returns the application itself while its account is unknown. */
    ownerOf: (applicationId: string) => known.get(applicationId) ?? applicationId,
    /** Looks up the missing owners; never throws. */
    async learn(events: readonly { application_id: string }[]): Promise<void> {
      const ids = [...new Set(events.map((event) => event.application_id))].filter((id) => !known.has(id));
      if (ids.length === 0) return;
      const rows = await db
        .selectFrom('applications')
        .select(['id', 'account_id'])
        .where('id', 'in', ids)
        .execute()
        .catch(() => []);
      for (const { id, account_id } of rows) known.set(id, account_id);
    },
  };
}
