// How the names of callbacks are resolved by a service in public: a silent name server delays nobody else.
import { createSocket } from 'node:dgram';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import type { AddressInfo, LookupFunction } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createNameLookup } from '#service/delivery/name-lookup.ts';

/** A DNS server that knows 93.184.216.34 for names beginning with "known" and is silent about all others. */
async function startNameServer(): Promise<string> {
  const socket = createSocket('udp4');
  socket.on('message', (question, { port, address }) => {
    if (!question.toString('latin1', 13).startsWith('known')) return;
    const isIpv4 = question.readUInt16BE(question.indexOf(0, 12) + 1) === 1;
    const header = Buffer.from([...question.subarray(0, 2), 0x81, 0x80, 0, 1, 0, isIpv4 ? 1 : 0, 0, 0, 0, 0]);
    const asked = question.subarray(12, question.indexOf(0, 12) + 5);
    const record = Buffer.from([0xc0, 0x0c, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 93, 184, 216, 34]);
    socket.send(Buffer.concat([header, asked, ...(isIpv4 ? [record] : [])]), port, address);
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
    const lookup = createNameLookup({ servers: [await startNameServer()], fallback: unknown });
    const silent = Array.from({ length: 50 }, (_, index) => resolve(lookup, `silent-${index}.example`));
    const started = performance.now();
    expect(await resolve(lookup, 'known.example')).toEqual([{ address: '93.184.216.34', family: 4 }]);
    expect(performance.now() - started).toBeLessThan(1_200);
    expect(await Promise.all(silent)).toEqual(Array(50).fill(expect.any(Error)));
  });

  it('leaves names that DNS does not know to the system', async () => {
    const fallback: LookupFunction = (name, _options, done) => {
      if (name === 'hooks.lan') done(null, [{ address: '10.0.0.7', family: 4 }]);
      else unknown(name, _options, done);
    };
    const lookup = createNameLookup({ servers: [await startNameServer()], fallback });
    expect(await resolve(lookup, 'hooks.lan')).toEqual([{ address: '10.0.0.7', family: 4 }]);
  });
});
