// "Running it for a team": whole service processes that share one PostgreSQL.
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { fetchAccessToken, startServiceProcess } from '#test/stories/service-process.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { newPostgres } from '#test/service/engines.ts';
import { apiCaller, turin } from '#test/service/monitor-service.ts';
import { startOwnService } from '#test/service/start-own-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

async function startOn(url: string) {
  const flags = ['--data', temporaryFolder(), '--database', url, '--provider', 'simulation'];
  const service = await startServiceProcess(flags);
  onTestFinished(async () => void (await service.stop()));
  const token = await fetchAccessToken(service.introduction);
  return {
    service,
    token,
    baseUrl: service.introduction.baseUrl,
    call: apiCaller(service.introduction.baseUrl, token),
  };
}

async function requestWithWrongSecret({ baseUrl, service }: Awaited<ReturnType<typeof startOn>>): Promise<number> {
  const authorization = `Basic ${Buffer.from(`${service.introduction.clientId}:wrong`).toString('base64')}`;
  const body = new URLSearchParams({ grant_type: 'client_credentials' });
  return (await fetch(`${baseUrl}/token/`, { method: 'POST', headers: { authorization }, body })).status;
}

describe('two services on one PostgreSQL', () => {
  it('share tokens and monitors; an event that one claims is sent once', async () => {
    const url = await newPostgres();
    const [one, other] = [await startOn(url), await startOn(url)];
    const endpoint = await startCallbackEndpoint();
    const body = { monitor_type: 'precipitation', callback_uri: endpoint.url, geo: turin };
    const { id } = (await one.call('POST', '/v2/monitors/', body)).json as { id: string };

    // The first one's token is good at the second.
    const guest = apiCaller(other.baseUrl, one.token);
    expect((await guest('GET', '/v2/monitors/')).json).toMatchObject({ objects: [{ id }] });
    const weather = await guest('GET', `/v2/weather/?location_lat=${turin.lat}&location_lng=${turin.lng}`);
    expect(weather.status).toBe(200);

    // Both have rain, so both want the event.
    await Promise.all(
      [one, other].map(({ call }) => call('POST', '/sandbox/scenarios', { center: turin, minutes: 60 })),
    );
    await endpoint.waitFor(1);
    await other.call('POST', '/sandbox/clock', { kind: 'advance', seconds: 3_000 });
    expect(endpoint.received).toHaveLength(1);
    // The guest's token has aged with the second one's clock, but not for an hour yet. The log has the attempt after its response.
    await expect
      .poll(async () => (await guest('GET', `/v2/events/?monitor=${id}`)).json)
      .toMatchObject({ objects: [{ monitor_id: id, attempts: [{ attempt: 1 }] }] });

    // Wrong secrets count at both together: 40 in five minutes.
    const wrong = Array.from({ length: 50 }, (_, index) => requestWithWrongSecret(index % 2 === 0 ? one : other));
    expect((await Promise.all(wrong)).toSorted((a, b) => a - b)).toEqual([
      ...Array<number>(40).fill(401),
      ...Array<number>(10).fill(429),
    ]);
    expect(await one.service.stop()).toBe(0);
    expect(await other.service.stop()).toBe(0);
  });
});

describe('a service on PostgreSQL without a key for webhook secrets', () => {
  const start = async (url: string, secretKey: string[] | undefined) => {
    let log = '';
    const parts = { log: pino({}, { write: (line: string) => void (log += line) }) };
    const service = await startOwnService({ databaseUrl: url, secretKey }, parts);
    await service.close();
    return log.includes('Set RAINBELL_SECRET_KEY');
  };

  it('says at its start what to do, and is refused once another process has a key', async () => {
    const url = await newPostgres();
    expect(await start(url, undefined)).toBe(true);
    expect(await start(url, ['sixteen letters and more'])).toBe(false);
    await expect(start(url, undefined)).rejects.toThrow('RAINBELL_SECRET_KEY is not set');
    await expect(start(url, ['another key of letters'])).rejects.toThrow('RAINBELL_SECRET_KEY is not the key');
    // As while the key is replaced.
    expect(await start(url, ['another key of letters', 'sixteen letters and more'])).toBe(false);
  });
});
