// State of a monitor's callback (docs/delivery.md S10): a success resets earlier failures; 410, or too many consecutive failed
// events, stops delivery to that monitor until someone turns it on again or changes its URL.
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Logger } from 'pino';
import type { CancelTimer, Clock } from '@rainbell/shared';
import { isAmong } from '../../database/id-list.ts';
import type { Database } from '../../database/open-database.ts';
import type { Tables } from '../../database/tables.ts';
import type { WaitingEvent } from './tables.ts';
import { endpointFailingMail, endpointOffMail, endpointRecoveredMail } from '../../mail/endpoint-mails.ts';
import type { Mailer } from '../../mail/mailer.ts';
import type { NewMail } from '../../mail/outbox.ts';
import { disabledReason } from '../../accounts/pause-monitors.ts';

type Engine = Database['engine'];

const failedEventLimit = 24;
const recentEvents = 22;

/** Appends an outcome to the monitor's recent ones; drops the oldest. */
export function withOutcome(outcome: 'd' | 'f') {
  return sql<string>`substr(recent_events || ${sql.lit(outcome)}, case when length(recent_events) < ${sql.lit(recentEvents)} then 1 else 2 end)`;
}

/** `off_reason` of a monitor. */
export const goneReason = 'the callback URL returned 410 Gone';

/** Also true for the reason that earlier versions stored. */
export const isGoneReason = (reason: string | null) => reason?.endsWith(' returned 410 Gone') === true;

/** An event that ended without success. `isGone`: the callback URL returned 410. */
type FailedEvent = { monitor_id: string; at: number; error: string | null; isGone?: boolean };

type Ended = {
  event: Pick<WaitingEvent, 'kind' | 'monitor_id' | 'is_resend'>;
  startedAt: number;
  result: { error: string | null };
  outcome: 'delivered' | 'waiting' | 'failed' | 'gone';
};

/**
 * Counts events that ended. A claim has counted its events as delivered, so a success only ends a series of failures. Ignores test
 * events; counts a resend only if it succeeds, or the callback returns 410.
 */
export async function countOutcomes(
  trx: Transaction<Tables>,
  engine: Engine,
  records: readonly Ended[],
): Promise<void> {
  const real = records.filter(({ event }) => event.kind === 'precipitation');
  const delivered = real.filter(({ outcome }) => outcome === 'delivered').map(({ event }) => event);
  if (delivered.length > 0) {
    await trx
      .updateTable('monitors')
      .set({ failed_events: 0 })
      .where(
        isAmong(
          engine,
          'id',
          delivered.map(({ monitor_id }) => monitor_id),
        ),
      )
      .where('failed_events', '>', 0)
      .execute();
  }
  for (const round of roundsOf(delivered.filter(({ is_resend }) => is_resend === 1))) {
    await trx
      .updateTable('monitors')
      .set((columns) => ({ delivered_count: columns('delivered_count', '+', 1), recent_events: withOutcome('d') }))
      .where(isAmong(engine, 'id', [...round.keys()]))
      .execute();
  }
  const failedOf = (isResend: boolean, outcomes: readonly string[]): FailedEvent[] =>
    real
      .filter(({ event, outcome }) => (event.is_resend === 1) === isResend && outcomes.includes(outcome))
      .map(({ event: { monitor_id }, outcome, startedAt: at, result: { error } }) => {
        return { monitor_id, at, error, isGone: outcome === 'gone' };
      });
  await countFailed(trx, engine, failedOf(false, ['failed', 'gone']), { wasCounted: true });
  await countFailed(trx, engine, failedOf(true, ['gone']), { wasCounted: false });
}

/** By monitor; one with several events is in as many rounds, because a statement counts only one. */
function roundsOf<Event extends { monitor_id: string }>(events: readonly Event[]): Map<string, Event>[] {
  const rounds: Map<string, Event>[] = [];
  for (const event of events) {
    const round = rounds.find((other) => !other.has(event.monitor_id)) ?? new Map<string, Event>();
    if (round.size === 0) rounds.push(round);
    round.set(event.monitor_id, event);
  }
  return rounds;
}

/** Counts events that expired without a last attempt. */
export function countUnsent(
  trx: Transaction<Tables>,
  engine: Engine,
  events: readonly { monitor_id: string }[],
  now: number,
): Promise<void> {
  return countFailed(
    trx,
    engine,
    events.map(({ monitor_id }) => ({ monitor_id, at: now, error: 'not sent in time' })),
    { wasCounted: true },
  );
}

