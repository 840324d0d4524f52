// What a soak found, as a page of text: each quantity in the middle of the run and at its end, and each kind of work done.
import { type Verdict, levelOf } from './level.ts';
import type { JobCount } from './jobs.ts';
import type { ProcessSample } from './sample.ts';

export type Measurements = {
  samples: readonly { service: ProcessSample; app: ProcessSample; pageHeapBytes: number }[];
  jobs: readonly JobCount[];
  /** The last output of processes that exited unexpectedly. */
  crashed: readonly string[];
};

type Unit = 'MB' | 'files' | 'ms';
type Row = { what: string; unit: Unit; verdict: Verdict };
type Noise = Parameters<typeof levelOf>[1];

const megabyte = 2 ** 20;
// What varies from minute to minute although nothing grows: the allocator's slack, a kept-alive connection, a write-ahead
// log before its checkpoint, another program on the machine.
const noise = {
  resident: { slack: 24 * megabyte, share: 0.1 },
  files: { slack: 8, share: 0.1 },
  database: { slack: 5 * megabyte, share: 0.1 },
  heap: { slack: 4 * megabyte, share: 0.1 },
  delay: { slack: 20, share: 0.5 },
};

export function isPassed(measurements: Measurements): boolean {
  const isAllDone = measurements.jobs.every(({ done, failed }) => done > 0 && failed === 0);
  return isAllDone && measurements.crashed.length === 0 && rowsOf(measurements).every(({ verdict }) => verdict.isLevel);
}

export function describeRun(
  measurements: Measurements,
  { minutes, machine, day }: { minutes: number; machine: string; day: string },
): string {
  const lines = rowsOf(measurements).map(
    ({ what, unit, verdict }) =>
      `| ${what} | ${inUnit(verdict.early, unit)} | ${inUnit(verdict.late, unit)} | ${verdict.isLevel ? 'level' : 'GROWS'} |`,
  );
  const work = measurements.jobs.map(
    ({ name, done, failed, slowestMs, lastProblem }) =>
      `| ${name} | ${done} | ${failed}${lastProblem === undefined ? '' : ` (${lastProblem.slice(0, 120)})`} | ${slowestMs.toFixed(0)} ms |`,
  );
  return [
    '# Soak',
    `\`npm run soak -- --minutes ${minutes} --write\` wrote this page on ${day} (${machine}). The run puts a mixed load on the`,
    'service and on the app in its headless host, with its sandbox, its receiver, and a screen open in Chromium. The first third is a',
    'warm-up; the table compares the median of the middle third with that of the last third. Heaps are measured after a garbage collection.',
    '',
    ...(measurements.crashed.length > 0
      ? ['A process ended unexpectedly. Its last output:', '```', ...measurements.crashed, '```', '']
      : []),
    '| quantity | middle | end | verdict |',
    '|---|---|---|---|',
    ...lines,
    '',
    '| work | rounds | failed | slowest round |',
    '|---|---|---|---|',
    ...work,
    '',
    isPassed(measurements)
      ? 'All quantities leveled off, and no round failed.'
      : 'Some quantities GREW, or rounds failed.',
    '',
  ].join('\n');
}

function rowsOf({ samples }: Measurements): Row[] {
  const pageHeaps = samples.map((sample) => sample.pageHeapBytes);
  return [
    ...processRows(
      'service',
      samples.map(({ service }) => service),
    ),
    ...processRows(
      'app',
      samples.map(({ app }) => app),
    ),
    { what: 'screen: heap', unit: 'MB', verdict: levelOf(pageHeaps, noise.heap) },
  ];
}

function processRows(name: string, samples: readonly ProcessSample[]): Row[] {
  const row = (what: string, unit: Unit, values: number[], allowed: Noise): Row => ({
    what: `${name}: ${what}`,
    unit,
    verdict: levelOf(values, allowed),
  });
  const threads = [...(samples.at(-1)?.threads.keys() ?? [])];
  return [
    row(
      'resident memory',
      'MB',
      samples.map(({ residentBytes }) => residentBytes),
      noise.resident,
    ),
    row(
      'open files',
      'files',
      samples.map(({ openFiles }) => openFiles),
      noise.files,
    ),
    row(
      'databases',
      'MB',
      samples.map(({ databaseBytes }) => databaseBytes),
      noise.database,
    ),
    ...threads.flatMap((thread) => {
      const found = samples.flatMap((sample) => sample.threads.get(thread) ?? []);
      return [
        row(
          `heap, ${threadName(thread)}`,
          'MB',
          found.map(({ heapBytes }) => heapBytes),
          noise.heap,
        ),
        row(
          `event-loop delay, ${threadName(thread)}, p99`,
          'ms',
          found.map(({ loopDelayP99Ms }) => loopDelayP99Ms),
          noise.delay,
        ),
      ];
    }),
  ];
}

function inUnit(value: number, unit: Unit): string {
  if (unit === 'MB') return `${(value / megabyte).toFixed(1)} MB`;
  return unit === 'ms' ? `${value.toFixed(1)} ms` : value.toFixed(0);
}

/** `receiver thread`; unnamed workers are named `thread 5` already. */
function threadName(thread: string): string {
  return thread.startsWith('thread ') ? thread : `${thread} thread`;
}
