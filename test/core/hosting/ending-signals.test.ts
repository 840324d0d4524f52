// One Ctrl+C that arrives several times, and a second one.
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { classifySignals } from '#core/hosting/classify-signals.ts';
import { createManualClock } from '../manual-clock.ts';

it('takes a signal for the first one again until the event loop has turned, however long that takes', () => {
  const clock = createManualClock(0);
  const classify = classifySignals({ clock, graceMs: 500, afterTurn: setImmediate });
  expect(classify()).toBe('first');
  clock.advance(60_000);
  expect(classify()).toBe('again');
});

it('takes a signal for a second one when the grace period is over', async () => {
  const clock = createManualClock(0);
  const classify = classifySignals({ clock, graceMs: 500, afterTurn: setImmediate });
  expect(classify()).toBe('first');
  clock.advance(60_000);
  await turn();
  clock.advance(500);
  expect(classify()).toBe('again');
  clock.advance(1);
  expect([classify(), classify()]).toEqual(['second', 'second']);
});
