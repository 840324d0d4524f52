// Reports failing callbacks to their owner (docs/delivery.md S16). An application's incident lasts from its first failing monitor
// until none fails, so a broken server causes one email instead of one per monitor.
import { type Kysely, sql } from 'kysely';
import type { Logger } from 'pino';
import { type Clock, plural } from '@rainbell/shared';
import { pausedReason } from '@rainbell/contract/service-api';
import { disabledReason } from '../accounts/pause-monitors.ts';
import { createHousekeeping } from '../database/housekeeping.ts';
import type { Tables } from '../database/tables.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type NewMail, noticeMail } from '../mail/outbox.ts';

/** How many consecutive failed events of a monitor make an incident. */
const failingEvents = 3;
const checkEveryMs = 60_000;
/** Minimum time between two emails about failures, for a server that fails on and off. */
const quietMs = 6 * 3_600_000;

export type Incident = { applicationId: string; name: string; beganAt: number; failing: number; off: number };

/** Returns an account's open incidents, oldest first; at most `limit`. */
export async function incidentsOf(db: Kysely<Tables>, accountId: string, limit: number): Promise<Incident[]> {
  const open = await troubledApplications(db)
    .where('accounts.id', '=', accountId)
    .where('failing', '>', 0)
    .where('ended_at', 'is', null)
    .where('began_at', 'is not', null)
    .orderBy('began_at')
    .limit(limit)
    .execute();
  return open.map(({ id: applicationId, name, began_at, failing, off }) => {
    return { applicationId, name, beganAt: Number(began_at), failing: Number(failing), off: Number(off) };
  });
}

type Troubled = Awaited<ReturnType<ReturnType<typeof troubledApplications>['execute']>>[number];

/** Selects applications with failing monitors, or with an incident that has not ended. `off` counts those among `failing`. */
function troubledApplications(db: Kysely<Tables>) {
  const failing = db
    .selectFrom('monitors')
    // As the index says it.
    .where(sql<boolean>`(failed_events > 0 or off_since is not null)`)
    .where((where) => where.or([where('failed_events', '>=', failingEvents), where('off_since', 'is not', null)]))
    .where((where) =>
      where.or([where('off_reason', 'is', null), where('off_reason', 'not in', [disabledReason, pausedReason])]),
    );
  const open = db.selectFrom('endpoint_incidents').select('application_id').where('ended_at', 'is', null);
  const counts = failing
    .select((select) => [
      'application_id',
      select.fn.countAll<number>().as('failing'),
      select.fn.count<number>('off_since').as('off'),
    ])
    .groupBy('application_id')
    .as('counts');
  return db
    .selectFrom('applications')
    .innerJoin('accounts', 'accounts.id', 'applications.account_id')
    .leftJoin(counts, 'counts.application_id', 'applications.id')
    .leftJoin('endpoint_incidents', 'endpoint_incidents.application_id', 'applications.id')
    .select(['applications.id', 'applications.name', 'is_sandbox', 'applications.disabled_at', 'failing', 'off'])
    .select(['email', 'email_confirmed_at', 'endpoint_mails', 'began_at', 'ended_at', 'told', 'told_at'])
    .where('applications.id', 'in', failing.select('application_id').union(open));
}

type Dependencies = {
  db: Kysely<Tables>;
  clock: Clock;
  log: Logger;
  mailer: Pick<Mailer, 'send' | 'isSending'>;
  baseUrl: string;
};

