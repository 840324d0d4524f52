// Owners learn that their callbacks fail: by email, once for each incident, and again when they work, over a real outbox; the
// banner is in test/service/website/incident-banner.test.ts.
import { expect, it } from 'vitest';
import { createIncidentNotifier } from '#service/monitors/incidents.ts';
import { createLinks } from '#service/mail/links.ts';
import { createMailer } from '#service/mail/mailer.ts';
import { createOutbox } from '#service/mail/outbox.ts';
import type { Config } from '#service/config/config.ts';
import { pino } from 'pino';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { attempts, eventOf, hourMs } from './delivery-harness.ts';
import { engines } from '#test/service/engines.ts';
import { eventually } from '#test/service/eventually.ts';
import { startMonitorService, turin } from '#test/service/monitor-service.ts';

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
  const look = () => Promise.all(notifiers.map((one) => one.checkAll()));
  const subjects = async () => {
    await look();
    const mails = await outbox.list();
    return mails.map(({ subject }) => subject.replace(/^Rainbell: /, '')).toReversed();
  };
  return { ...service, outbox, subjects };
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

it('a server that fails on and off causes an email every six hours at most', async () => {
  const service = await start('sqlite');
  const { db, clock, subjects } = service;
  const monitor = await service.addMonitor('http://127.0.0.1:9/');
  async function set(failedEvents: number): Promise<void> {
    await db.updateTable('monitors').set({ failed_events: failedEvents }).where('id', '=', monitor).execute();
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
