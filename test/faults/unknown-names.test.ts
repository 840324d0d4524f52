// Names of providers that cannot be resolved cost only a moment and are reported. Those of callbacks:
// test/service/monitors/sweep/causes.test.ts.
import { expect, test } from 'vitest';
import { sandboxStateSchema } from '#contract/service-api/sandbox.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startCallableService } from './started-processes.ts';

// RFC 2606 keeps .invalid free of names.
const unknownNames = {
  RAINBELL_OPEN_METEO_URL: 'http://open-meteo.invalid',
  RAINBELL_MET_NORWAY_URL: 'http://met-norway.invalid',
  RAINBELL_MET_NORWAY_CONTACT: 'https://rainbell.invalid',
  RAINBELL_METAR_URL: 'http://metar.invalid',
};
const torino = { lat: 45.07, lng: 7.69 };

test('without any name of a provider the weather is the simulation’s, within a second, and says so', async () => {
  const { call } = await startCallableService(['--data', temporaryFolder()], unknownNames);
  // The quickest of several places, because a busy machine can hold up any one request.
  const times: number[] = [];
  for (const lng of [torino.lng, 8.69, 9.69, 10.69, 11.69]) {
    const startedAt = performance.now();
    // One after the other, as they would delay each other.
    const answer = await call('GET', `/v2/weather/?location_lat=${torino.lat}&location_lng=${lng}`);
    times.push(performance.now() - startedAt);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('"simulation"');
  }
  expect(Math.min(...times)).toBeLessThan(1_500);
  const { provider } = sandboxStateSchema.parse((await call('GET', '/sandbox/state')).json);
  expect(provider.lastAnswered).toBe('simulation');
  expect(provider.lastErrors.map(({ message }) => message).join(' ')).toMatch(/could not be found|ENOTFOUND|EAI_AGAIN/);
});
