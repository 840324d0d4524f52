// Goal 16 of docs/performance.md: the p99 of an honest weather request while 64 and 256 connections, spread over 64
// addresses, flood each address that the service answers without a token, against its p99 while idle.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { serviceRequests } from '#test/attack/anonymous-requests.ts';
import { startFlood } from '#test/attack/flood.ts';
import { type Experience, type HonestRequest, startHonestClient } from '#test/attack/honest-client.ts';
import { fetchAccessToken, startServiceProcess } from '#test/story/service-process.ts';
import { atMost, type BenchOptions, type BenchRow, assess, unmeasured } from './bench-row.ts';

const weather = '/v2/weather/?location_lat=45.07&location_lng=7.69';
const requestEveryMs = 10;
const settleMs = 300;

export async function bench({ isQuick, say }: BenchOptions): Promise<BenchRow[]> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rainbell-bench-'));
  const service = await startServiceProcess(['--provider', 'simulation', '--data', dataFolder]);
  try {
    const { baseUrl } = service.introduction;
    const headers = { authorization: `Bearer ${await fetchAccessToken(service.introduction)}` };
    const honest: HonestRequest = { url: `${baseUrl}${weather}`, method: 'GET', headers };
    const watch = (forMs: number) => watchHonest(honest, forMs);
    await watch(1_000);
    const addresses = await serviceRequests(service.introduction);
    const chosen = isQuick ? addresses.filter((_, index) => index % 6 === 0) : addresses;
    const rows: BenchRow[] = [];
    for (const connections of [64, 256]) {
      const seen: { name: string; times: number; words: string; failed: number }[] = [];
      for (const { name, requests } of chosen) {
        // Idle right before each flood, because the machine is rarely idle for as long as the whole bench takes.
        const idle = p99(await watch(isQuick ? 1_000 : 2_000));
        const flood = startFlood({ port: Number(new URL(baseUrl).port), connections, requests });
        await pause(settleMs);
        const experience = await watch(isQuick ? 1_500 : 3_000);
        await flood.stop();
        const [attacked, failed] = [p99(experience), experience.failures.length];
        const words = `${name}: ${attacked.toFixed(0)} ms, idle ${idle.toFixed(0)} ms`;
        seen.push({ name, times: attacked / idle, words, failed });
        say(`${connections} connections, ${words}${failed > 0 ? `, ${failed} failed` : ''}`);
      }
      rows.push(rowOf(connections, seen));
    }
    return rows;
  } finally {
    await service.stop();
    rmSync(dataFolder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function rowOf(connections: number, seen: readonly { times: number; words: string; failed: number }[]): BenchRow {
  const worst = seen.toSorted((one, other) => other.times - one.times);
  const failed = seen.reduce((sum, each) => sum + each.failed, 0);
  const subject = {
    goal: '16',
    what: `honest weather p99, ${connections} connections flooding the worst of ${seen.length} anonymous URLs`,
    baseline: 'idle p99 just before',
    limit: atMost(5),
    note: worst
      .slice(0, 3)
      .map(({ words }) => words)
      .join('; '),
  };
  if (failed > 0) return unmeasured(subject, 'failed', `${failed} honest requests failed; ${subject.note}`);
  const row = assess(subject, [worst[0]?.times ?? Number.NaN]);
  return { ...row, spread: [worst.at(-1)?.times ?? Number.NaN, worst[0]?.times ?? Number.NaN] };
}

async function watchHonest(asked: HonestRequest, forMs: number): Promise<Experience> {
  const client = startHonestClient({ asked, everyMs: requestEveryMs });
  await pause(forMs);
  return client.finish();
}

function p99({ latenciesMs }: Experience): number {
  const sorted = latenciesMs.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN;
}
