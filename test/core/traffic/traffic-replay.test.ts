// An exchange of the log is sent once more: with the current token, and never with what was masked.
import { describe, expect, test } from 'vitest';
import { maskText } from '#shared/text/mask-text.ts';
import { callOf } from '#core/traffic/replay.ts';
import { startFakeService } from '#test/core/fake-service.ts';
import { fieldsFor, startAccess, useOwn } from '#test/core/session/access-harness.ts';

const torino = { lat: 45.0703, lng: 7.6869 };
const weather = { 'GET /v2/weather/': () => ({ body: { objects: [], meta: {} } }) };

/** An app with one exchange in its log, with the weather. */
async function startExchanged() {
  const service = await startFakeService(weather);
  const { client } = await startAccess({ sandbox: service.introduction });
  await client.forecast.get(torino);
  const [first] = (await client.traffic.list({ kind: 'api' })).items;
  if (!first) throw new Error('The log is empty.');
  return { service, client, first, replay: () => client.traffic.replay({ id: first.id }) };
}

describe('replaying an exchange', () => {
  test('sends it again with the current token, and returns the new one', async () => {
    const { client, service, first, replay } = await startExchanged();
    await client.session.refresh({ owner: 'application' });
    const { newId } = await replay();
    const [before, again] = service.requestsTo('GET /v2/weather/');
    expect(again?.url).toBe(before?.url);
    expect(again?.headers.authorization).not.toBe(before?.headers.authorization);
    expect(again?.headers.authorization).toMatch(/^Bearer access-/);
    expect(await client.traffic.get({ id: newId })).toMatchObject({ url: first.url, status: 200 });
    expect(newId).toBeGreaterThan(first.id);
  });

  test('sends a body again, and shows a refusal as an exchange of its own', async () => {
    const service = await startFakeService({
      'POST /v2/monitors/': (_request, count) =>
        count === 1
          ? { status: 500, body: { error: 'server_error' } }
          : { status: 422, body: { error: 'invalid_request' } },
    });
    const { client } = await startAccess({ sandbox: service.introduction });
    const callback = { kind: 'address', uri: 'https://hooks.example/in' } as const;
    await expect(client.monitors.create({ geo: torino, callback })).rejects.toMatchObject({ code: 'SERVER' });
    const [first] = (await client.traffic.list({ text: 'monitors' })).items;
    const { newId } = await client.traffic.replay({ id: first?.id ?? 0 });
    const [before, again] = service.requestsTo('POST /v2/monitors/');
    expect(JSON.parse(again?.body ?? '')).toEqual(JSON.parse(before?.body ?? 'null'));
    expect((await client.traffic.get({ id: newId })).status).toBe(422);
  });

  test('goes to the connection that it was made on, even when another is in use', async () => {
    const other = await startFakeService(weather);
    const { client, service, replay } = await startExchanged();
    await useOwn({ client }, fieldsFor(other.introduction), 'secret1');
    const { newId } = await replay();
    expect((await client.traffic.get({ id: newId })).connectionId).toBe('sandbox');
    expect(service.requestsTo('GET /v2/weather/')).toHaveLength(2);
    expect(other.requestsTo('GET /v2/weather/')).toHaveLength(0);
  });

  test('refuses a token request and one that is gone, and sends nothing', async () => {
    const { client, service } = await startExchanged();
    const [token] = (await client.traffic.list({ kind: 'token' })).items;
    const asked = service.seen.length;
    await expect(client.traffic.replay({ id: token?.id ?? 0 })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('does not store'),
    });
    await expect(client.traffic.replay({ id: 999 })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(service.seen).toHaveLength(asked);
  });

  test('refuses what was masked, and what is elsewhere', async () => {
    const { client, first } = await startExchanged();
    const kept = { ...(await client.traffic.get({ id: first.id })), url: 'https://api.example/v2/x' };
    const connection = { baseUrl: 'https://api.example', name: 'Staging' };
    expect(callOf(kept, connection)).toEqual({ method: 'GET', path: '/v2/x' });
    for (const [changes, words] of [
      [{ url: `https://api.example/v2/x?code=${maskText}` }, /masked/],
      [{ requestBody: `{"password":"${maskText}"}` }, /masked/],
      [{ url: 'https://api.example.evil/v2/x' }, /so it can’t be sent again with Staging’s token/],
    ] as const)
      expect(() => callOf({ ...kept, ...changes }, connection)).toThrow(words);
  });
});
