// Owners learn that their callbacks fail: by email, once for each incident, and again when they work, over a real outbox; the
// banner is in test/website/incident-banner.test.ts.
import { expect, it } from 'vitest';
import { createIncidentNotifier, openIncident } from '#service/delivery/outbox/endpoint-incidents.ts';
import { createLinks } from '#service/mail/links.ts';
import { createMailer } from '#service/mail/mailer.ts';
import { createOutbox } from '#service/mail/outbox.ts';
import { createOperationalWebhooks, monitorsPerEvent } from '#service/delivery/outbox/operational-webhooks.ts';
import type { OperationalEvent } from '#contract/service-api/operational-event.ts';
import type { Config } from '#service/config/config.ts';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import { startCallbackEndpoint } from '../callback-endpoint.ts';
import { attempts, eventOf, hourMs } from './delivery-harness.ts';
import { engines } from '../engines.ts';
import { eventually } from '../eventually.ts';
import { startMonitorService, turin } from '../monitor-service.ts';

async function start(engine: (typeof engines)[number], config: Partial<Config> = { deliveryRetries: 0 }) {
  const service = await startMonitorService({ engine, config });
  const { db, clock, baseUrl } = service;
  // The sandbox's owner has no mailbox.
  await db.updateTable('applications').set({ is_sandbox: 0 }).execute();
  const outbox = createOutbox({ db, clock });
  const log = pino({ level: 'silent' });
  const mailer = createMailer({
    config: { mailFrom: 'a@example.org' },
    outbox,
    links: createLinks({ db, clock, baseUrl }),
    clock,
    log,
  });
  const notifiers = [0, 1].map(() => createIncidentNotifier({ db, clock, log, mailer, baseUrl }));
  /** Both processes look at the same time. */
  const look = () => Promise.all(notifiers.map((one) => one.look()));
  const subjects = async () => {
    await look();
    const mails = await outbox.list();
    return mails.map(({ subject }) => subject.replace(/^Rainbell: /, '')).toReversed();
  };
  const webhooks = createOperationalWebhooks({ db, clock });
  return { ...service, outbox, subjects, applicationId: service.sandbox.applicationId, webhooks };
}

it.each(engines)(
  '%s: an incident of two monitors is one email, then one when delivery is off, and one when all work again',
  async (engine) => {
    const service = await start(engine);
    let status = 500;
    const endpoint = await startCallbackEndpoint((_callback, response) => void response.writeHead(status).end());
    const secretUrl = `${endpoint.url}?token=callback-secret`;
    const monitors = [await service.addMonitor(secretUrl), await service.addMonitor(secretUrl)];
    service.rainAt(turin);
    async function nextHour(count: number): Promise<void> {
      service.clock.advance(hourMs);
      await service.sweep();
      for (const id of monitors) {
        await attempts(service, id, count);
        await eventually(async () => expect((await eventOf(service, id))?.state).not.toBe('waiting'));
      }
    }
    await nextHour(1);
    await nextHour(2);
    expect(await service.subjects()).toEqual([]);
    await nextHour(3);
    const failing = 'callbacks for Rainbell sandbox are failing';
    expect(await service.subjects()).toEqual([failing]);
    await nextHour(4);
    expect(await service.subjects()).toEqual([failing]);
    const [mail] = await service.outbox.list();
    expect(mail?.body).toContain('The latest events for 2 monitors');
    expect(mail?.body).not.toContain('callback-secret');

    status = 410;
    await nextHour(5);
    const off = 'delivery for Rainbell sandbox was turned off';
    expect(await service.subjects()).toEqual([failing, off]);

    status = 204;
    // Emails are listed by their time.
    service.clock.advance(1000);
    for (const id of monitors) await service.monitors.deliveryLog.turnOn(id);
    const again = 'callbacks for Rainbell sandbox are working again';
    expect(await service.subjects()).toEqual([failing, off, again]);
    await nextHour(6);
    expect(await service.subjects()).toEqual([failing, off, again]);

    // A server that comes and goes is not an email each time, but one that is turned off always is.
    await service.db.updateTable('accounts').set({ endpoint_mails: 0 }).execute();
    status = 410;
    await nextHour(7);
    expect(await service.subjects()).toEqual([failing, off, again]);
    expect(await service.db.selectFrom('endpoint_incidents').select('told').execute()).toEqual([{ told: 'off' }]);
  },
);