/** `wasCounted`: the claim has counted the event as delivered, which is taken back. */
async function countFailed(
  trx: Transaction<Tables>,
  engine: Engine,
  failed: readonly FailedEvent[],
  { wasCounted }: { wasCounted: boolean },
): Promise<void> {
  for (const round of roundsOf(failed)) {
    const monitors = await trx
      .updateTable('monitors')
      .set((columns) => ({
        failed_events: columns('failed_events', '+', 1),
        failed_count: columns('failed_count', '+', 1),
        delivered_count: columns('delivered_count', '-', wasCounted ? 1 : 0),
        recent_events: wasCounted
          ? sql<string>`case recent_events when '' then 'f' else substr(recent_events, 1, length(recent_events) - 1) || 'f' end`
          : withOutcome('f'),
      }))
      .where(isAmong(engine, 'id', [...round.keys()]))
      .returning(['id', 'application_id', 'failed_events'])
      .execute();
    for (const { id, application_id, failed_events: failures } of monitors) {
      const { at = 0, error = null, isGone = false } = round.get(id) ?? {};
      if (!isGone && failures < failingEvents) continue;
      await openIncident(trx, application_id, at);
      if (!isGone && failures < failedEventLimit) continue;
      await trx
        .updateTable('monitors')
        .set({
          off_since: at,
          off_reason: isGone ? goneReason : `${failures} events in a row failed; last error: ${error ?? 'no response'}`,
        })
        .where('id', '=', id)
        .where('off_since', 'is', null)
        .execute();
    }
  }
}

// Reports failing callbacks to their owner (docs/delivery.md S16). An application's incident lasts from its first failing monitor
// until none fails, so a broken server causes one email instead of one per monitor. The failed attempt opens it; the next check
// closes it.

/** How many consecutive failed events of a monitor open an incident. */
export const failingEvents = 3;
const lookEveryMs = 60_000;
const looksAtOnce = 200;
/** Minimum time between two emails of the same kind, for a server that fails on and off. */
const quietMs = 6 * 3_600_000;

/** The problems of an application's monitors; `off` counts those among `failing`. */
type FailureCounts = { failing: number; off: number };

/** Opens the incident of an application, in the transaction that counts the failure. */
export async function openIncident(trx: Transaction<Tables>, applicationId: string, now: number): Promise<void> {
  // Read first, because an insert would lock the row against others that count the application's failures.
  const open = trx
    .selectFrom('endpoint_incidents')
    .select('application_id')
    .where('application_id', '=', applicationId)
    .where('ended_at', 'is', null);
  if (await open.executeTakeFirst()) return;
  await trx
    .insertInto('endpoint_incidents')
    .values({ application_id: applicationId, began_at: now, told: 'nothing', told_at: 0 })
    // A closed incident is kept for `quietMs`.
    .onConflict((conflict) =>
      conflict
        .column('application_id')
        .doUpdateSet({ began_at: now, ended_at: null, told: 'nothing' })
        .where('endpoint_incidents.ended_at', 'is not', null),
    )
    .execute();
}

export type Incident = FailureCounts & { applicationId: string; name: string; beganAt: number };

/** Returns an account's open incidents, oldest first; at most `limit`. */
export async function incidentsOf(db: Kysely<Tables>, accountId: string, limit: number): Promise<Incident[]> {
  const rows = await db
    .selectFrom('endpoint_incidents')
    .innerJoin('applications', 'applications.id', 'endpoint_incidents.application_id')
    .select(['applications.id', 'applications.name', 'endpoint_incidents.began_at'])
    .where('applications.account_id', '=', accountId)
    .where('endpoint_incidents.ended_at', 'is', null)
    .orderBy('endpoint_incidents.began_at')
    .limit(limit)
    .execute();
  const incidents = await Promise.all(
    rows.map(async ({ id, name, began_at }) => ({
      applicationId: id,
      name,
      beganAt: Number(began_at),
      ...(await countFailures(db, id)),
    })),
  );
  return incidents.filter(({ failing }) => failing > 0);
}

