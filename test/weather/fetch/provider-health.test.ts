// How long a provider that fails is left alone, and what processes tell each other about it.
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import type { Pause, SharedPauses } from '#service/limits/shared-pauses.ts';
import { noPauses } from '#service/limits/shared-pauses.ts';
import { createProviderHealth } from '#service/weather/fetch/provider-health.ts';
import { ProviderFailure } from '#service/weather/reading/reading.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const second = 1_000;
const dayMs = 24 * 3_600 * second;
const now = Date.parse('2026-11-21T06:00:00Z');

function start() {
  const clock = createManualClock(now);
  const sent: unknown[] = [];
  let apply: (name: string, pause: Pause) => void = () => {};
  const pauses: SharedPauses = {
    ...noPauses,
    send: (...pause) => void sent.push(pause),
    listen(kind, run) {
      if (kind === 'provider') apply = run;
    },
  };
  const health = createProviderHealth({ clock, log: pino({ level: 'silent' }), pauses });
  return { clock, health, sent, hear: (name: string, pause: Pause) => apply(name, pause) };
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

  it('does not count after the service began to close', () => {
    const { health, sent } = start();
    health.close();
    health.failed('met', network);
    expect([health.restMs('met'), health.failing('met'), health.lastErrors(), sent]).toEqual([0, undefined, [], []]);
  });
});

describe('the last errors', () => {
  it('are eight, latest first', () => {
    const { health, clock } = start();
    health.failed('first', new Error('secret details'));
    for (let index = 0; index < 8; index += 1) {
      clock.advance(second);
      health.failed(`provider ${index}`, answer());
    }
    expect(health.lastErrors()).toHaveLength(8);
    expect(health.lastErrors()[0]).toEqual({
      provider: 'provider 7',
      at: '2026-11-21T06:00:08.000Z',
      message: 'it returned 500',
    });
    expect(health.lastErrors().at(-1)?.provider).toBe('provider 0');
  });

  it('do not show what an unexpected error says', () => {
    const { health } = start();
    health.failed('first', new Error('secret details'));
    expect(health.lastErrors()).toEqual([
      { provider: 'first', at: '2026-11-21T06:00:00.000Z', message: 'an internal error occurred' },
    ]);
  });
});

describe('a process', () => {
  it('sends each failure, and the first success after it', () => {
    const { health, clock, sent } = start();
    health.succeeded('met');
    health.failed('met', answer({ retryAfterSeconds: 60 }));
    clock.advance(2 * second);
    health.failed('met', answer());
    health.succeeded('met');
    health.succeeded('met');
    const reason = 'it returned 500';
    expect(sent).toEqual([
      ['provider', 'met', { failures: 1, forMs: 0, restMs: 10_000, leftMs: 60_000, reason }],
      ['provider', 'met', { failures: 2, forMs: 2_000, restMs: 20_000, leftMs: 20_000, reason }],
      ['provider', 'met', { failures: 0, forMs: 0, restMs: 0, leftMs: 0, reason: '' }],
    ]);
  });

  const pause = { failures: 2, forMs: 5 * second, restMs: 0, leftMs: 30 * second, reason: 'it returned 503' };

  it('applies what another one sends, and counts on from there', () => {
    const { health, hear } = start();
    hear('met', pause);
    expect(health.restMs('met')).toBe(30 * second);
    expect(health.failing('met')).toMatchObject({ since: now - 5 * second, reason: 'it returned 503' });
    expect(health.lastErrors()).toEqual([]);
    health.failed('met', answer());
    expect(health.restMs('met')).toBe(40 * second);
    hear('met', { ...pause, failures: 0, leftMs: 0 });
    expect([health.failing('met'), health.restMs('met')]).toEqual([undefined, 0]);
  });

  it('keeps its own pause if that is longer, and the earliest failure', () => {
    const { health, clock, hear } = start();
    health.failed('met', answer({ retryAfterSeconds: 30 }));
    hear('met', { ...pause, leftMs: 30 * second });
    expect(health.failing('met')).toMatchObject({ since: now, reason: 'it returned 500' });
    hear('met', { ...pause, leftMs: 30 * second + 1 });
    expect(health.failing('met')).toMatchObject({ since: now - 5 * second, reason: 'it returned 503' });
    clock.advance(second);
    hear('met', { ...pause, forMs: second, leftMs: 40 * second });
    expect([health.failing('met')?.since, health.restMs('met')]).toEqual([now - 5 * second, 40 * second]);
  });

  it('pauses for at most a day', () => {
    const { health, hear } = start();
    hear('met', { ...pause, leftMs: 2 * dayMs });
    expect(health.restMs('met')).toBe(dayMs);
  });
});
