// Goals 1 to 3 of the design's performance.md: the durable receiver against bare node:http that stores nothing, rounds
// interleaved. Run: node test/bench/receiver.bench.ts. The CPU ratio is the figure to trust on a shared machine.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';

type Measured = { perSecond: number; cpuMicroseconds: number; p50: number; rssMegabytes: number };
type Case = { name: string; connections: number; bodyBytes: number; seconds: number };

const cases: Case[] = [
  { name: '300 B, 1 connection', connections: 1, bodyBytes: 300, seconds: 2 },
  { name: '300 B, 32 connections', connections: 32, bodyBytes: 300, seconds: 3 },
  { name: '300 B, 256 connections', connections: 256, bodyBytes: 300, seconds: 3 },
  { name: '64 KB, 32 connections', connections: 32, bodyBytes: 65_536, seconds: 3 },
];
const rounds = 3;
const serverFile = fileURLToPath(new URL('./receiver-server.ts', import.meta.url));

function bodyOf(bytes: number): Buffer {
  const monitor = '{"id":"precipitation_1","monitor_type":"precipitation","padding":"';
  return Buffer.from(`${monitor}${'x'.repeat(bytes - monitor.length - 2)}"}`);
}

async function measure(kind: string, { connections, bodyBytes, seconds }: Case): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-bench-'));
  const child = spawn(process.execPath, [serverFile, kind, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const nextLine = async () => ((await once(lines, 'line')) as [string])[0];
  const ask = async () => {
    child.stdin.write('\n');
    return JSON.parse(await nextLine()) as { cpuMicroseconds: number; rssBytes: number };
  };
  try {
    const url = `http://127.0.0.1:${await nextLine()}/hooks/bench`;
    const load = { url, method: 'POST', body: bodyOf(bodyBytes), connections } as const;
    await autocannon({ ...load, duration: 1 });
    const before = await ask();
    const result = await autocannon({ ...load, duration: seconds });
    const after = await ask();
    const failures = result.non2xx + result.errors;
    if (failures > 0) throw new Error(`${kind}: ${failures} requests failed`);
    return {
      perSecond: result.requests.total / result.duration,
      cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / result.requests.total,
      p50: result.latency.p50,
      rssMegabytes: after.rssBytes / 1e6,
    };
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  }
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

for (const benchCase of cases) {
  const bare: Measured[] = [];
  const ours: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await measure('bare', benchCase));
    ours.push(await measure('receiver', benchCase));
  }
  const ratio = (field: keyof Measured) =>
    median(ours.map((one, index) => one[field] / (bare[index]?.[field] ?? Number.NaN)));
  const of = (list: Measured[], field: keyof Measured) => median(list.map((one) => one[field])).toFixed(1);
  console.log(
    `${benchCase.name}: throughput ${ratio('perSecond').toFixed(2)}× of bare (${of(ours, 'perSecond')} / ${of(bare, 'perSecond')} per s), ` +
      `CPU ${of(ours, 'cpuMicroseconds')} / ${of(bare, 'cpuMicroseconds')} µs (bare ÷ ours ${(1 / ratio('cpuMicroseconds')).toFixed(2)}), ` +
      `p50 ${of(ours, 'p50')} / ${of(bare, 'p50')} ms, memory ${of(ours, 'rssMegabytes')} / ${of(bare, 'rssMegabytes')} MB`,
  );
}