async function countFailures(db: Kysely<Tables>, applicationId: string): Promise<FailureCounts> {
  const { failing, off } = await db
    .selectFrom('monitors')
    .select((select) => [select.fn.countAll<number>().as('failing'), select.fn.count<number>('off_since').as('off')])
    .where('application_id', '=', applicationId)
    .where((where) => where.or([where('failed_events', '>=', failingEvents), where('off_since', 'is not', null)]))
    .where((where) => where.or([where('off_reason', 'is', null), where('off_reason', '!=', disabledReason)]))
    .executeTakeFirstOrThrow();
  return { failing: Number(failing), off: Number(off) };
}

type Dependencies = {
  db: Kysely<Tables>;
  clock: Clock;
  log: Logger;
  mailer: Pick<Mailer, 'send' | 'isSending'>;
  baseUrl: string;
};

export function createIncidentNotifier({ db, clock, log, mailer, baseUrl }: Dependencies) {
  let cancelTimer: CancelTimer = () => {};
  let isClosed = false;
  let running = Promise.resolve();

  async function look(): Promise<void> {
    const now = clock.now();
    await db
      .deleteFrom('endpoint_incidents')
      .where('ended_at', '<', now - quietMs)
      .execute();
    let after = '';
    for (;;) {
      const open = await openIncidents(db, after);
      for (const incident of open) await judge(incident, now);
      after = open.at(-1)?.application_id ?? '';
      if (open.length < looksAtOnce || isClosed) return;
    }
  }

  async function judge(incident: OpenIncident, now: number): Promise<void> {
    const { failing, off } = await countFailures(db, incident.application_id);
    const { told } = incident;
    if (failing === 0) {
      if (!(await change(incident, { ended_at: now }))) return;
      if (told !== 'nothing') await tell(incident, endpointRecoveredMail);
      return;
    }
    const facts = { failing, off };
    if (off > 0 && told !== 'off') {
      if (await change(incident, { told: 'off', told_at: now })) await tell(incident, endpointOffMail, facts);
    } else if (told === 'nothing' && incident.told_at < now - quietMs) {
      if (await change(incident, { told: 'failing', told_at: now })) await tell(incident, endpointFailingMail, facts);
    }
  }

  /** Returns false if another process was first: only one sends an email. */
  async function change({ application_id, told }: OpenIncident, values: IncidentChange): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('endpoint_incidents')
      .set(values)
      .where('application_id', '=', application_id)
      .where('told', '=', told)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async function tell(
    incident: OpenIncident,
    mail: (facts: FailureCounts & { name: string; email: string; url: string }) => NewMail,
    trouble: FailureCounts = { failing: 0, off: 0 },
  ): Promise<void> {
    const { name, email, application_id: id } = incident;
    const isWanted = incident.endpoint_mails === 1 && incident.is_sandbox === 0 && incident.disabled_at === null;
    // Without a mail server, the email stays in the outbox for the operator, so the address doesn't have to be confirmed.
    if (!isWanted || (mailer.isSending && incident.email_confirmed_at === null)) return;
    await mailer.send(mail({ ...trouble, name, email, url: `${baseUrl}/applications/${id}/monitors/` }));
  }

  function lookLater(): void {
    if (isClosed) return;
    cancelTimer = clock.after(lookEveryMs, () => {
      running = look()
        .catch((error: unknown) => log.error({ err: error }, 'owners could not be notified of failing callbacks'))
        .finally(lookLater);
    });
  }

  return {
    start: lookLater,
    /** Checks all open incidents once. */
    look,
    async close(): Promise<void> {
      isClosed = true;
      cancelTimer();
      await running;
    },
  };
}

type IncidentChange = { ended_at: number } | { told: 'failing' | 'off'; told_at: number };
type OpenIncident = Awaited<ReturnType<typeof openIncidents>>[number];

function openIncidents(db: Kysely<Tables>, after: string) {
  return db
    .selectFrom('endpoint_incidents')
    .innerJoin('applications', 'applications.id', 'endpoint_incidents.application_id')
    .innerJoin('accounts', 'accounts.id', 'applications.account_id')
    .select([
      'endpoint_incidents.application_id',
      'endpoint_incidents.told',
      'endpoint_incidents.told_at',
      'applications.name',
      'applications.is_sandbox',
      'applications.disabled_at',
      'accounts.email',
      'accounts.email_confirmed_at',
      'accounts.endpoint_mails',
    ])
    .where('endpoint_incidents.ended_at', 'is', null)
    .where('endpoint_incidents.application_id', '>', after)
    .orderBy('endpoint_incidents.application_id')
    .limit(looksAtOnce)
    .execute();
}
