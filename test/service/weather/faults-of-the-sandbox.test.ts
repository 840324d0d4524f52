// Faults of the sandbox one by one: how many requests they hit, for how long, and what each does to one.
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { WeatherFaultKind } from '#contract/service-api/sandbox.ts';
import { createWeatherFaults } from '#service/weather/weather-faults.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const now = Date.parse('2026-11-21T06:00:00Z');
const minute = 60_000;

function start(kind: WeatherFaultKind = 'error', requests: number | null = null) {
  const clock = createManualClock(now);
  const faults = createWeatherFaults(clock);
  const switchOn = () => faults.switchOn({ kind, minutes: 5, requests, delaySeconds: 30 });
  const sent: unknown[] = [];
  const reply = {
    type(name: string) {
      sent.push(name);
      return reply;
    },
    send(body: string) {
      sent.push(body);
      return reply;
    },
  };
  const socket = new EventEmitter();
  const request = { raw: { socket } } as unknown as FastifyRequest;
  const hook = () => faults.hook(request, reply as unknown as FastifyReply);
  return { clock, faults, switchOn, sent, socket, hook };
}

describe('a fault', () => {
  it('does nothing until it is on, and after it is off', async () => {
    const { faults, switchOn, hook } = start();
    expect([faults.isOn(), faults.describe(), await hook()]).toEqual([false, null, undefined]);
    switchOn();
    expect(faults.isOn()).toBe(true);
    faults.switchOff();
    expect([faults.isOn(), faults.describe(), await hook()]).toEqual([false, null, undefined]);
  });

  it.each([
    ['error', 500, 'server_error', {}],
    ['rate_limited', 429, 'rate_limited', { 'retry-after': '5' }],
    ['unauthorized', 401, 'invalid_token', { 'www-authenticate': 'Bearer realm="Rainbell", error="invalid_token"' }],
  ] as const)('%s rejects requests with %d', async (kind, status, code, headers) => {
    const { switchOn, hook } = start(kind);
    switchOn();
    await expect(hook()).rejects.toMatchObject({
      status,
      code,
      headers,
      message: expect.stringMatching(new RegExp(`sandbox fault.*${status}`)),
    });
  });

  it('hits its number of requests', async () => {
    const { faults, switchOn, hook } = start('error', 2);
    switchOn();
    expect(faults.describe()).toMatchObject({ requestsLeft: 2, requestsHit: 0 });
    await expect(hook()).rejects.toThrow('sandbox fault');
    expect(faults.describe()).toEqual({
      kind: 'error',
      requestsLeft: 1,
      requestsHit: 1,
      delaySeconds: 30,
      endsAt: '2026-11-21T06:05:00.000Z',
    });
    await expect(hook()).rejects.toThrow('sandbox fault');
    expect([faults.isOn(), await hook()]).toEqual([false, undefined]);
  });

  it('without a number hits all requests until it ends', async () => {
    const { faults, switchOn, hook, clock } = start();
    switchOn();
    for (const requestsHit of [1, 2, 3]) {
      await expect(hook()).rejects.toThrow('sandbox fault');
      expect(faults.describe()).toMatchObject({ requestsLeft: null, requestsHit });
    }
    clock.advance(5 * minute - 1);
    expect(faults.describe()?.endsAt).toBe('2026-11-21T06:05:00.000Z');
    clock.advance(1);
    expect([faults.isOn(), faults.describe(), await hook()]).toEqual([false, null, undefined]);
  });

  it('sends JSON that ends too early', async () => {
    const { switchOn, hook, sent } = start('malformed');
    switchOn();
    await hook();
    expect(sent).toEqual(['application/json; charset=utf-8', expect.stringMatching(/^\{"objects": \[\{/)]);
    expect(() => JSON.parse(String(sent[1])) as unknown).toThrow(SyntaxError);
  });

  it('delays requests, until their client has gone', async () => {
    const { clock, switchOn, hook, socket } = start('slow');
    switchOn();
    let passed = 0;
    const waiting = [hook(), hook()].map((each) => each.then(() => (passed += 1)));
    expect(socket.listenerCount('close')).toBe(2);
    clock.advance(29_999);
    await nextTurn();
    expect(passed).toBe(0);
    clock.advance(1);
    await Promise.all(waiting);
    expect(socket.listenerCount('close')).toBe(0);
    const gone = hook();
    socket.emit('close');
    await gone;
    expect(socket.listenerCount('close')).toBe(0);
  });
});
