// An account leaves without a trace.
import { describe, expect, test } from 'vitest';
import { sql } from 'kysely';
import { systemClock } from '#shared/time/clock.ts';
import { createMonitorStore } from '#service/monitors/monitor-store.ts';
import { createOutbox } from '#service/monitors/delivery/outbox.ts';
import { engines, newDatabase } from '#test/service/engines.ts';
import { fillWithMonitors, openFor } from '#test/service/process-harness.ts';
import { openOAuth } from '#test/service/oauth/oauth-service.ts';
import { registerApplication } from '#test/service/oauth/registered-application.ts';
import { mailTo, startMailServer } from './mail-server.ts';
import { claimHeld } from '#test/service/monitors/delivery/delivery-rows.ts';
import { ann, createVisitor, feedbackOf, startWebsite } from './website-service.ts';
import { fillAccount } from './filled-account.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function startFull() {
  const mailServer = await startMailServer();
  const service = await startWebsite({ smtpUrl: mailServer.url });
  const account = await service.oauth.accounts.create(ann);
  const filled = await fillAccount(service, account);
  const visitor = createVisitor(service.baseUrl);
  await visitor.send('/sign-in/', ann);
  return { ...service, mailServer, account, ...filled, visitor };
}

/** Everything in the database, but the schema's own tables. */
async function everything({ db }: Pick<Awaited<ReturnType<typeof startFull>>, 'db'>): Promise<string> {
  const tables = await db.introspection.getTables();
  const contents = await Promise.all(tables.map(({ name }) => sql`select * from ${sql.table(name)}`.execute(db)));
  return JSON.stringify(contents.map(({ rows }) => rows));
}

describe('the deletion', () => {
  test('asks for the password, removes everything, and mails once', async () => {
    const service = await startFull();
    const { visitor, db, mailServer, account } = service;
    expect(feedbackOf(await visitor.send('/account/', {}, '/account/delete/'))).toEqual(['credentials_missing']);
    const wrong = await visitor.send('/account/', { delete_password: 'wrong' }, '/account/delete/');
    expect(feedbackOf(wrong)).toEqual(['credentials_wrong']);
    expect(await service.probe()).toBe(200);
    // One with a log was deleted before, and the current requests are only counted in memory.
    await createMonitorStore({ ...service, cellOf: () => 'cell' }).remove(service.applicationId, service.loggedMonitor);
    const gone = await visitor.send('/account/', { delete_password: ann.password }, '/account/delete/');
    expect(feedbackOf(gone)).toEqual(['account_deleted']);
    expect(await service.probe()).toBe(401);
    expect(await mailTo(mailServer, ann.email)).toContain('was deleted');
    expect(mailServer.received).toHaveLength(1);
    expect((await visitor.get('/account/')).text).toContain('<h1>Sign in</h1>');
    await service.oauth.usage.write();
    // What is left is that one email in the outbox, and, for an hour, what processes must forget.
    await db.deleteFrom('mails').execute();
    await db.deleteFrom('revoked').execute();
    const left = await everything(service);
    const traces = [account.id, ann.email, service.applicationId, service.clientId, 'precipitation_'];
    expect(traces.filter((trace) => left.includes(trace))).toEqual([]);
    expect(await db.selectFrom('watch_cells').select('cell').execute()).toEqual([]);
    expect(left).toContain('sandbox');
  });

  test('is refused for the sandbox account', async () => {
    const { baseUrl, sandbox } = await startWebsite();
    const visitor = createVisitor(baseUrl);
    await visitor.send('/sign-in/', { username: sandbox.username, password: sandbox.password });
    const page = await visitor.send('/account/', { delete_password: sandbox.password }, '/account/delete/');
    expect(page.status).toBe(409);
    expect(page.text).toContain('The sandbox account and application cannot be changed or deleted');
  });

  test.each([
    ['sqlite', 'account'],
    ['postgres', 'account'],
    ['postgres', 'application'],
  ] as const)('on %s, of an %s, leaves no monitor behind that is created at the same time', async (engine, kind) => {
    const { db, clock, oauth } = await openOAuth(engine);
    const { id, clientId, accountId } = await registerApplication({ oauth }, { plan: 'storm' });
    const application = await oauth.applications.findActive(clientId);
    if (!application) throw new Error('There is no application.');
    const store = createMonitorStore({ db, clock, cellOf: ({ lat }) => `cell-${lat % 3}` });
    const { account: owner } = await oauth.monitorLimitOf(id);
    const fields = { monitor_type: 'precipitation', callback_uri: 'https://example.org/' } as const;
    const create = (lat: number) =>
      store.create(id, { ...fields, geo: { lat, lng: 7 } }, 1_000_000, owner).then(
        () => 'created',
        (error: { kind: string }) => error.kind,
      );
    let isRemoved = false;
    async function createUntilRemoved(lat: number): Promise<string[]> {
      const outcomes = [];
      while (!isRemoved) {
        outcomes.push(await create(lat));
        // SQLite answers without leaving the thread, and the deletion waits for a timer.
        await new Promise((resolve) => setImmediate(resolve));
      }
      return [...outcomes, await create(lat)];
    }
    const remove = async () => {
      await create(0);
      await (kind === 'account' ? oauth.removeAccount(accountId) : oauth.applications.remove(application));
      isRemoved = true;
    };
    const places = [1, 2, 3, 4];
    expect(await Promise.all(places.map(create))).toEqual(Array(4).fill('created'));
    const [, ...outcomes] = await Promise.all([remove(), ...places.map(createUntilRemoved)]);
    // However the two raced, nothing else came out of it.
    expect(outcomes.flat().filter((outcome) => outcome !== 'created' && outcome !== 'unknown')).toEqual([]);
    expect(outcomes.map((own) => own.at(-1))).toEqual(Array(4).fill('unknown'));
    expect(await db.selectFrom('monitors').select('id').execute()).toEqual([]);
    expect(await db.selectFrom('watch_cells').select('cell').execute()).toEqual([]);
    expect(await oauth.monitorLimitOf(id).catch((error: { code: string }) => error.code)).toBe('access_denied');
  });

  test.each(engines)('on %s, leaves nothing of an attempt that ends after it', async (engine) => {
    const database = await openFor(await newDatabase(engine, temporaryFolder()));
    const { db } = database;
    await fillWithMonitors(database, ['https://example.org/'], [{ lat: 45, lng: 7 }]);
    const { cell } = await db.selectFrom('watch_cells').select('cell').executeTakeFirstOrThrow();
    const outbox = createOutbox(database, 'process');
    const { held } = await claimHeld(outbox, [cell], systemClock.now(), { room: 1 });
    const record = held.map((event) => ({
      event,
      startedAt: systemClock.now(),
      result: { latencyMs: 1, status: 500, error: 'status', answer: 'private', retryAfterSeconds: undefined } as const,
      state: 'waiting' as const,
      nextAttemptAt: systemClock.now(),
    }));
    expect(record).toHaveLength(1);
    await db.deleteFrom('events').execute();
    await db.deleteFrom('waiting_events').execute();
    await outbox.record(record);
    expect(await db.selectFrom('attempts').selectAll().execute()).toEqual([]);
  });
});
