// Names that cannot be resolved: the providers', a callback's, a connection's. Each costs only a moment and is reported.
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { eventPageSchema } from '#contract/service-api/events.ts';
import { sandboxStateSchema } from '#contract/service-api/sandbox.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { eventually } from '#test/service/eventually.ts';
import { fetchAccessToken, startServiceProcess } from '#test/stories/service-process.ts';

// RFC 2606 keeps .invalid free of names.
const unknownNames = {
  RAINBELL_OPEN_METEO_URL: 'http://open-meteo.invalid',
  RAINBELL_MET_NORWAY_URL: 'http://met-norway.invalid',
  RAINBELL_MET_NORWAY_CONTACT: 'https://rainbell.invalid',
  RAINBELL_METAR_URL: 'http://metar.invalid',
};
const torino = { lat: 45.07, lng: 7.69 };

async function startService() {
  const service = await startServiceProcess(['--data', temporaryFolder()], unknownNames);
  onTestFinished(async () => void (await service.stop()));
  const { baseUrl } = service.introduction;
  const authorization = `Bearer ${await fetchAccessToken(service.introduction)}`;
  const call = (path: string, body?: unknown) =>
    fetch(`${baseUrl}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return { call };
}

test('without any name of a provider the weather is the simulation’s, within a second, and says so', async () => {
  const { call } = await startService();
  // The quickest of several places, because a busy machine can hold up any one request.
  const times: number[] = [];
  for (const lng of [torino.lng, 8.69, 9.69, 10.69, 11.69]) {
    const startedAt = performance.now();
    // One after the other, as they would delay each other.
    const answer = await call(`/v2/weather/?location_lat=${torino.lat}&location_lng=${lng}`);
    times.push(performance.now() - startedAt);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('"simulation"');
  }
  expect(Math.min(...times)).toBeLessThan(1_500);
  const { provider } = sandboxStateSchema.parse(await (await call('/sandbox/state')).json());
  expect(provider.lastAnswered).toBe('simulation');
  expect(provider.lastErrors.map(({ message }) => message).join(' ')).toMatch(/could not be found|ENOTFOUND|EAI_AGAIN/);
});

test('a callback to a name that is unknown is tried, and the log says why it failed', async () => {
  const { call } = await startService();
  const created = await call('/v2/monitors/', {
    monitor_type: 'precipitation',
    callback_uri: 'http://callback.invalid/hook',
    geo: torino,
  });
  const { id } = z.object({ id: z.string() }).parse(await created.json());
  await call('/sandbox/scenarios', { center: torino, minutes: 20 });
  await eventually(async () => {
    const { objects } = eventPageSchema.parse(await (await call(`/v2/events/?monitor=${id}`)).json());
    expect(objects[0]?.attempts[0]?.error).toBe('unknown-host');
  });
});
