// How long a finished answer is kept: to the end of its minute, a moment where something better may come, never over a change.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createResponseCache } from '#service/weather/response/weather-response.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

function counting(isFinal: boolean) {
  let built = 0;
  return {
    built: () => built,
    async build() {
      built += 1;
      await nextTurn();
      return { answer: { built }, isFinal, bytes: 12 };
    },
  };
}

const halfPastSix = Date.parse('2026-11-21T06:30:20Z');

describe('an answer that is final', () => {
  it('is built once for everyone who asks in its minute', async () => {
    const clock = createManualClock(halfPastSix);
    const answers = createResponseCache<{ built: number }>({ clock });
    const { build, built } = counting(true);
    await Promise.all(Array.from({ length: 20 }, () => answers.get('a', build)));
    clock.advance(39_999);
    await answers.get('a', build);
    expect(built()).toBe(1);
    clock.advance(1);
    expect(answers.peek('a')).toBeUndefined();
    await answers.get('a', build);
    expect(built()).toBe(2);
  });

  it('does not survive a change, nor does one that is being built meanwhile', async () => {
    const answers = createResponseCache<{ built: number }>({ clock: createManualClock() });
    const { build, built } = counting(true);
    await answers.get('a', build);
    answers.clear();
    expect(answers.peek('a')).toBeUndefined();
    const late = answers.get('a', build);
    answers.clear();
    await late;
    expect(answers.peek('a')).toBeUndefined();
    expect(built()).toBe(2);
  });

  it('does not survive a change of its own key, and stays at a change of another one', async () => {
    const answers = createResponseCache<{ built: number }>({ clock: createManualClock() });
    const { build, built } = counting(true);
    await answers.get('a', build);
    answers.remove((key) => key === 'b');
    expect(answers.peek('a')).toBeDefined();
    const late = answers.get('b', build);
    answers.remove(() => true);
    await late;
    expect([answers.peek('a'), answers.peek('b')]).toEqual([undefined, undefined]);
    expect(built()).toBe(2);
  });

  it('is not cached if building it fails', async () => {
    const answers = createResponseCache<{ built: number }>({ clock: createManualClock() });
    await expect(answers.get('a', () => Promise.reject(new Error('no weather')))).rejects.toThrow('no weather');
    await expect(answers.get('a', counting(true).build)).resolves.toBeDefined();
  });
});
