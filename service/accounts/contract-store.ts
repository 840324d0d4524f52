// Contracts: an account subscribes to a plan once, and its applications use that contract (docs/interface.md §7.3).
import type { Selectable } from 'kysely';
import type { Clock } from '@rainbell/shared';
import type { Db, Tables } from '../database/tables.ts';
import { newId } from '../secrets/random-text.ts';
import type { PlanId } from './plans.ts';
import { StoreRefusal } from './store-refusal.ts';

export type Contract = Selectable<Tables['contracts']>;

export type ContractStore = ReturnType<typeof createContractStore>;

export function createContractStore({ db, clock }: { db: Db; clock: Clock }) {
  const find = (trx: Db, accountId: string, plan: string) =>
    trx
      .selectFrom('contracts')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('plan', '=', plan)
      .executeTakeFirst();

  async function add(trx: Db, accountId: string, plan: PlanId): Promise<Contract> {
    const contract = { id: newId(), account_id: accountId, plan, created_at: clock.now() };
    await trx.insertInto('contracts').values(contract).execute();
    return contract;
  }

  return {
    listOf: (accountId: string) =>
      db.selectFrom('contracts').selectAll().where('account_id', '=', accountId).orderBy('created_at').execute(),
    /** Throws `plan_subscribed`. */
    create: (accountId: string, plan: PlanId) =>
      db.transaction().execute(async (trx) => {
        if (await find(trx, accountId, plan)) throw new StoreRefusal('plan_subscribed');
        return add(trx, accountId, plan);
      }),
    ensure: (accountId: string, plan: PlanId) =>
      db.transaction().execute(async (trx) => (await find(trx, accountId, plan)) ?? (await add(trx, accountId, plan))),
  };
}
