// How long a provider that fails is left alone.
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { ProviderFailure } from '#service/weather/reading/reading.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const second = 1_000;
const now = Date.parse('2026-11-21T06:00:00Z');

function start() {
  const clock = createManualClock(now);
  return { clock, health: createProviderHealth({ clock, log: pino({ level: 'silent' }) }) };
}

const answer = (options: ConstructorParameters<typeof ProviderFailure>[2] = {}) =>
  new ProviderFailure('met', 'it returned 500', options);
const network = new ProviderFailure('met', 'it could not be reached', { isOfNetwork: true });

describe('a provider that fails', () => {
  it.each([
    ['without an answer', network, [3, 6, 12, 24, 48, 96, 192, 300, 300]],
    ['with an answer', answer(), [10, 20, 40, 80, 160, 300, 300]],
    ['for an unknown reason', new TypeError('broken'), [10, 20, 40]],
  ])('%s rests twice as long each time, at most five minutes', (_name, error, seconds) => {
    const { health } = start();
    expect(health.restMs('met')).toBe(0);
    const rests = seconds.map(() => {
      health.failed('met', error);
      return health.restMs('met') / second;
    });
    expect(rests).toEqual(seconds);
    expect(health.restMs('other')).toBe(0);
  });

  it.each([
    ['as long as it asks for', 60, 60],
    ['not shorter than usual', 9, 10],
    ['at most a day', 86_401, 86_400],
  ])('rests %s', (_name, retryAfterSeconds, seconds) => {
    const { health } = start();
    health.failed('met', answer({ retryAfterSeconds }));
    expect(health.restMs('met')).toBe(seconds * second);
  });

  it.each([3 * 3_600_000, -3 * 3_600_000])('rests as long as before after a jump of the clock by %i ms', (byMs) => {
    const { health, clock } = start();
    health.failed('met', answer());
    clock.jump(byMs);
    clock.advance(9_999);
    expect(health.restMs('met')).toBe(1);
  });

  it('may be queried once the rest is over, and fails until it responds', () => {
    const { health, clock } = start();
    expect(health.failing('met')).toBeUndefined();
    health.failed('met', network);
    clock.advance(2_999);
    expect(health.restMs('met')).toBe(1);
    clock.advance(2);
    expect(health.restMs('met')).toBe(0);
    health.failed('met', answer());
    expect(health.failing('met')).toMatchObject({ since: now, reason: 'it returned 500' });
    expect(health.restMs('met')).toBe(20 * second);
    health.succeeded('met');
    expect([health.failing('met'), health.restMs('met')]).toEqual([undefined, 0]);
    health.failed('met', network);
    expect([health.failing('met')?.since, health.restMs('met')]).toEqual([now + 3_001, 3 * second]);
  });
});

describe('the last errors', () => {
  it('are eight, latest first, without what an unexpected error says', () => {
    const { health, clock } = start();
    for (let index = 0; index < 8; index += 1) {
      clock.advance(second);
      health.failed(`provider ${index}`, answer());
    }
    health.failed('last', new Error('secret details'));
    const at = '2026-11-21T06:00:08.000Z';
    expect(health.lastErrors().slice(0, 2)).toEqual([
      { provider: 'last', at, message: 'an internal error occurred' },
      { provider: 'provider 7', at, message: 'it returned 500' },
    ]);
    expect([health.lastErrors().length, health.lastErrors().at(-1)?.provider]).toEqual([8, 'provider 1']);
  });
});
