// Which emails an application's owner gets while its callbacks fail (docs/delivery.md S16): one step of the notifier at a time.
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import { createIncidentNotifier, incidentsOf } from '#service/monitors/incidents.ts';
import { disabledReason } from '#service/accounts/pause-monitors.ts';
import type { NewMail } from '#service/mail/outbox.ts';
import { openDeliveryRows, startMs } from '#test/service/monitors/delivery/delivery-rows.ts';

const hourMs = 3_600_000;

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
    return mails.splice(0).map(({ to, subject }) => [to, subject.replace('Rainbell: ', '')]);
  };
  return { ...rows, notifier, mails, state, open, incidents, subjects };
}

const failing = { failed_events: 3 };
const off = { failed_events: 24, off_since: startMs, off_reason: 'the callback URL returned 410 Gone' };

describe('an incident', () => {
  it('opens with the third failed event in a row or when delivery is off, once, and again only after its end', async () => {
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
    // When its owner was last told is kept, so that a server that fails on and off does not cause an email each time.
    expect(await incidents()).toEqual([{ ...first, began_at: startMs + 100, told: 'nothing' }]);
  });

  it('is listed for its account with the counts of its monitors, oldest first', async () => {
    const { db, addApplication, addMonitor, open } = await start();
    await addApplication('a');
    await addApplication('b', { account_id: 'account of a' });
    await addApplication('c');
    await addApplication('d', { account_id: 'account of a' });
    for (const [index, id] of ['b', 'a', 'c', 'd'].entries()) await open(id, 100 + index);
    await addMonitor('a', 'm1', failing);
    await addMonitor('a', 'm2', off);
    await addMonitor('a', 'm3', { failed_events: 2 });
    await addMonitor('a', 'm4', { ...off, off_reason: disabledReason });
    await addMonitor('b', 'm5', { ...failing, failed_events: 4 });
    await addMonitor('c', 'm6', failing);
    const [ofA, ofB] = [
      { applicationId: 'a', name: 'The app a', beganAt: 101, failing: 2, off: 1 },
      { applicationId: 'b', name: 'The app b', beganAt: 100, failing: 1, off: 0 },
    ];
    expect(await incidentsOf(db, 'account of a', 3)).toEqual([ofB, ofA]);
    expect(await incidentsOf(db, 'account of a', 1)).toEqual([ofB]);
    await db.updateTable('endpoint_incidents').set({ ended_at: 200 }).where('application_id', '=', 'b').execute();
    expect(await incidentsOf(db, 'account of a', 3)).toEqual([ofA]);
  });
});