it.each(engines)(
  '%s: an operational webhook is signed, once for each change of a monitor, and in the log, not in the feed',
  async (engine) => {
    const service = await start(engine);
    const { db, clock, applicationId, webhooks } = service;
    let status = 410;
    const endpoint = await startCallbackEndpoint((_callback, response) => void response.writeHead(status).end());
    const [working, operational] = [await startCallbackEndpoint(), await startCallbackEndpoint()];
    const [id, other] = [
      await service.addMonitor(`${endpoint.url}?token=secret`),
      await service.addMonitor(endpoint.url),
    ];
    await webhooks.set(applicationId, operational.url);
    /** What arrives after both processes looked. */
    async function next(count: number): Promise<[type: string, monitors: string[]][]> {
      await service.subjects();
      await service.sweep();
      const received = await operational.waitFor(count);
      const bodies = received.map(({ body }) => JSON.parse(body) as OperationalEvent);
      return bodies.map(({ type, data }) => [type, data.monitors.map(({ monitor_id }) => monitor_id).toSorted()]);
    }
    async function fail(failedEvents: number, monitorId: string): Promise<void> {
      await db.updateTable('monitors').set({ failed_events: failedEvents }).where('id', '=', monitorId).execute();
      await db.transaction().execute((trx) => openIncident(trx, applicationId, clock.now()));
    }
    await fail(3, other);
    const failing = ['endpoint.failing', [other]];
    expect(await next(1)).toEqual([failing]);
    // The first answers 410, and the other succeeds.
    service.rainAt(turin);
    await db.updateTable('monitors').set({ callback_uri: working.url }).where('id', '=', other).execute();
    await service.sweep();
    await attempts(service, id, 1);
    await attempts(service, other, 1);
    const changes = [
      ['endpoint.disabled', [id]],
      ['endpoint.recovered', [other]],
    ];
    expect((await next(3)).slice(1)).toEqual(expect.arrayContaining(changes));
    const disabled = operational.received.find(({ body }) => body.includes('endpoint.disabled'));
    const { headers = {}, body = '' } = disabled ?? {};
    expect(body).not.toContain('token');
    expect(JSON.parse(body)).toEqual({
      type: 'endpoint.disabled',
      timestamp: expect.stringMatching(/^2026-/),
      data: {
        client_id: service.sandbox.clientId,
        monitors: [
          {
            monitor_id: id,
            failed_in_a_row: 1,
            is_on: false,
            off_since: expect.stringMatching(/^2026-/),
            off_reason: 'the callback URL returned 410 Gone',
          },
        ],
      },
    });
    const [secret = ''] = await service.monitors.secrets.activeFor(applicationId);
    const at = new Date(Number(headers['webhook-timestamp']) * 1000);
    expect(headers['webhook-signature']).toBe(new Webhook(secret).sign(String(headers['webhook-id']), at, body));
    status = 204;
    await service.monitors.deliveryLog.turnOn(id);
    expect((await next(4)).at(3)).toEqual(['endpoint.recovered', [id]]);
    // Nothing changed since.
    await fail(0, other);
    expect(await next(4)).toHaveLength(4);
    await eventually(async () => expect(await webhooks.attempts(applicationId)).toHaveLength(4));
    const feed = (await service.call('GET', '/v2/deliveries/')).json as { objects: { id: string }[] };
    expect(feed.objects.map((event) => event.id)).toEqual([
      expect.stringMatching(/^evt_/),
      expect.stringMatching(/^evt_/),
    ]);
  },
);

it.each(engines)('%s: operational webhooks of many monitors are few, and wait for their URL', async (engine) => {
  // It sends nothing.
  const service = await start(engine, { role: 'api' });
  const { db, clock, applicationId, webhooks } = service;
  const count = monitorsPerEvent + 1;
  await service.addMonitor('http://127.0.0.1:9/');
  const template = await db.selectFrom('monitors').selectAll().executeTakeFirstOrThrow();
  const rows = Array.from({ length: count }, (_, index) => ({ ...template, id: `m_${index}`, failed_events: 3 }));
  for (const row of rows) await db.insertInto('monitors').values(row).execute();
  await db.transaction().execute((trx) => openIncident(trx, applicationId, clock.now()));
  const events = () => db.selectFrom('events').select(['state', 'callback_uri', 'body']).orderBy('id').execute();
  const statesOf = async () => (await events()).map(({ state, callback_uri }) => [state, callback_uri]);
  await service.subjects();
  expect(await events()).toEqual([]);
  const [first, second] = ['https://a.example.org/', 'https://b.example.org/'];
  await webhooks.set(applicationId, first);
  await service.subjects();
  expect(await statesOf()).toEqual(Array(2).fill(['waiting', first]));
  const bodies = (await events()).map(({ body }) => JSON.parse(body) as OperationalEvent);
  const monitors = bodies.map(({ data }) => data.monitors.map(({ monitor_id }) => monitor_id));
  expect(new Set(monitors.map(({ length }) => length))).toEqual(new Set([1, monitorsPerEvent]));
  expect(new Set(monitors.flat())).toEqual(new Set(rows.map(({ id }) => id)));
  await webhooks.set(applicationId, second);
  expect(await statesOf()).toEqual(Array(2).fill(['waiting', second]));
  await webhooks.set(applicationId, undefined);
  expect(await statesOf()).toEqual(Array(2).fill(['replaced', second]));
  const states = await db.selectFrom('monitors').select('reported_state').distinct().execute();
  expect(states).toEqual([{ reported_state: 'working' }]);
  await service.subjects();
  expect(await events()).toHaveLength(2);
});

it('a server that fails on and off causes an email every six hours at most', async () => {
  const service = await start('sqlite');
  const { db, clock, subjects } = service;
  const monitor = await service.addMonitor('http://127.0.0.1:9/');
  const { application_id: id } = await db.selectFrom('monitors').select('application_id').executeTakeFirstOrThrow();
  async function set(failedEvents: number): Promise<void> {
    await db.updateTable('monitors').set({ failed_events: failedEvents }).where('id', '=', monitor).execute();
    if (failedEvents > 0) await db.transaction().execute((trx) => openIncident(trx, id, clock.now()));
  }
  const [failing, again] = [
    'callbacks for Rainbell sandbox are failing',
    'callbacks for Rainbell sandbox are working again',
  ];
  await set(3);
  expect(await subjects()).toEqual([failing]);
  clock.advance(1);
  await set(0);
  expect(await subjects()).toEqual([failing, again]);
  await set(3);
  expect(await subjects()).toEqual([failing, again]);
  // It recovers before its owner is notified, so that does not cause an email either.
  await set(0);
  expect(await subjects()).toEqual([failing, again]);
  await set(3);
  clock.advance(6 * hourMs - 1);
  expect(await subjects()).toEqual([failing, again]);
  clock.advance(1);
  expect(await subjects()).toEqual([failing, again, failing]);
});
