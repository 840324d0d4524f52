// Load on a server by autocannon: 32 connections that send one request again and again, and what each cost the server.
import autocannon from 'autocannon';
import type { Usage } from '#scripts/process-tree.ts';
import { median } from './bench-row.ts';

export type Figures = { cpuMicroseconds: number; perSecond: number };

/** For `duration` seconds, or `amount` requests. Each must get the status; undefined if some that hoped for 304 got 200. */
export async function load(
  options: Pick<autocannon.Options, 'url' | 'headers' | 'method' | 'body' | 'amount' | 'duration'>,
  usage: () => Usage,
  wanted: '2xx' | '3xx' = '2xx',
): Promise<Figures | undefined> {
  const [before, began] = [usage(), performance.now()];
  const result = await autocannon({ ...options, connections: 32, sampleInt: 100 });
  const [after, took] = [usage(), performance.now() - began];
  const { total } = result.requests;
  const failed = total - result[wanted];
  if (wanted === '3xx' && failed > 0 && result['2xx'] > 0) return undefined;
  if (result.errors > 0 || failed > 0) throw new Error(`${options.url}: ${failed} of ${total} requests failed.`);
  const cpuMicroseconds = (after.cpuMicroseconds - before.cpuMicroseconds) / total;
  return { cpuMicroseconds, perSecond: (total * 1000) / took };
}

export function shown(figures: readonly Figures[], digits = 0): string {
  const of = (field: keyof Figures) => median(figures.map((each) => each[field]));
  return `${of('cpuMicroseconds').toFixed(digits)} µs CPU, ${of('perSecond').toFixed(0)}/s`;
}
