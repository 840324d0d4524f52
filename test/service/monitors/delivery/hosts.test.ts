// Which waiting event is sent next, round robin over hosts, and which hosts are left alone for how long (docs/delivery.md S12).
import { describe, expect, it } from 'vitest';
import type { WaitingEvent } from '#service/monitors/delivery/tables.ts';
import { createHostBreaker, HostQueues } from '#service/monitors/delivery/hosts.ts';

/** `a1` is the first event of host a, for its own monitor unless one is named. */
const eventOf = (id: string, monitor = id, application = 'app') =>
  ({
    id,
    host: id.slice(0, 1),
    monitor_id: monitor,
    application_id: application,
    account_id: application.slice(0, 5),
  }) as WaitingEvent;

function queuesOf(limits: Partial<ConstructorParameters<typeof HostQueues>[0]> = {}) {
  const sharing = { addressOf: (host: string) => host };
  const queues = new HostQueues({ fresh: 99, open: 99, perHost: 2, unrecorded: 99, ...sharing, ...limits });
  const events = new Map<string, WaitingEvent>();
  const event = (id: string) => events.get(id) ?? eventOf(id);
  return {
    queues,
    add(...ids: (string | WaitingEvent)[]) {
      const added = ids.map((id) => (typeof id === 'string' ? eventOf(id) : id));
      for (const one of added) events.set(one.id, one);
      queues.add(added);
    },
    /** All that may be sent now. */
    take() {
      const taken: string[] = [];
      for (let next = queues.next(); next !== undefined; next = queues.next()) taken.push(next.id);
      return taken;
    },
    respond: (id: string) => queues.responded(event(id)),
    done: (id: string) => queues.done(event(id)),
  };
}

