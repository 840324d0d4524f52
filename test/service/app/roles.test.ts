// Three processes with one role each share a PostgreSQL, and together do the work of a single process.
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { createOutbox } from '#service/mail/outbox.ts';
import { mailTo, startMailServer } from '#test/service/website/mail-server.ts';
import { fetchAccessToken, startServiceProcess } from '#test/stories/service-process.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { newPostgres } from '#test/service/engines.ts';
import { apiCaller, turin } from '#test/service/monitor-service.ts';
import { openFor } from '#test/service/process-harness.ts';
import { selectEvents } from '#test/service/monitors/delivery/event-rows.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { bodyFor, openMeteoBody, placesOf } from '#test/service/weather/providers/open-meteo/open-meteo-body.ts';
import { serveWeatherOf } from '#test/service/weather/weather-harness.ts';

it('an api, a sweeper, and a sender deliver events and emails, and each only does its part', async () => {
  const url = await newPostgres();
  const { db } = await openFor({ url });
  const mailServer = await startMailServer();
  const openMeteoUrl = await serveWeatherOf((request, response) => {
    const quarter = Math.floor(Date.now() / 900_000) * 900_000;
    response.end(bodyFor(placesOf(request), (place) => openMeteoBody(place, quarter, 1)));
  });
  const endpoint = await startCallbackEndpoint();
  async function startRole(role: string) {
    const flags = ['--data', temporaryFolder(), '--database', url, '--role', role];
    const service = await startServiceProcess([...flags, '--provider', 'open-meteo'], {
      RAINBELL_OPEN_METEO_URL: openMeteoUrl,
      RAINBELL_SMTP_URL: mailServer.url,
      RAINBELL_SWEEP_SECONDS: '300',
    });
    onTestFinished(async () => void (await service.stop()));
    return { service, own: service.introduction.baseUrl };
  }
  await createOutbox({ db, clock: systemClock }).put(
    { to: 'reader@example.org', subject: 'Hello', text: 'Hello there', whenLimited: 'drop' },
    true,
  );

  const api = await startRole('api');
  const token = await fetchAccessToken(api.service.introduction);
  const call = apiCaller(api.own, token);
  const monitor = { monitor_type: 'precipitation', callback_uri: endpoint.url, geo: turin };
  expect((await call('POST', '/v2/monitors/', monitor)).status).toBe(201);
  const weather = await call('GET', `/v2/weather/?location_lat=${turin.lat}&location_lng=${turin.lng}`);
  expect((weather.json as { objects: unknown[] }).objects[0]).toMatchObject({ weather: { status: 'rainy' } });

  const sweeper = await startRole('sweeper');
  const events = async () => (await selectEvents(db).execute()).map(({ state, attempts }) => ({ state, attempts }));
  await expect.poll(events).toEqual([{ state: 'waiting', attempts: 0 }]);
  expect(await db.selectFrom('mails').select('state').execute()).toEqual([{ state: 'waiting' }]);

  const sender = await startRole('sender');
  await endpoint.waitFor(1);
  await expect.poll(events).toEqual([{ state: 'delivered', attempts: 1 }]);
  expect(await mailTo(mailServer, 'reader@example.org')).toContain('Hello there');

  for (const [role, { own }] of Object.entries({ sweeper, sender })) {
    expect(await (await fetch(`${own}/health/ready`)).json()).toMatchObject({ status: 'ready', role });
    const refused = await fetch(`${own}/v2/monitors/`, { headers: { authorization: `Bearer ${token}` } });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  }
  // A new event of the api's reaches the sender.
  const { objects } = (await call('GET', '/v2/monitors/')).json as { objects: { id: string }[] };
  expect((await call('POST', `/v2/monitors/${objects[0]?.id}/test-event/`)).status).toBe(202);
  await endpoint.waitFor(2);
  // So does a new monitor of the api's reach the sweeper, long before its next sweep.
  const elsewhere = { ...monitor, geo: { lat: turin.lat + 2, lng: turin.lng } };
  expect((await call('POST', '/v2/monitors/', elsewhere)).status).toBe(201);
  await endpoint.waitFor(3);
  for (const { service } of [api, sweeper, sender]) expect(await service.stop()).toBe(0);
  const did = (words: string) =>
    [api, sweeper, sender].map(({ service }) => service.complaints().split(`"msg":"${words}"`).length - 1);
  expect(did('delivery attempt ended')).toEqual([0, 0, 3]);
  expect(did('precipitation near monitors')).toEqual([0, 2, 0]);
  expect(mailServer.received).toHaveLength(1);
});
