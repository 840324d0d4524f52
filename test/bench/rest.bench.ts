// Goals 27 and 28 of docs/performance.md: what the app and the service cost while no one uses them, as `npm run headless` and
// `npm run service` start them, with simulated weather and no screen open.
import { mkdtempDisposableSync, readFileSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { atMost, type BenchOptions, type BenchRow, assess } from './bench-row.ts';
import { type ChildServer, startRainbell } from './child-server.ts';
import { buildScreens } from './screen-host.ts';

const goalPercent = 0.3;
/** The first minute and a half is start: compiled code is written, and what the start took is returned. */
const durations = {
  trial: { settleMs: 0, forMs: 200 },
  quick: { settleMs: 25_000, forMs: 10_000 },
  whole: { settleMs: 90_000, forMs: 60_000 },
};

type Cost = { cpuPercent: number; writtenBytes: number; wakesPerSecond: number };

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  await buildScreens();
  const { settleMs, forMs } = durations[extent];
  using folder = mkdtempDisposableSync(join(tmpdir(), 'rainbell-rest-'));
  const restOf = async (name: 'headless' | 'service'): Promise<Cost> => {
    const env = { RAINBELL_PROVIDER: 'simulation' };
    await using server = await startRainbell(name, join(folder.path, name), { env, onOneCore: false });
    await pause(settleMs);
    const before = countersOf(server);
    await pause(forMs);
    const after = countersOf(server);
    return {
      cpuPercent: (after.cpuMicroseconds - before.cpuMicroseconds) / (forMs * 10),
      writtenBytes: after.writtenBytes - before.writtenBytes,
      wakesPerSecond: ((after.wakes - before.wakes) * 1000) / forMs,
    };
  };
  const [app, service] = await Promise.all([restOf('headless'), restOf('service')]);
  const shown = ({ cpuPercent, wakesPerSecond }: Cost) =>
    `${cpuPercent.toFixed(2)}%, ${wakesPerSecond.toFixed(0)} wakes/s`;
  const cpu = {
    goal: '27',
    what: 'at rest, CPU of the app or the service',
    baseline: `${goalPercent}% of a core`,
    limit: atMost(1),
    note: `app ${shown(app)}; service ${shown(service)}`,
  };
  const disk = {
    goal: '28',
    what: `at rest, written to disk by both in ${forMs / 1000} s`,
    baseline: 'nothing',
    limit: atMost(0),
    note: `app ${app.writtenBytes} B, service ${service.writtenBytes} B`,
  };
  say(`${cpu.note}; ${disk.note}`);
  return [
    { ...assess(cpu, [Math.max(app.cpuPercent, service.cpuPercent) / goalPercent]), goalText: `≤ ${goalPercent}%` },
    // A page of 4 KB is the least that can be written.
    { ...assess(disk, [(app.writtenBytes + service.writtenBytes) / 4096]), goalText: 'nothing' },
  ];
}

/** CPU time, bytes written to disk (proc(5): write_bytes), and wakes of all threads, so far. */
function countersOf({ usage }: ChildServer) {
  const { cpuMicroseconds, ids } = usage();
  let [writtenBytes, wakes] = [0, 0];
  for (const id of ids) {
    writtenBytes += numberAfter('write_bytes:', `/proc/${id}/io`);
    for (const thread of readdirSync(`/proc/${id}/task`)) {
      wakes += numberAfter('voluntary_ctxt_switches:', `/proc/${id}/task/${thread}/status`);
    }
  }
  return { cpuMicroseconds, writtenBytes, wakes };
}

function numberAfter(name: string, file: string): number {
  return Number(new RegExp(`^${name}\\s*(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1]);
}
