// Which program holds a port, by files like those of Linux (proc(5)).
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { limitsWith, receiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { findPortOwner, listeningInodes } from '#core/receiver/access/port-owner.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const head = '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n';
const row = (portHex: string, state: string, inode: number | string) =>
  `   0: 0100007F:${portHex} 00000000:0000 ${state} 00000000:00000000 00:00000000 00000000  1000        0 ${inode} 1 0 100\n`;

type Process = { commandLine?: string; sockets?: readonly number[] };

function procWith(tables: { tcp?: string; tcp6?: string }, processes: Record<string, Process>): string {
  const proc = temporaryFolder();
  mkdirSync(join(proc, 'net'));
  for (const [name, table] of Object.entries(tables)) writeFileSync(join(proc, 'net', name), head + table);
  for (const [id, { commandLine, sockets = [] }] of Object.entries(processes)) {
    mkdirSync(join(proc, id, 'fd'), { recursive: true });
    if (commandLine !== undefined) writeFileSync(join(proc, id, 'cmdline'), commandLine);
    symlinkSync('/dev/null', join(proc, id, 'fd', '0'));
    sockets.forEach((inode, index) => symlinkSync(`socket:[${inode}]`, join(proc, id, 'fd', String(index + 3))));
  }
  return proc;
}

const node = { commandLine: '/usr/bin/node\0server.js\0', sockets: [11, 12] };
const table = row('11C1', '0A', 12);

// 4545 is 11C1 in hex.
test.each<[string, Parameters<typeof procWith>, string | undefined]>([
  ['of IPv4', [{ tcp: table }, { 7: {}, 42: node }], 'node (process 42)'],
  ['of IPv6', [{ tcp: row('11C1', '01', 11), tcp6: table }, { 42: node }], 'node (process 42)'],
  ['of a program without a name', [{ tcp: table }, { 42: { sockets: [12] } }], 'a program (process 42)'],
  ['of no readable process', [{ tcp: table }, { 42: { sockets: [11] } }], undefined],
  ['that is not a process', [{ tcp: table }, { self: node, '4a': node }], undefined],
  ['that does not listen', [{ tcp: row('11C1', '01', 12) }, { 42: node }], undefined],
  ['of another number', [{ tcp: row('11C2', '0A', 12) }, { 42: node }], undefined],
  ['without a socket', [{ tcp: row('11C1', '0A', 0) }, { 42: { sockets: [0] } }], undefined],
  ['of a system without these files', [{}, {}], undefined],
])('finds the owner of a port %s', async (_, given, owner) => {
  expect(await findPortOwner(4545, procWith(...given))).toBe(owner);
});

test('finds ports of less than four hexadecimal digits', () => {
  expect(listeningInodes(head + row('0050', '0A', 5) + row('1050', '0A', 6), 80)).toEqual(['5']);
  expect(listeningInodes('a: 0:0050 b 0A', 80)).toEqual([]);
});

test('limits follow the settings', () => {
  const settings = { keptCallbacks: 5, keptDays: 2, keptMegabytes: 3, bodyKilobytes: 7, headerKilobytes: 11 };
  const limits = {
    ...receiverLimits,
    keptCallbacks: 5,
    maxAgeMs: 172_800_000,
    maxBytes: 3_145_728,
    bodyBytes: 7168,
    headerBytes: 11_264,
  };
  expect(limitsWith(settings)).toEqual(limits);
  expect(limitsWith({ ...settings, keptDays: null })).toEqual({ ...limits, maxAgeMs: null });
});
