// Goal 2 of docs/performance.md: how long one sender waits for its answer, against the answer of bare node:http plus
// one durable commit of the same row, timed in the same round since disks change from minute to minute.
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { atMost, type BenchOptions, type BenchRow, assess, median } from './bench-row.ts';
import { callbackBody } from './callback-store.ts';
import { startChildServer } from './child-server.ts';

const serverFile = fileURLToPath(new URL('./receiver-server.ts', import.meta.url));

export async function benchLatency({ extent, say }: BenchOptions): Promise<BenchRow> {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-latency-bench-'));
  const start = (kind: string) => startChildServer({ command: process.execPath, args: [serverFile, kind, folder] });
  const [receiver, bare] = [await start('receiver'), await start('bare')];
  try {
    const count = { trial: 10, quick: 200, whole: 1_000 }[extent];
    const seen: { ours: number; bare: number; commit: number }[] = [];
    const rounds = { trial: 1, quick: 3, whole: 7 }[extent];
    for (let round = extent === 'trial' ? 0 : -1; round < rounds; round += 1) {
      const one = {
        ours: await answerMs(receiver.firstLine, count),
        bare: await answerMs(bare.firstLine, count),
        commit: commitMs(join(folder, 'probe.sqlite'), count),
      };
      if (round >= 0) seen.push(one);
    }
    const of = (field: 'ours' | 'bare' | 'commit') => median(seen.map((one) => one[field])).toFixed(2);
    const note = `${of('ours')} ms; bare ${of('bare')} ms, commit ${of('commit')} ms`;
    say(`1 connection, p50: ${note}`);
    const what = 'durable receive, 300 B, 1 connection, p50';
    return assess(
      { goal: '2', what, baseline: 'bare node:http and one FULL commit', limit: atMost(1.25), note },
      seen.map((one) => one.ours / (one.bare + one.commit)),
    );
  } finally {
    await receiver.stop();
    await bare.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function answerMs(port: string, count: number): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    await post(port, agent);
    times.push(performance.now() - began);
  }
  agent.destroy();
  return median(times);
}

function post(port: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-length': callbackBody.length };
    const options = { host: '127.0.0.1', port, path: '/hooks/bench', method: 'POST', agent, headers };
    const call = request(options, (response) => response.resume().once('end', () => resolve()));
    call.once('error', reject).end(callbackBody);
  });
}

function commitMs(file: string, count: number): number {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE IF NOT EXISTS probe (body BLOB)');
  const insert = db.prepare('INSERT INTO probe VALUES (?)');
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const began = performance.now();
    insert.run(callbackBody);
    times.push(performance.now() - began);
  }
  db.close();
  return median(times);
}
