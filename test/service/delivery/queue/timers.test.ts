// The timers of the queue: which sends are slow, and when the next event is due.
import { describe, expect, it } from 'vitest';
import { createSlowWatch, createWakeTimer } from '#service/monitors/delivery/timers.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

describe('the watch for slow sends', () => {
  function start() {
    const clock = createManualClock();
    const slow: string[][] = [];
    return { clock, slow, watch: createSlowWatch<string>(clock, 100, (sends) => void slow.push([...sends])) };
  }

  it('reports each send once, 100 ms after its start, together with others', () => {
    const { clock, slow, watch } = start();
    watch.began('a');
    clock.advance(10);
    watch.began('b');
    clock.advance(30);
    watch.began('c');
    // Checks are every 25 ms from the first start: at 100 ms, only `a` has lasted 100 ms.
    clock.advance(59);
    expect(slow).toEqual([]);
    clock.advance(1);
    expect(slow).toEqual([['a']]);
    clock.advance(25);
    expect(slow).toEqual([['a'], ['b']]);
    clock.advance(25);
    expect(slow).toEqual([['a'], ['b'], ['c']]);
    clock.advance(1_000);
    expect(slow).toHaveLength(3);
  });

  it('leaves out sends that ended, and starts again after a pause', () => {
    const { clock, slow, watch } = start();
    watch.began('a');
    watch.began('b');
    clock.advance(50);
    watch.ended('a');
    clock.advance(50);
    expect(slow).toEqual([['b']]);
    clock.advance(500);
    watch.began('c');
    clock.advance(99);
    expect(slow).toEqual([['b']]);
    clock.advance(1);
    expect(slow).toEqual([['b'], ['c']]);
  });

  it('reports nothing after it closes', () => {
    const { clock, slow, watch } = start();
    watch.began('a');
    watch.close();
    clock.advance(1_000);
    expect(slow).toEqual([]);
  });
});

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
