// Contracts: an account subscribes to a plan once, and its applications use that contract (docs/interface.md §7.3).
import type { Selectable } from 'kysely';
import type { Clock } from '@rainbell/shared';
import type { Db, Tables } from '../database/tables.ts';
import type { PlanId } from './plans.ts';
import { StoreRefusal } from './store-refusal.ts';

export type Contract = Selectable<Tables['contracts']>;

export function createContractStore({ db, clock }: { db: Db; clock: Clock }) {
  const ensure = (accountId: string, plan: PlanId) =>
    db
      .insertInto('contracts')
      .values({ account_id: accountId, plan, created_at: clock.now() })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow();
  return {
    listOf: (accountId: string): Promise<Contract[]> =>
      db.selectFrom('contracts').selectAll().where('account_id', '=', accountId).orderBy('created_at').execute(),
    /** Throws `plan_subscribed`. */
    async create(accountId: string, plan: PlanId): Promise<void> {
      const { numInsertedOrUpdatedRows } = await ensure(accountId, plan);
      if (numInsertedOrUpdatedRows !== 1n) throw new StoreRefusal('plan_subscribed');
    },
    ensure,
  };
}
