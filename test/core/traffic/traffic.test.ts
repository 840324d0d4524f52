// The log of all requests: what it shows, what it never stores, and that it stays small (docs/tokens.md T21).
import { describe, expect, test } from 'vitest';
import { maskerFor } from '#core/traffic/mask.ts';
import { maskText } from '#shared/text/mask-text.ts';
import type { HttpRequest } from '#core/http/http-sender.ts';
import { toRecord } from '#core/traffic/traffic-log.ts';
import { noSteps } from '#test/core/core-harness.ts';
import { startFakeService } from '#test/core/fake-service.ts';
import { startAccess } from '#test/core/session/access-harness.ts';

const torino = { lat: 45.0703, lng: 7.6869 };

describe('the traffic log', () => {
  test('has every request with headers, bodies and time, newest first, page by page', async () => {
    const body = { objects: [], meta: {} };
    const service = await startFakeService({
      'GET /v2/weather/': () => ({ body }),
      'GET /v2/monitors/': () => ({ status: 500, body: { error: 'server_error' } }),
    });
    const { client } = await startAccess({ sandbox: service.introduction });
    await client.forecast.get(torino);
    await expect(client.monitors.list()).rejects.toMatchObject({ code: 'SERVER' });
    const { items, total, newestId } = await client.traffic.list({ limit: 2 });
    expect(total).toBe(3);
    expect(items.map(({ kind, status }) => [kind, status])).toEqual([
      ['api', 500],
      ['api', 200],
    ]);
    expect(items[0]?.id).toBe(newestId);
    const rest = await client.traffic.list({ limit: 2, beforeId: items[1]?.id });
    expect(rest.items).toMatchObject([{ kind: 'token', method: 'POST', connectionId: 'sandbox' }]);
    const weather = await client.traffic.get({ id: items[1]?.id ?? 0 });
    expect(weather.responseBody).toBe(JSON.stringify(body));
    expect(weather.requestHeaders).toContainEqual(['authorization', `Bearer ${maskText}`]);
    expect((await client.traffic.get({ id: rest.items[0]?.id ?? 0 })).timing.connectedMs).toBeGreaterThanOrEqual(0);
    expect(weather.timing.firstByteMs).toBeLessThanOrEqual(weather.timing.totalMs);
    expect((await client.traffic.list({ failedOnly: true })).items).toHaveLength(1);
    expect((await client.traffic.list({ text: 'MONITORS' })).items).toHaveLength(1);
    await client.traffic.clear();
    expect(await client.traffic.list({})).toEqual({ items: [], total: 0, newestId });
  });
});

describe('masking', () => {
  const request = {
    headers: [['authorization', `Basic ${Buffer.from('id:s%26cret+word').toString('base64')}`]] as [string, string][],
    body: 'grant_type=password&username=ann&password=open%20sesame%21&refresh_token=r-e-f-r-e-s-h&client_secret=o%64d-secret',
    kind: 'token' as const,
  };
  const masker = maskerFor(request);

  test.each([
    ['a token answer', '{"access_token":"a-t","token_type":"bearer","odd_secret":"x-y"}', ['a-t', 'x-y']],
    ['an answer behind a byte order mark', '\uFEFF{"access_token":"a-t","odd_secret":"x-y"}', ['a-t', 'x-y']],
    ['a token that is a number', '{"access_token":822106502566256641,"expires_in":60}', ['8221065025662566']],
    ['a nested one', '{"data":{"access_token":"a-t"},"error":"x"}', ['a-t']],
    ['a list of reasons', '{"errors":[{"code":"x","given":{"secret":"x-y"},"detail":{"note":"z-z"}}]}', ['x-y', 'z-z']],
    ['a form', 'access_token=a-t&token_type=bearer&more=m-m', ['a-t', 'm-m']],
    ['an echo', '<p>open sesame! open%20sesame%21 s&cret word r-e-f-r-e-s-h</p>', ['sesame', 's&cret', 'r-e-f']],
    ['an echo as it was sent', '<p>o%64d-secret</p>', ['o%64d']],
    ['cut JSON', '<!-- {"access_token":"a-t-c-u', ['a-t-c']],
  ])('leaves nothing of the secrets in %s', (_what, body, secrets) => {
    const masked = masker.tokenBody(body);
    for (const secret of secrets) expect(masked).not.toContain(secret);
    expect(masked).toContain('•');
  });

  test('of a token of megabytes costs little, and what is kept is short', () => {
    const body = Buffer.from(`{"deep":{"access_token":"${'a\\n'.repeat(400_000)}","more":"${'b'.repeat(900_000)}"}}`);
    const request = { method: 'GET', url: 'https://a.example/', headers: [] } satisfies HttpRequest;
    const response = { request, status: 200, headers: [], body, firstByteMs: 1, tookMs: 2 };
    const record = toRecord({ id: 'c', name: 'C' }, { request, startedAt: 0, tookMs: 2, steps: noSteps, response });
    expect(record).toMatchObject({ truncated: 1, sizeBytes: body.length });
    expect(record.responseBody).not.toContain('a\\na');
    expect(record.responseBody.length).toBeLessThanOrEqual(256 * 1024);
  });

  test('leaves what is harmless', () => {
    expect(masker.tokenBody('{"token_type":"bearer","expires_in":60,"scope":"post_metag"}')).toBe(
      '{"token_type":"bearer","expires_in":60,"scope":"post_metag"}',
    );
    expect(masker.tokenBody(request.body)).toBe(
      `grant_type=password&username=ann&password=${maskText}&refresh_token=${maskText}&client_secret=${maskText}`,
    );
    expect(maskerFor({ headers: [] }).text('{"code":"IT","weather":{"status":"sunny"}}')).toContain('"IT"');
  });
});
