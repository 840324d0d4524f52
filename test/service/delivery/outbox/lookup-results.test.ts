// What a lookup of a callback's name returns, from DNS or from the system, and that each connection looks it up again.
import { ADDRCONFIG, type LookupAddress, Resolver } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { createNameLookup, createSystemLookup } from '#service/monitors/delivery/name-lookup.ts';

type Answer = (error: Error | null, addresses: string[]) => void;

const resolve = (lookup: LookupFunction, name = 'hooks.lan') =>
  new Promise((settle) => lookup(name, {}, (error, found) => settle([error, found])));
const settle = () => new Promise<void>((done) => void setImmediate(done));

describe('a name in DNS', () => {
  const system: LookupFunction = (_name, _options, done) => done(null, '10.0.0.7', 4);

  it.each([
    ['both families', ['1.1.1.1', '1.0.0.1'], ['2606:4700::1'], ['4 1.1.1.1', '4 1.0.0.1', '6 2606:4700::1']],
    ['only IPv6', undefined, ['2606:4700::1'], ['6 2606:4700::1']],
    ['neither, so that the system is asked', undefined, undefined, ['4 10.0.0.7']],
    ['empty answers, so that the system is asked', [], [], ['4 10.0.0.7']],
  ])('has %s', async (_which, ipv4, ipv6, expected) => {
    const answerWith = (addresses: string[] | undefined) =>
      ((name: string, done: Answer) => {
        expect(name).toBe('hooks.lan');
        if (addresses === undefined) done(new Error('not found'), []);
        else done(null, addresses);
      }) as never;
    vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(answerWith(ipv4));
    vi.spyOn(Resolver.prototype, 'resolve6').mockImplementation(answerWith(ipv6));
    const [error, found] = (await resolve(createNameLookup({ fallback: system }))) as [null, LookupAddress[]];
    expect(error).toBeNull();
    expect(found.map(({ family, address }) => `${family} ${address}`)).toEqual(expected);
  });

  it.each([
    ['the given servers', ['127.0.0.1:5353'], [[['127.0.0.1:5353']]]],
    ['the servers of the system', undefined, []],
  ])('is looked up at %s', (_which, servers, expected) => {
    const setServers = vi.spyOn(Resolver.prototype, 'setServers').mockReturnValue();
    createNameLookup(servers && { servers });
    expect(setServers.mock.calls).toEqual(expected);
  });
});

describe('a name in the system', () => {
  it.each([
    ['several addresses', [[{ address: '10.0.0.7', family: 4 }]], [{ address: '10.0.0.7', family: 4 }]],
    ['one address', ['fe80::7', 6], [{ address: 'fe80::7', family: 6 }]],
    ['one address without a family', ['10.0.0.7'], [{ address: '10.0.0.7', family: 4 }]],
  ])('has %s', async (_which, [found, family], expected) => {
    const asked: unknown[] = [];
    const lookup = createSystemLookup((name, options, done) => {
      asked.push(name, options);
      done(null, found as never, family as number | undefined);
    });
    expect(await resolve(lookup)).toEqual([null, expected]);
    // As Node's own connections do.
    expect(asked).toEqual(['hooks.lan', { all: true, hints: ADDRCONFIG }]);
  });

  it('that is unknown is an error, and is looked up again the next time', async () => {
    const errors = [new Error('unknown'), new Error('still unknown')];
    const lookup = createSystemLookup((_name, _options, done) => done(errors.shift() ?? null, []));
    expect(await resolve(lookup)).toEqual([expect.objectContaining({ message: 'unknown' }), []]);
    await settle();
    expect(await resolve(lookup)).toEqual([expect.objectContaining({ message: 'still unknown' }), []]);
    await settle();
    expect(await resolve(lookup)).toEqual([null, []]);
  });

  it('leaves its turn to the next one, two at a time', async () => {
    const asked: string[] = [];
    const ends: (() => void)[] = [];
    const lookup = createSystemLookup((name, _options, done) => {
      asked.push(name);
      ends.push(() => done(new Error('unknown'), []));
    });
    for (const name of ['a', 'b', 'c', 'd', 'e']) void resolve(lookup, name);
    await settle();
    expect(asked).toEqual(['a', 'b']);
    ends[0]?.();
    await settle();
    expect(asked).toEqual(['a', 'b', 'c']);
    for (let end = 1; end < 5; end += 1) {
      ends[end]?.();
      await settle();
    }
    expect(asked).toEqual(['a', 'b', 'c', 'd', 'e']);
    // All turns are free again.
    for (const name of ['f', 'g', 'h']) void resolve(lookup, name);
    await settle();
    expect(asked.slice(5)).toEqual(['f', 'g']);
  });
});
