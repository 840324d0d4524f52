// Contracts: an account subscribes to a plan once, and its applications use that contract (docs/interface.md §7.3).
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#shared/time/clock.ts';
import type { Tables } from '../database/tables.ts';
import { newId } from '#service/secrets/random-text.ts';
import type { PlanId } from './plans.ts';
import { StoreRefusal } from './store-refusal.ts';
import type { AccountTables, ContractState } from './tables.ts';

export type Contract = Selectable<AccountTables['contracts']>;

/** A contract with the account that requested it. */
export type ContractRequest = Contract & {
  username: string;
  email: string;
  email_confirmed_at: number | null;
  pending_email: string | null;
};

export type ContractStore = {
  listOf(accountId: string): Promise<Contract[]>;
  list(): Promise<ContractRequest[]>;
  /**
   * Creates an active contract, or a pending one if the plan needs approval. A denied one is requested again. Throws
   * `plan_subscribed`.
   */
  create(accountId: string, plan: PlanId, needsApproval?: boolean): Promise<Contract>;
  /** Returns the active contract with that plan, created if missing; for plans without approval, and for the operator. */
  ensure(accountId: string, plan: PlanId): Promise<Contract>;
  /** Records the operator's decision on a pending contract. Throws `contract_not_pending`. */
  decide(contractId: string, state: 'active' | 'denied'): Promise<ContractRequest>;
  /** Throws `contract_unknown`, or `contract_in_use` while an application uses it. */
  end(accountId: string, contractId: string): Promise<void>;
};

export function createContractStore({ db, clock }: { db: Kysely<Tables>; clock: Clock }): ContractStore {
  const find = (trx: Kysely<Tables>, accountId: string, plan: string) =>
    trx
      .selectFrom('contracts')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('plan', '=', plan)
      .executeTakeFirst();
  const requests = (trx: Kysely<Tables>) =>
    trx
      .selectFrom('contracts')
      .innerJoin('accounts', 'accounts.id', 'contracts.account_id')
      .selectAll('contracts')
      .select(['accounts.username', 'accounts.email', 'accounts.email_confirmed_at', 'accounts.pending_email']);

  async function put(
    trx: Kysely<Tables>,
    accountId: string,
    plan: PlanId,
    state: ContractState,
    before: Contract | undefined,
  ): Promise<Contract> {
    const contract = { id: before?.id ?? newId(), account_id: accountId, plan, created_at: clock.now(), state };
    if (before) await trx.updateTable('contracts').set(contract).where('id', '=', before.id).execute();
    else await trx.insertInto('contracts').values(contract).execute();
    return contract;
  }

  return {
    listOf: (accountId) =>
      db.selectFrom('contracts').selectAll().where('account_id', '=', accountId).orderBy('created_at').execute(),
    list: () => requests(db).orderBy('contracts.created_at').orderBy('contracts.id').execute(),
    create: (accountId, plan, needsApproval = false) =>
      db.transaction().execute(async (trx) => {
        const before = await find(trx, accountId, plan);
        if (before && before.state !== 'denied') throw new StoreRefusal('plan_subscribed');
        return put(trx, accountId, plan, needsApproval ? 'pending' : 'active', before);
      }),
    ensure: (accountId, plan) =>
      db.transaction().execute(async (trx) => {
        const before = await find(trx, accountId, plan);
        return before?.state === 'active' ? before : put(trx, accountId, plan, 'active', before);
      }),
    decide: (contractId, state) =>
      db.transaction().execute(async (trx) => {
        const changed = await trx
          .updateTable('contracts')
          .set({ state })
          .where('id', '=', contractId)
          .where('state', '=', 'pending')
          .executeTakeFirst();
        if (changed.numUpdatedRows !== 1n) throw new StoreRefusal('contract_not_pending');
        return requests(trx).where('contracts.id', '=', contractId).executeTakeFirstOrThrow();
      }),
    end: (accountId, contractId) =>
      db.transaction().execute(async (trx) => {
        const used = await trx
          .selectFrom('applications')
          .select('id')
          .where('contract_id', '=', contractId)
          .executeTakeFirst();
        if (used) throw new StoreRefusal('contract_in_use');
        const change = await trx
          .deleteFrom('contracts')
          .where('id', '=', contractId)
          .where('account_id', '=', accountId)
          .executeTakeFirst();
        if (change.numDeletedRows !== 1n) throw new StoreRefusal('contract_unknown');
      }),
  };
}
