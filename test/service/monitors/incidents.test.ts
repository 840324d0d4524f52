// Owners learn that their callbacks fail: by email, once for each incident, and again when they work (docs/delivery.md S16). The banner
// is in test/service/website/incident-banner.test.ts.
import { type Updateable } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { disabledReason } from '#service/accounts/pause-monitors.ts';
import type { Tables } from '#service/database/tables.ts';
import { createLinks } from '#service/mail/links.ts';
import { createMailer } from '#service/mail/mailer.ts';
import { createOutbox, type NewMail } from '#service/mail/outbox.ts';
import { createIncidentNotifier, incidentsOf } from '#service/monitors/incidents.ts';
import { engines } from '#test/service/engines.ts';
import { startMonitorService } from '#test/service/monitor-service.ts';
import { openDeliveryRows, startMs } from './delivery/delivery-rows.ts';

const hourMs = 3_600_000;
const failing = { failed_events: 3 };
const off = { failed_events: 24, off_since: startMs, off_reason: 'the callback URL returned 410 Gone' };
const working = { failed_events: 0, off_since: null, off_reason: null };

it.each(engines)(
  '%s: an incident of two monitors is one email of two processes, then one when delivery is off, and one when all work again',
  async (engine) => {
    const { db, clock, baseUrl, sandbox, addMonitor } = await startMonitorService({ engine });
    // The sandbox's owner has no mailbox.
    await db.updateTable('applications').set({ is_sandbox: 0 }).execute();
    const outbox = createOutbox({ db, clock });
    const log = pino({ level: 'silent' });
    const links = createLinks({ db, clock, baseUrl });
    const mailer = createMailer({ config: { mailFrom: 'a@example.org' }, outbox, links, clock, log });
    const notifiers = [0, 1].map(() => createIncidentNotifier({ db, clock, log, mailer, baseUrl }));
    for (const path of [1, 2]) await addMonitor(`http://127.0.0.1:9/${path}?token=callback-secret`);
    const subjectsAfter = async (changes: Updateable<Tables['monitors']>) => {
      await db.updateTable('monitors').set(changes).execute();
      // Emails are listed by their time.
      clock.advance(1_000);
      await Promise.all(notifiers.map((one) => one.checkAll()));
      return (await outbox.list()).map(({ subject }) => subject.replace('Rainbell: ', '')).toReversed();
    };
    const [fail, stop, work] = [
      'callbacks for Rainbell sandbox are failing',
      'delivery for Rainbell sandbox was turned off',
      'callbacks for Rainbell sandbox are working again',
    ];
    expect(await subjectsAfter({ failed_events: 2 })).toEqual([]);
    expect(await subjectsAfter(failing)).toEqual([fail]);
    expect(await subjectsAfter({ failed_events: 4 })).toEqual([fail]);
    const [mail] = await outbox.list();
    expect(mail?.body).toContain('The latest events for 2 monitors');
    expect(mail?.body).toContain(`${baseUrl}/applications/${sandbox.applicationId}/monitors/`);
    expect(mail?.body).not.toContain('callback-secret');
    expect(await subjectsAfter(off)).toEqual([fail, stop]);
    expect(await subjectsAfter(working)).toEqual([fail, stop, work]);
    // One that fails on and off is not an email each time, but one that is turned off always is.
    expect(await subjectsAfter(failing)).toEqual([fail, stop, work]);
    expect(await subjectsAfter(off)).toEqual([fail, stop, work, stop]);
  },
);

async function start({ isSending = true } = {}) {
  const rows = await openDeliveryRows();
  const mails: NewMail[] = [];
  const state = { sent: Promise.resolve() };
  const mailer = {
    isSending,
    async send(mail: NewMail): Promise<'stored'> {
      mails.push(mail);
      await state.sent;
      return 'stored';
    },
  };
  const options = { db: rows.db, clock: rows.clock, log: rows.log, mailer, baseUrl: 'https://weather.example' };
  const notifier = createIncidentNotifier(options);
  const open = (application_id: string, began_at = startMs) =>
    rows.db
      .insertInto('endpoint_incidents')
      .values({ application_id, began_at, told: 'nothing', told_at: 0 })
      .execute();
  const incidents = () => rows.db.selectFrom('endpoint_incidents').selectAll().orderBy('application_id').execute();
  const subjects = async () => {
    await notifier.checkAll();
    return mails.splice(0).map(({ subject }) => subject.replace('Rainbell: ', ''));
  };
  return { ...rows, notifier, mails, state, open, incidents, subjects };
}

