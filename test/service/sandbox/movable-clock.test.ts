// The clock of `--clock` and of the sandbox: it ticks with the machine's, and its timers follow when it is moved.
import { describe, expect, it } from 'vitest';
import { createMovableClock } from '#service/sandbox/movable-clock.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

function start(at?: number) {
  const machine = createManualClock();
  return { machine, clock: createMovableClock(machine, at) };
}

describe('a movable clock', () => {
  it('runs what falls due when it is moved forward, in order, each once', () => {
    const { machine, clock } = start();
    const ran: string[] = [];
    clock.after(3_600_000, () => ran.push('an hour'));
    clock.after(60_000, () => ran.push('a minute'));
    clock.after(7_200_000, () => ran.push('two hours'));
    clock.moveBy(3_600_000);
    machine.advance(0);
    expect(ran).toEqual(['a minute', 'an hour']);
    machine.advance(3_600_000);
    expect(ran).toEqual(['a minute', 'an hour', 'two hours']);
  });

  it('keeps what a timer still had to wait when it is moved back', () => {
    const { machine, clock } = start();
    expect(clock.now()).toBe(machine.now());
    let ran = 0;
    clock.after(60_000, () => (ran += 1));
    machine.advance(20_000);
    clock.moveBy(-86_400_000);
    machine.advance(39_999);
    expect(ran).toBe(0);
    machine.advance(1);
    expect(ran).toBe(1);
  });

  it('does not run what was canceled, and waits longer than the machine can', () => {
    const { machine, clock } = start();
    const ran: string[] = [];
    const cancel = clock.after(1_000, () => ran.push('cancelled'));
    clock.after(40 * 86_400_000, () => ran.push('forty days'));
    cancel();
    machine.advance(39 * 86_400_000);
    expect(ran).toEqual([]);
    machine.advance(86_400_000);
    expect(ran).toEqual(['forty days']);
  });
});

describe('a movable clock on a machine whose clock jumps', () => {
  it.each([10_800_000, -10_800_000])('shows a jump of %i ms, and its timers run as before', (byMs) => {
    const { machine, clock } = start(1_000);
    expect(clock.now()).toBe(1_000);
    const startedAt = clock.elapsed();
    let [runs, jumps] = [0, 0];
    clock.onJump(() => (jumps += 1));
    clock.after(60_000, () => (runs += 1));
    machine.advance(20_000);
    machine.jump(byMs);
    expect([jumps, clock.now() - 1_000, clock.elapsed() - startedAt]).toEqual([1, byMs + 20_000, 20_000]);
    machine.advance(39_999);
    expect(runs).toBe(0);
    machine.advance(1);
    expect(runs).toBe(1);
  });

  it('counts a move forward as time that passed, and one back as a jump', () => {
    const { machine, clock } = start();
    const startedAt = clock.elapsed();
    let jumps = 0;
    const cancel = clock.onJump(() => (jumps += 1));
    clock.moveBy(3_600_000);
    expect([clock.elapsed() - startedAt, jumps]).toEqual([3_600_000, 0]);
    clock.moveBy(-7_200_000);
    expect([clock.elapsed() - startedAt, jumps]).toEqual([3_600_000, 1]);
    cancel();
    clock.moveBy(-1_000);
    machine.jump(5_000);
    expect(jumps).toBe(1);
  });
});
