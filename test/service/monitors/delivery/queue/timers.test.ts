// The timer of the queue: when the next event is due.
import { describe, expect, it } from 'vitest';
import { createWakeTimer } from '#service/monitors/delivery/deliver.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

describe('the wake timer', () => {
  function start() {
    const clock = createManualClock(0);
    const rings: number[] = [];
    return { clock, rings, timer: createWakeTimer(clock, () => void rings.push(clock.now())) };
  }

  it('runs once, at the earliest time', () => {
    const { clock, rings, timer } = start();
    timer.ringAt(100);
    timer.ringAt(50);
    timer.ringAt(70);
    clock.advance(200);
    expect(rings).toEqual([50]);
    timer.ringAt(300);
    clock.advance(100);
    expect(rings).toEqual([50, 300]);
  });

  it('ignores times that are not in the future', () => {
    const { clock, rings, timer } = start();
    clock.advance(10);
    timer.ringAt(10);
    timer.ringAt(9);
    clock.advance(0);
    expect(rings).toEqual([]);
    timer.ringAt(11);
    clock.advance(1);
    expect(rings).toEqual([11]);
  });

  it('runs at a later time after it was canceled', () => {
    const { clock, rings, timer } = start();
    timer.ringAt(50);
    timer.cancel();
    timer.ringAt(80);
    clock.advance(100);
    expect(rings).toEqual([80]);
  });
});