export function createIncidentNotifier({ db, clock, log, mailer, baseUrl }: Dependencies) {
  async function checkAll(): Promise<void> {
    const now = clock.now();
    await db
      .deleteFrom('endpoint_incidents')
      .where('ended_at', '<', now - quietMs)
      .execute();
    for (const application of await troubledApplications(db).execute()) await check(application, now);
  }

  async function check(application: Troubled, now: number): Promise<void> {
    const isOpen = application.began_at !== null && application.ended_at === null;
    const told = isOpen ? application.told : 'nothing';
    if (!isOpen) await open(application.id, now);
    if (Number(application.failing) === 0) {
      const isFirst = await change(application.id, told, { ended_at: now });
      if (isFirst && told !== 'nothing') await tell(application, endpointRecoveredMail);
    } else if (Number(application.off) > 0 && told !== 'off') {
      const isFirst = await change(application.id, told, { told: 'off', told_at: now });
      if (isFirst) await tell(application, endpointOffMail);
    } else if (told === 'nothing' && Number(application.told_at ?? 0) < now - quietMs) {
      const isFirst = await change(application.id, told, { told: 'failing', told_at: now });
      if (isFirst) await tell(application, endpointFailingMail);
    }
  }

  /** Keeps when the owner was last told, for `quietMs`. */
  async function open(applicationId: string, now: number): Promise<void> {
    await db
      .insertInto('endpoint_incidents')
      .values({ application_id: applicationId, began_at: now, told: 'nothing', told_at: 0 })
      .onConflict((conflict) =>
        conflict
          .column('application_id')
          .doUpdateSet({ began_at: now, ended_at: null, told: 'nothing' })
          .where('endpoint_incidents.ended_at', 'is not', null),
      )
      .execute();
  }

  type Change = { ended_at: number } | { told: 'failing' | 'off'; told_at: number };

  /** Returns false if another process was first: only one sends an email. */
  async function change(applicationId: string, told: Troubled['told'], values: Change): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('endpoint_incidents')
      .set(values)
      .where('application_id', '=', applicationId)
      .where('told', '=', told)
      .where('ended_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  async function tell(application: Troubled, mail: typeof endpointFailingMail): Promise<void> {
    const { id, name, email, failing, off } = application;
    const isWanted =
      application.endpoint_mails === 1 && application.is_sandbox === 0 && application.disabled_at === null;
    // Without a mail server, the email stays in the outbox for the operator, so the address doesn't have to be confirmed.
    if (!isWanted || (mailer.isSending && application.email_confirmed_at === null)) return;
    const url = `${baseUrl}/applications/${id}/monitors/`;
    await mailer.send(mail({ name, email, url, failing: Number(failing), off: Number(off) }));
  }

  const onError = (error: unknown) => log.error({ err: error }, 'owners could not be notified of failing callbacks');
  return { ...createHousekeeping({ clock, work: checkAll, onError, everyMs: checkEveryMs }), checkAll };
}

// The emails contain no callback URL, which may contain a secret.

type Facts = { name: string; email: string; url: string; failing: number; off: number };

const optOut = 'You can turn these emails off on your account page.';

function endpointFailingMail({ name, email, url, failing }: Facts): NewMail {
  return noticeMail(email, `Rainbell: callbacks for ${oneLine(name)} are failing`, [
    plural(
      failing,
      [
        'The latest events for # monitor in your application "{name}" could not be delivered. Check the server that receives its callbacks.',
        'The latest events for # monitors in your application "{name}" could not be delivered. Check the server that receives their callbacks.',
      ],
      { name },
    ),
    `After 24 failed events in a row, the service turns off delivery for a monitor. Deliveries and responses: ${url}`,
    optOut,
  ]);
}

function endpointOffMail({ name, email, url, off }: Facts): NewMail {
  return noticeMail(email, `Rainbell: delivery for ${oneLine(name)} was turned off`, [
    plural(
      off,
      [
        'Delivery is off for # monitor in your application "{name}" because its callbacks kept failing or the server returned 410 Gone.',
        'Delivery is off for # monitors in your application "{name}" because their callbacks kept failing or the server returned 410 Gone.',
      ],
      { name },
    ),
    `When the server is working again, turn delivery back on: ${url}`,
    optOut,
  ]);
}

function endpointRecoveredMail({ name, email, url }: Facts): NewMail {
  return noticeMail(email, `Rainbell: callbacks for ${oneLine(name)} are working again`, [
    `All monitors in your application "${name}" are working again.`,
    `Deliveries: ${url}`,
    optOut,
  ]);
}

function oneLine(name: string): string {
  return name.replaceAll(/\s+/g, ' ').slice(0, 60);
}
