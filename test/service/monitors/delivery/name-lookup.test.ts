// How the names of callbacks are resolved by a service in public: a silent name server delays no other callbacks.
import { createSocket } from 'node:dgram';
import { ADDRCONFIG, type LookupAddress } from 'node:dns';
import { once } from 'node:events';
import type { AddressInfo, LookupFunction } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNameLookup, createSystemLookup } from '#service/monitors/delivery/name-lookup.ts';

const ipv4Record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 216, 34]);
const ipv6Record = Buffer.from([0xc0, 0x0c, 0, 28, 0, 1, 0, 0, 0, 60, 0, 16, 0x26, 6, 0x47, ...Array(12).fill(0), 1]);
const families: Record<string, number[]> = { known: [1], six: [28], both: [1, 28], empty: [] };

/** A DNS server that knows names by their first label's first word, and ignores "silent" ones. */
async function startNameServer(): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    const name = question.toString('latin1', 13);
    if (name.startsWith('silent')) return;
    const known = families[/^[a-z]+/.exec(name)?.[0] ?? ''];
    if (!known) {
      const header = Buffer.from([...question.subarray(0, 2), 0x81, 0x83, 0, 1, 0, 0, 0, 0, 0, 0]);
      socket.send(Buffer.concat([header, question.subarray(12, question.indexOf(0, 12) + 5)]), port, address);
      return;
    }
    const family = question.readUInt16BE(question.indexOf(0, 12) + 1);
    const records = known.includes(family) ? [family === 1 ? ipv4Record : ipv6Record] : [];
    const header = Buffer.from([...question.subarray(0, 2), 0x81, 0x80, 0, 1, 0, records.length, 0, 0, 0, 0]);
    const asked = question.subarray(12, question.indexOf(0, 12) + 5);
    socket.send(Buffer.concat([header, asked, ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  onTestFinished(() => void socket.close());
  return `127.0.0.1:${(socket.address() as AddressInfo).port}`;
}

function resolve(lookup: LookupFunction, name: string): Promise<string | LookupAddress[] | Error> {
  return new Promise((settle) => lookup(name, { all: true }, (error, found) => settle(error ?? found)));
}

const unknown: LookupFunction = (name, _options, done) => done(new Error(`${name} is unknown`), []);

describe('the lookup of a callback name', () => {
  it('does not wait for others whose name server is silent', async () => {
    const lookup = createNameLookup({ servers: [await startNameServer()], fallback: unknown, timeoutMs: 500 });
    let failed = 0;
    const silent = Array.from({ length: 50 }, async (_, index) => {
      const found = await resolve(lookup, `silent-${index}.example`);
      failed += 1;
      return found;
    });
    expect(await resolve(lookup, 'known.example')).toEqual([{ address: '93.184.216.34', family: 4 }]);
    expect(failed).toBe(0);
    expect(await Promise.all(silent)).toEqual(Array(50).fill(expect.any(Error)));
  });

  it('asks the system once for a name that many look up, for two names at a time, and for no more than wait', async () => {
    const asked: string[] = [];
    const answers: (() => void)[] = [];
    const lookup = createSystemLookup((name, _options, done) => {
      asked.push(name);
      answers.push(() => done(null, [{ address: '10.0.0.7', family: 4 }]));
    });
    const one = Array.from({ length: 40 }, () => resolve(lookup, 'hooks.lan'));
    const many = Array.from({ length: 120 }, (_, index) => resolve(lookup, `host-${index}.lan`));
    await expect.poll(() => answers.length).toBe(2);
    expect(asked).toEqual(['hooks.lan', 'host-0.lan']);
    while (answers.length > 0) {
      answers.splice(0).forEach((answer) => answer());
      await nextTurn();
    }
    expect(await Promise.all(one)).toEqual(Array(40).fill([{ address: '10.0.0.7', family: 4 }]));
    const refused = (await Promise.all(many)).filter((answer) => answer instanceof Error);
    expect(refused).toHaveLength(19);
    expect(refused[0]).toMatchObject({ code: 'EAI_AGAIN' });
    expect(asked).toHaveLength(102);
  });

  it('finds both families in DNS, and leaves names without any address there to the system', async () => {
    const fallback: LookupFunction = (_name, _options, done) => done(null, '10.0.0.7', 4);
    const lookup = createNameLookup({ servers: [await startNameServer()], fallback });
    const [ipv4, ipv6] = [
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700::1', family: 6 },
    ];
    const system = { address: '10.0.0.7', family: 4 };
    expect(await Promise.all(['both', 'six', 'empty', 'hooks.lan'].map((name) => resolve(lookup, name)))).toEqual([
      [ipv4, ipv6],
      [ipv6],
      [system],
      [system],
    ]);
  });

  it('of an unknown name is an error, and asks again the next time', async () => {
    const errors = [new Error('unknown'), new Error('still unknown')];
    const lookup = createSystemLookup((_name, options, done) => {
      // As Node's own connections do.
      expect(options).toEqual({ all: true, hints: ADDRCONFIG });
      done(errors.shift() ?? null, []);
    });
    expect(await resolve(lookup, 'a')).toMatchObject({ message: 'unknown' });
    await nextTurn();
    expect(await resolve(lookup, 'a')).toMatchObject({ message: 'still unknown' });
    await nextTurn();
    expect(await resolve(lookup, 'a')).toEqual([]);
  });
});
