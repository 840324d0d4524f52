// Goals 27 and 28 of docs/performance.md: what the app and the service cost while no one uses them, as `npm run headless` and
// `npm run service` start them, with simulated weather and no screen open.
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { headlessEnvironment, headlessFlags } from '#scripts/headless-node.mjs';
import { atMost, type BenchOptions, type BenchRow, assess } from './bench-row.ts';
import { type ChildServer, startChildServer } from './child-server.ts';
import { buildScreens } from './screen-host.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const goalPercent = 0.3;

type Cost = { cpuPercent: number; writtenBytes: number; wakesPerSecond: number };

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  await buildScreens();
  // The first minute and a half is start: compiled code is written, and what the start took is returned.
  const [settleMs, forMs] = { trial: [0, 200], quick: [25_000, 10_000], whole: [90_000, 60_000] }[extent] as [
    number,
    number,
  ];
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-rest-'));
  try {
    const [app, service] = (await Promise.all(
      (['headless', 'service'] as const).map((name) => restOf(name, join(folder, name), settleMs, forMs)),
    )) as [Cost, Cost];
    const seconds = forMs / 1000;
    const note = `app ${shown(app)}; service ${shown(service)}`;
    say(note);
    const cpu = {
      goal: '27',
      what: 'at rest, CPU of the app or the service',
      baseline: `${goalPercent}% of a core`,
      limit: atMost(1),
      note: `app ${app.cpuPercent.toFixed(2)}%, ${app.wakesPerSecond.toFixed(0)} wakes/s; service ${service.cpuPercent.toFixed(2)}%, ${service.wakesPerSecond.toFixed(0)} wakes/s`,
    };
    const written = app.writtenBytes + service.writtenBytes;
    const disk = {
      goal: '28',
      what: `at rest, written to disk by both in ${seconds} s`,
      baseline: 'nothing',
      limit: atMost(0),
      note: `app ${app.writtenBytes} B, service ${service.writtenBytes} B`,
    };
    return [
      { ...assess(cpu, [Math.max(app.cpuPercent, service.cpuPercent) / goalPercent]), goalText: `≤ ${goalPercent}%` },
      // A page of 4 KB is the least that can be written.
      { ...assess(disk, [written / 4096]), goalText: 'nothing' },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const shown = ({ cpuPercent, writtenBytes, wakesPerSecond }: Cost) =>
  `${cpuPercent.toFixed(2)}%, ${writtenBytes} B, ${wakesPerSecond.toFixed(1)} wakes/s`;

async function restOf(name: 'headless' | 'service', data: string, settleMs: number, forMs: number): Promise<Cost> {
  const isApp = name === 'headless';
  const flags = [...(isApp ? headlessFlags : []), join(project, 'scripts', 'run.cjs'), join(project, name, 'main.ts')];
  const server = await startChildServer({
    command: process.execPath,
    args: [...flags, '--json', '--port', '0', '--data', data, ...(isApp ? ['--no-open'] : [])],
    env: { ...(isApp ? headlessEnvironment : {}), RAINBELL_PROVIDER: 'simulation' },
    onOneCore: false,
  });
  try {
    await pause(settleMs);
    const before = countersOf(server);
    await pause(forMs);
    const after = countersOf(server);
    return {
      cpuPercent: (after.cpuMicroseconds - before.cpuMicroseconds) / (forMs * 10),
      writtenBytes: after.writtenBytes - before.writtenBytes,
      wakesPerSecond: ((after.wakes - before.wakes) * 1000) / forMs,
    };
  } finally {
    await server.stop();
  }
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
  const line = readFileSync(file, 'utf8')
    .split('\n')
    .find((each) => each.startsWith(name));
  return Number(line?.slice(name.length));
}