describe('an incident', () => {
  it('opens once, and again only after its end, and keeps when its owner was notified', async () => {
    const { db, addApplication, addMonitor, changeMonitor, incidents, subjects, clock } = await start();
    await addApplication('a');
    await addMonitor('a', 'm1', { failed_events: 2 });
    await addMonitor('a', 'm2', { ...off, off_reason: disabledReason });
    await subjects();
    expect(await incidents()).toEqual([]);
    await changeMonitor('m1', failing);
    await subjects();
    const first = { application_id: 'a', began_at: startMs, ended_at: null, told: 'failing', told_at: startMs };
    expect(await incidents()).toEqual([first]);
    clock.advance(100);
    await subjects();
    expect(await incidents()).toEqual([first]);
    await db
      .updateTable('endpoint_incidents')
      .set({ ended_at: startMs + 50 })
      .execute();
    await subjects();
    expect(await incidents()).toEqual([{ ...first, began_at: startMs + 100, told: 'nothing' }]);
  });

  it('is listed for its account while it is open, oldest first', async () => {
    const { db, addApplication, addMonitor, open } = await start();
    await addApplication('a');
    await addApplication('b', { account_id: 'account of a' });
    for (const [index, id] of ['b', 'a'].entries()) {
      await open(id, 100 + index);
      await addMonitor(id, `m of ${id}`, failing);
    }
    await addMonitor('a', 'another', off);
    const [ofA, ofB] = [
      { applicationId: 'a', name: 'The app a', beganAt: 101, failing: 2, off: 1 },
      { applicationId: 'b', name: 'The app b', beganAt: 100, failing: 1, off: 0 },
    ];
    expect(await incidentsOf(db, 'account of a', 3)).toEqual([ofB, ofA]);
    expect(await incidentsOf(db, 'account of a', 1)).toEqual([ofB]);
    await db.updateTable('endpoint_incidents').set({ ended_at: 200 }).where('application_id', '=', 'b').execute();
    expect(await incidentsOf(db, 'account of a', 3)).toEqual([ofA]);
  });

  it('is forgotten six hours after its end', async () => {
    const { db, addApplication, open, subjects, incidents } = await start();
    await addApplication('a');
    await open('a');
    const endedAt = (ended_at: number) => db.updateTable('endpoint_incidents').set({ ended_at }).execute();
    await endedAt(startMs - 6 * hourMs);
    await subjects();
    expect(await incidents()).toHaveLength(1);
    await endedAt(startMs - 6 * hourMs - 1);
    await subjects();
    expect(await incidents()).toEqual([]);
  });
});

describe('the owner', () => {
  it('gets no email about callbacks that work again without one about their failure', async () => {
    const { addApplication, open, subjects, incidents } = await start();
    await addApplication('a');
    await open('a');
    expect(await subjects()).toEqual([]);
    expect(await incidents()).toMatchObject([{ told: 'nothing', ended_at: startMs }]);
  });

  it('gets no second email about failures within six hours', async () => {
    const { db, addApplication, addMonitor, open, subjects } = await start();
    await addApplication('a');
    await addMonitor('a', 'm1', failing);
    await open('a');
    const toldAt = (told_at: number) => db.updateTable('endpoint_incidents').set({ told_at }).execute();
    await toldAt(startMs - 6 * hourMs);
    expect(await subjects()).toEqual([]);
    await toldAt(startMs - 6 * hourMs - 1);
    expect(await subjects()).toHaveLength(1);
  });

  it.each([
    ['without a confirmed address', true, {}, { email_confirmed_at: null }, 0],
    ['without a confirmed address, if the operator reads the outbox', false, {}, { email_confirmed_at: null }, 1],
    ['who turned these emails off', true, {}, { endpoint_mails: 0 }, 0],
    ['of the sandbox', true, { is_sandbox: 1 }, {}, 0],
    ['of a disabled application', true, { disabled_at: 1 }, {}, 0],
  ])('%s, with a mail server: %s', async (_who, isSending, application, account, count) => {
    const { addApplication, addMonitor, subjects, incidents } = await start({ isSending });
    await addApplication('a', application, account);
    await addMonitor('a', 'm1', failing);
    expect(await subjects()).toHaveLength(count);
    expect(await incidents()).toMatchObject([{ told: 'failing' }]);
  });
});
