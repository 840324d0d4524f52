// The machine's clock: delays by the monotonic clock, and jumps of the wall clock that are noticed.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';

const hourMs = 3_600_000;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Sets the wall clock; the monotonic clock of the fake timers goes on as it was. */
function jump(byMs: number): void {
  vi.setSystemTime(Date.now() + byMs);
}

describe('the system clock', () => {
  it('measures and waits by the monotonic clock, whatever the wall clock does', () => {
    const [startedAt, wallStart] = [systemClock.elapsed(), systemClock.now()];
    let runs = 0;
    systemClock.after(10_000, () => (runs += 1));
    jump(-4 * hourMs);
    vi.advanceTimersByTime(5_000);
    jump(9 * hourMs);
    vi.advanceTimersByTime(4_999);
    expect(runs).toBe(0);
    vi.advanceTimersByTime(1);
    expect(runs).toBe(1);
    expect(systemClock.elapsed() - startedAt).toBe(10_000);
    expect(systemClock.now() - wallStart).toBe(5 * hourMs + 10_000);
  });

  it.each([3 * hourMs, -3 * hourMs, 2_500, -2_500])('reports a jump of %i ms once, within a second', (byMs) => {
    let jumps = 0;
    const cancel = systemClock.onJump(() => (jumps += 1));
    vi.advanceTimersByTime(60_000);
    expect(jumps).toBe(0);
    jump(byMs);
    vi.advanceTimersByTime(1_000);
    expect(jumps).toBe(1);
    vi.advanceTimersByTime(60_000);
    expect(jumps).toBe(1);
    cancel();
  });

  it('takes a correction of up to 2 s for no jump, and several that add up for one', () => {
    let jumps = 0;
    const cancel = systemClock.onJump(() => (jumps += 1));
    jump(1_500);
    vi.advanceTimersByTime(1_000);
    expect(jumps).toBe(0);
    jump(1_500);
    vi.advanceTimersByTime(1_000);
    expect(jumps).toBe(1);
    cancel();
  });

  it('looks for jumps only while someone waits for them', () => {
    const cancels = [systemClock.onJump(() => {}), systemClock.onJump(() => {})];
    expect(vi.getTimerCount()).toBe(1);
    for (const cancel of cancels) cancel();
    expect(vi.getTimerCount()).toBe(0);
    jump(hourMs);
    let jumps = 0;
    const cancel = systemClock.onJump(() => (jumps += 1));
    vi.advanceTimersByTime(1_000);
    expect(jumps).toBe(0);
    cancel();
  });

  it('waits longer than a timer of the machine can', () => {
    const dayMs = 24 * hourMs;
    let runs = 0;
    systemClock.after(40 * dayMs, () => (runs += 1));
    const cancel = systemClock.after(40 * dayMs, () => (runs += 1));
    vi.advanceTimersByTime(39 * dayMs);
    expect(runs).toBe(0);
    cancel();
    vi.advanceTimersByTime(dayMs);
    expect(runs).toBe(1);
  });
});
