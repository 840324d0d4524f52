// Log of operators' actions on the website and the command line: the actor, time, action, and target; never a password, secret, or token.
// Rows are only added, which the database enforces, and deleted when they are old.
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#shared/time/clock.ts';
import type { Tables } from '../database/tables.ts';
import { newId } from '#service/secrets/random-text.ts';

export type AuditTables = {
  audit_log: {
    id: string;
    at: number;
    via: 'website' | 'command line';
    /** The operator's username on the website, or the user of the operating system. */
    actor: string;
    /** Subject and verb, such as "account disable". */
    action: string;
    /** A username, client ID, or contract ID; '' if there is none. */
    target: string;
    /** The action's arguments as JSON. */
    details: string;
    outcome: 'done' | 'failed';
  };
};

declare module '#service/database/tables.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only interfaces merge
  interface Tables extends AuditTables {}
}

type Details = Readonly<Record<string, string | number | boolean | null>>;
export type AuditEntry = Pick<AuditTables['audit_log'], 'via' | 'actor' | 'action' | 'target'> & { details?: Details };
export type AuditRow = Selectable<AuditTables['audit_log']>;

export type AuditLog = {
  /** Does the work and records its result, including a failure. */
  audited<Result>(entry: AuditEntry, work: () => Promise<Result>): Promise<Result>;
  /** Newest first. */
  list(limit: number, offset: number): Promise<AuditRow[]>;
  forgetOld(): Promise<void>;
};

const maxTextLength = 200;
const maxDetailsLength = 1_000;
const dayMs = 86_400_000;

export function createAuditLog({ db, clock, days }: { db: Kysely<Tables>; clock: Clock; days: number }): AuditLog {
  async function write(entry: AuditEntry, outcome: AuditRow['outcome']): Promise<void> {
    const { via, actor, action, target, details = {} } = entry;
    const text = JSON.stringify(details);
    await db
      .insertInto('audit_log')
      .values({
        id: newId(),
        at: clock.now(),
        via,
        actor: actor.slice(0, maxTextLength),
        action: action.slice(0, maxTextLength),
        target: target.slice(0, maxTextLength),
        details: text.length > maxDetailsLength ? '{"omitted":"too long"}' : text,
        outcome,
      })
      .execute();
  }
  return {
    async audited(entry, work) {
      let outcome: AuditRow['outcome'] = 'failed';
      try {
        const result = await work();
        outcome = 'done';
        return result;
      } finally {
        await write(entry, outcome);
      }
    },
    list: (limit, offset) =>
      db.selectFrom('audit_log').selectAll().orderBy('at', 'desc').orderBy('id').limit(limit).offset(offset).execute(),
    async forgetOld() {
      await db
        .deleteFrom('audit_log')
        .where('at', '<', clock.now() - days * dayMs)
        .execute();
    },
  };
}