describe('the owner', () => {
  it('gets the number of failing monitors, with a link to them', async () => {
    const { addApplication, addMonitor, notifier, mails } = await start();
    await addApplication('a');
    await addMonitor('a', 'm1', failing);
    await addMonitor('a', 'm2', { ...failing, failed_events: 5 });
    await notifier.checkAll();
    expect(mails).toEqual([expect.objectContaining({ to: 'a@example.org' })]);
    expect(mails[0]?.text).toContain('2 monitors in your application "The app a"');
    expect(mails[0]?.text).toContain('https://weather.example/applications/a/monitors/');
  });

  it('gets one email when callbacks fail, one when delivery is turned off, and one when they work', async () => {
    const { addApplication, addMonitor, changeMonitor, subjects, incidents, clock } = await start();
    await addApplication('a');
    await addMonitor('a', 'm1', failing);
    expect(await subjects()).toEqual([['a@example.org', 'callbacks for The app a are failing']]);
    expect(await incidents()).toMatchObject([{ told: 'failing', told_at: startMs, ended_at: null }]);
    expect(await subjects()).toEqual([]);
    await changeMonitor('m1', off);
    clock.advance(1);
    expect(await subjects()).toEqual([['a@example.org', 'delivery for The app a was turned off']]);
    expect(await incidents()).toMatchObject([{ told: 'off', told_at: startMs + 1 }]);
    expect(await subjects()).toEqual([]);
    await changeMonitor('m1', { failed_events: 0, off_since: null, off_reason: null });
    clock.advance(1);
    expect(await subjects()).toEqual([['a@example.org', 'callbacks for The app a are working again']]);
    expect(await incidents()).toMatchObject([{ told: 'off', ended_at: startMs + 2 }]);
    expect(await subjects()).toEqual([]);
  });

  it('gets no email about callbacks that work again without one about their failure', async () => {
    const { addApplication, open, subjects, incidents } = await start();
    await addApplication('a');
    await open('a');
    expect(await subjects()).toEqual([]);
    expect(await incidents()).toMatchObject([{ told: 'nothing', ended_at: startMs }]);
  });

  it('gets no second email within six hours unless delivery is turned off', async () => {
    const { db, addApplication, addMonitor, changeMonitor, open, subjects } = await start();
    await addApplication('a');
    await addMonitor('a', 'm1', failing);
    await open('a');
    const toldAt = (told_at: number) => db.updateTable('endpoint_incidents').set({ told_at }).execute();
    await toldAt(startMs - 6 * hourMs);
    expect(await subjects()).toEqual([]);
    await toldAt(startMs - 6 * hourMs - 1);
    expect(await subjects()).toHaveLength(1);
    await db.updateTable('endpoint_incidents').set({ told: 'nothing', told_at: startMs }).execute();
    await changeMonitor('m1', off);
    expect(await subjects()).toEqual([['a@example.org', 'delivery for The app a was turned off']]);
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

describe('the notifier', () => {
  it('forgets an incident six hours after its end', async () => {
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

  it.each([
    ['end', 0, 0, { ended_at: startMs, told: 'nothing' }],
    ['last', 3, 201, { ended_at: null, told: 'failing' }],
  ])('checks each of many incidents once: those that %s', async (_which, failures, count, state) => {
    const { db, addApplication, addMonitor, changeMonitor, monitorRow, subjects, incidents } = await start();
    await addApplication('a');
    await addMonitor('a', 'm', { failed_events: failures });
    const application = await db.selectFrom('applications').selectAll().executeTakeFirstOrThrow();
    const monitor = await monitorRow('m');
    const ids = Array.from({ length: 201 }, (_, index) => `a${String(index).padStart(3, '0')}`);
    const applications = ids.map((id) => ({ ...application, id, client_id: id }));
    await db.insertInto('applications').values(applications).execute();
    const monitors = ids.map((id) => ({ ...monitor, id: `m of ${id}`, application_id: id }));
    await db.insertInto('monitors').values(monitors).execute();
    await changeMonitor('m', { failed_events: 0 });
    const began = ids.map((id) => ({ application_id: id, began_at: 0, told: 'nothing' as const, told_at: 0 }));
    await db.insertInto('endpoint_incidents').values(began).execute();
    expect(await subjects()).toHaveLength(count);
    expect(await incidents()).toMatchObject(Array(201).fill(state));
  });

  it('checks every minute from its start until it closes', async () => {
    const { addApplication, addMonitor, notifier, mails, clock } = await start();
    await addApplication('a');
    await addMonitor('a', 'm1', failing);
    notifier.start();
    clock.advance(59_999);
    expect(mails).toEqual([]);
    clock.advance(1);
    await expect.poll(() => mails.length).toBe(1);
    await addApplication('b');
    await addMonitor('b', 'm2', failing);
    // The next check is planned once the last one has ended.
    await expect.poll(() => (clock.advance(60_000), mails.length)).toBe(2);
    await notifier.close();
    await addApplication('c');
    await addMonitor('c', 'm3', failing);
    clock.advance(120_000);
    await notifier.close();
    expect(mails).toHaveLength(2);
  });

  it('ends only after a check that is running', async () => {
    const { addApplication, addMonitor, notifier, mails, state, clock } = await start();
    await addApplication('a');
    await addMonitor('a', 'm1', failing);
    const { promise, resolve } = Promise.withResolvers<void>();
    state.sent = promise;
    notifier.start();
    clock.advance(60_000);
    await expect.poll(() => mails.length).toBe(1);
    let isClosed = false;
    const closed = notifier.close().then(() => (isClosed = true));
    await new Promise((done) => void setImmediate(done));
    expect(isClosed).toBe(false);
    resolve();
    await closed;
  });

  it('logs why a check failed, and checks again after a minute', async () => {
    const lines: string[] = [];
    const { db, clock, log, notifier, addApplication, addMonitor, mails } = await start();
    log.error = ((fields: { err: Error }) => void lines.push(fields.err.message)) as typeof log.error;
    await addApplication('a');
    await addMonitor('a', 'm1', failing);
    await sql`alter table monitors rename to hidden`.execute(db);
    notifier.start();
    clock.advance(60_000);
    await expect.poll(() => lines).toEqual([expect.stringContaining('no such table')]);
    await sql`alter table hidden rename to monitors`.execute(db);
    await expect.poll(() => (clock.advance(60_000), mails.length)).toBe(1);
    await notifier.close();
  });
});
