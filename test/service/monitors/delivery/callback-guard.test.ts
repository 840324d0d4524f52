// Which callbacks may be called (docs/delivery.md S8 and S9): at registration, and again at each send. One that is blocked later:
// test/service/monitors/sweep/causes.test.ts.
import type { LookupFunction } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { CallbackPolicy } from '#shared/node/callback-address.ts';
import { createCallbackGuard } from '#shared/node/callback-guard.ts';
import { createCallbackSender } from '#service/monitors/delivery/send-callback.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { startMonitorService, turin } from '#test/service/monitor-service.ts';

const publicPolicy: CallbackPolicy = { kind: 'public', allowlist: [], ownPort: 8420 };

const unknown: LookupFunction = (_name, _options, done) =>
  done(Object.assign(new Error('not found'), { code: 'ENOTFOUND' }), []);

// Which addresses it refuses: test/shared/callback-address.test.ts.
describe('the guard (docs/delivery.md S8)', () => {
  it.each<[string, LookupFunction]>([
    ['that cannot be resolved yet', unknown],
    ['whose server is silent', () => {}],
  ])('lets a name be registered %s', async (_name, lookup) => {
    const guard = createCallbackGuard({ policy: publicPolicy, lookup });
    expect(await guard.problem('https://soon.example/')).toBeUndefined();
  });

  it('looks again at each send, so a name that turns private is not called', async () => {
    const endpoint = await startCallbackEndpoint();
    let address = '93.184.216.34';
    const lookup: LookupFunction = (_name, _options, done) => done(null, [{ address, family: 4 }]);
    const guard = createCallbackGuard({ policy: publicPolicy, lookup });
    const url = `http://rebinding.example:${endpoint.port}/`;
    expect(await guard.problem(url)).toBeUndefined();
    address = '127.0.0.1';
    const sender = createCallbackSender({ guard, timeoutMs: 2_000, connectionsPerHost: 4, elapsedMs: () => 0 });
    const headers = { 'webhook-id': 'a', 'webhook-timestamp': '1', 'webhook-signature': 'v1,x' };
    expect(await sender.send(url, '{}', headers)).toMatchObject({ status: null, error: 'forbidden' });
    expect(await sender.send(`http://127.0.0.1:${endpoint.port}/`, '{}', headers)).toMatchObject({
      error: 'forbidden',
    });
    await sender.close();
    expect(endpoint.received).toHaveLength(0);
  });
});

describe('a service bound beyond loopback', () => {
  it('refuses a private callback when the monitor is created, and says why', async () => {
    const service = await startMonitorService({ policy: 'public' });
    for (const callback_uri of ['http://127.0.0.1:9/', 'http://192.168.0.7/', 'http://169.254.169.254/latest/']) {
      const answer = await service.call('POST', '/v2/monitors/', {
        monitor_type: 'precipitation',
        callback_uri,
        geo: turin,
      });
      expect(answer).toMatchObject({
        status: 400,
        json: { error: 'invalid_request', error_description: expect.stringContaining('callback_uri') },
      });
      // The request is from the service's own machine, whose user can change the settings.
      const { error_description: words } = answer.json as { error_description: string };
      expect(words.includes('List it in RAINBELL_CALLBACK_ALLOWLIST.')).toBe(!callback_uri.includes('169.254'));
    }
  });
});

it('a service on loopback does not call itself', async () => {
  const service = await startMonitorService();
  const body = { monitor_type: 'precipitation', callback_uri: `${service.baseUrl}/v2/monitors/`, geo: turin };
  const answer = await service.call('POST', '/v2/monitors/', body);
  expect(answer).toMatchObject({ status: 400, json: { error_description: expect.stringContaining('itself') } });
});