describe('the queues of hosts', () => {
  it('take turns, within the limit of each host', () => {
    const { queues, add, take, respond, done } = queuesOf();
    add('a1', 'a2', 'a3', 'b1', 'c1', 'a1');
    expect([queues.waitingCount(), queues.waitingIds(), queues.ids()]).toEqual([
      5,
      ['a1', 'a2', 'a3', 'b1', 'c1'],
      ['a1', 'a2', 'a3', 'b1', 'c1'],
    ]);
    expect(take()).toEqual(['a1', 'b1', 'c1', 'a2']);
    expect([queues.waitingCount(), queues.openCount(), queues.waitingIds()]).toEqual([1, 4, ['a3']]);
    respond('b1');
    expect(take()).toEqual([]);
    respond('a1');
    expect(take()).toEqual(['a3']);
    done('a1');
    expect([queues.ids(), queues.openCount()]).toEqual([['a2', 'a3', 'b1', 'c1'], 3]);
    // Until its result is stored, an event is not taken again.
    add('b1', 'a1');
    expect(queues.waitingIds()).toEqual(['a1']);
    // Open ones of a host count although none of its events waited.
    expect(take()).toEqual([]);
  });

  it('send one event of a monitor at a time, and later ones of others before it', () => {
    const { add, take, respond, queues } = queuesOf({ perHost: 3 });
    add(eventOf('a1', 'm'), eventOf('a2', 'm'), 'a3', eventOf('b1', 'm'));
    expect(take()).toEqual(['a1', 'a3']);
    expect([queues.waitingCount(), queues.waitingIds()]).toEqual([2, ['a2', 'b1']]);
    respond('a3');
    expect(take()).toEqual([]);
    respond('a1');
    expect(take()).toEqual(['a2']);
    respond('a2');
    expect(take()).toEqual(['b1']);
    expect(queues.waitingCount()).toBe(0);
    respond('b1');
    expect(queues.openCount()).toBe(0);
  });

  it('name hosts with 64 waiting events, until they are below 16', () => {
    const { queues, add, take, respond } = queuesOf({ perHost: 1 });
    const fullA = { application_id: 'app', host: 'a' };
    const ids = Array.from({ length: 64 }, (_, index) => `a${index}`);
    add(...ids.slice(0, 63));
    expect(queues.fullLines()).toEqual([]);
    add(ids[63]!);
    expect([queues.fullLines(), queues.hasRoomAgain()]).toEqual([[fullA], false]);
    for (const id of ids.slice(0, 48)) {
      expect(take()).toEqual([id]);
      respond(id);
    }
    expect([queues.waitingCount(), queues.fullLines(), queues.hasRoomAgain()]).toEqual([16, [fullA], false]);
    expect(take()).toEqual(['a48']);
    expect([queues.fullLines(), queues.hasRoomAgain(), queues.hasRoomAgain()]).toEqual([[], true, false]);
    respond('a48');
    take();
    expect(queues.hasRoomAgain()).toBe(false);
  });

  it('let accounts take turns first, then the addresses of one, then hosts, however many a greedy account has', () => {
    const { add, take } = queuesOf({ fresh: 7, addressOf: (host) => (host < 'x' ? 'one machine' : host) });
    const greedy = ['a1', 'b1', 'c1', 'd1', 'x1', 'x2'].map((id) => eventOf(id, id, 'greed 1'));
    const sister = ['e1', 'f1'].map((id) => eventOf(id, id, 'greed 2'));
    add(...greedy, ...sister, eventOf('y1', 'y1', 'other'), eventOf('y2', 'y2', 'other'));
    expect(take()).toEqual(['a1', 'y1', 'x1', 'y2', 'b1', 'x2', 'c1']);
  });

  it('give an account one turn at a time, also after all its events ended', () => {
    const { add, take, respond } = queuesOf();
    add('a1');
    expect(take()).toEqual(['a1']);
    respond('a1');
    add('a2', 'b1', eventOf('y1', 'y1', 'other'));
    expect(take()).toEqual(['a2', 'y1', 'b1']);
  });

  it('leave as many attempts to others as an account has open, and to its other addresses as one has', () => {
    const addressOf = (host: string) => (host < 'x' ? 'one machine' : host);
    const { add, take, respond } = queuesOf({ open: 12, addressOf });
    const letters = 'abcdefgh'.split('').map((letter) => `${letter}1`);
    add(...letters);
    // Three times four: of all, of the account, and of the address.
    expect(take()).toEqual(['a1', 'b1', 'c1', 'd1']);
    add('x1', 'y1', 'z1');
    expect(take()).toEqual(['x1', 'y1']);
    const others = letters.map((id) => eventOf(`${id}2`, `${id}2`, 'other'));
    add(...others);
    expect(take()).toEqual(['a12', 'b12']);
    respond('a1');
    expect(take()).toEqual(['c12']);
  });

  it('do not let the events of one account for a host wait for those of another', () => {
    const { add, take } = queuesOf();
    add('a1', 'a2', 'a3', eventOf('a4', 'a4', 'other'));
    expect(take()).toEqual(['a1', 'a4', 'a2']);
  });
});

describe('a host that does not answer', () => {
  const host = 'https://hooks.example';

  function silentFor(times: number) {
    const breaker = createHostBreaker();
    for (let count = 0; count < times; count += 1) breaker.failedToRespond(host, 0);
    return breaker;
  }

  it('does not rest if it answered in between', () => {
    const breaker = silentFor(2);
    breaker.responded(host);
    breaker.failedToRespond(host, 0);
    expect([breaker.isResting(host, 0), breaker.isDoubtful(host)]).toEqual([false, false]);
  });

  it('rests twice as long each time, a minute at most, and attempts that were under way do not lengthen it', () => {
    const breaker = silentFor(3);
    const rests: number[] = [];
    let now = 1_000;
    for (let count = 0; count < 8; count += 1) {
      breaker.failedToRespond(host, now);
      breaker.failedToRespond(host, now);
      let rest = 0;
      while (breaker.isResting(host, now + rest)) rest += 1_000;
      rests.push(rest / 1_000);
      now += rest;
    }
    expect(rests).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
  });

  it('is remembered among the 50,000 that failed last', () => {
    const breaker = silentFor(3);
    for (let count = 0; count < 3; count += 1) breaker.failedToRespond('second', 0);
    for (let count = 2; count <= 50_000; count += 1) breaker.failedToRespond(`host ${count}`, 0);
    expect([breaker.isDoubtful(host), breaker.isDoubtful('second')]).toEqual([false, true]);
  });
});
