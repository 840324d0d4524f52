// The file moves that end a rescue. A plan is written first, with the report, and each move can be repeated, so a process killed at
// any time loses neither a file nor the report. Without a readable plan, finished moves are reported and unfinished ones undone, so
// the rescue starts over.
import {
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import type { Clock } from '#shared/time/clock.ts';
import { damageReportSchema } from '#contract/app-rpc/damage-report.ts';
import { formatInstant } from '#contract/service-api/timestamp.ts';
import { clearFound, hasReport, saveReport } from './damage-reports.ts';
import { syncFolder, writePrivateFile } from './private-files.ts';

/** The name of a file in the database's folder: a plan never leads outside it. */
const nameSchema = z.string().regex(/^[^/\\]+$/);

const planSchema = z.object({
  /** The damaged database's new name, which is also the prefix for its other files. */
  kept: nameSchema,
  /** The rescued database; null if only body files move. */
  target: nameSchema.nullable(),
  /** Body files of lost rows, and their folder next to the database. */
  bodies: z.object({
    folder: z.union([nameSchema, z.literal('')]),
    files: z.array(z.object({ name: nameSchema, claim: z.enum(['part', 'none']) })),
  }),
  report: damageReportSchema,
});
export type RescuePlan = z.infer<typeof planSchema>;

/** Returns the path of a rescue's new database. */
export function rescueTarget(file: string): string {
  return `${file}.rescue`;
}

function planFile(file: string): string {
  return `${file}.swap.json`;
}

/** The folder of body files that moved with a damaged database, or without one. */
function keptBodies(kept: string): string {
  return `${kept}-bodies`;
}

/** Returns a free file name with a timestamp that every file system accepts. */
export function damagedName(file: string, clock: Clock): string {
  const name = `${file}.damaged-${formatInstant(clock.now()).replaceAll(/[:.]/g, '-')}`;
  const taken = readdirSync(dirname(file));
  let free = name;
  for (let number = 2; taken.some((other) => other.startsWith(basename(free))); number += 1) free = `${name}_${number}`;
  return free;
}

/** Executes the plan. From the first move on, the next start finishes it if this process does not. */
export function carryOut(file: string, plan: RescuePlan): void {
  writePrivateFile(planFile(file), JSON.stringify(plan));
  syncFolder(dirname(file));
  move(file, plan);
}

/** Frees the space of a failed rescue. One with a written plan continues at the next start. */
export function abandonRescue(file: string): void {
  if (!existsSync(planFile(file))) removeTarget(file);
}

/** Call it before a database is opened: finishes the rescue of a killed process. */
export function finishRescue(file: string, clock: Clock): void {
  if (!existsSync(planFile(file))) return;
  const plan = readPlan(file);
  if (plan) return move(file, plan);
  if (existsSync(rescueTarget(file))) takeBack(file);
  else reportWithoutPlan(file, clock);
  renameSync(planFile(file), damagedName(planFile(file), clock));
  syncFolder(dirname(file));
}

/** Returns undefined if the plan is damaged; throws errors of the file system. */
function readPlan(file: string): RescuePlan | undefined {
  const text = readFileSync(planFile(file), 'utf8');
  try {
    return planSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

function move(file: string, { report, ...names }: RescuePlan): void {
  const folder = dirname(file);
  const kept = join(folder, names.kept);
  const target = names.target === null ? undefined : join(folder, names.target);
  // If the target still exists, `file` is still the old one.
  if (target === undefined || existsSync(target)) {
    moveBodies(keptBodies(kept), join(folder, names.bodies.folder), names.bodies.files);
  }
  if (target !== undefined && existsSync(target)) {
    for (const suffix of ['-wal', '-shm', '']) {
      if (existsSync(file + suffix) && !existsSync(kept + suffix)) renameSync(file + suffix, kept + suffix);
    }
    renameSync(target, file);
  }
  syncFolder(folder);
  saveReport(file, report);
  if (target !== undefined) clearFound(file);
  rmSync(planFile(file));
}

/**
 * Moves body files whose rows are all lost next to the damaged database. Those that lost only some rows stay, and get a second name
 * there that later deletions don't touch.
 */
function moveBodies(folder: string, bodies: string, files: RescuePlan['bodies']['files']): void {
  if (files.length === 0) return;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const { name, claim } of files) {
    const [from, to] = [join(bodies, name), join(folder, name)];
    if (!existsSync(from) || existsSync(to)) continue;
    if (claim === 'none') renameSync(from, to);
    else addName(from, to);
  }
  syncFolder(folder);
}

function addName(file: string, other: string): void {
  try {
    linkSync(file, other);
  } catch {
    const draft = `${other}.new`;
    rmSync(draft, { force: true });
    copyFileSync(file, draft);
    renameSync(draft, other);
  }
}

/**
 * Undoes the moves if the plan is lost and the old database is not replaced yet: every file gets its old name, and the next step
 * finds the damage.
 */
function takeBack(file: string): void {
  const kept = newestWithoutReport(file);
  if (kept !== undefined) {
    for (const suffix of ['', '-wal', '-shm']) {
      if (existsSync(kept + suffix) && !existsSync(file + suffix)) renameSync(kept + suffix, file + suffix);
    }
    takeBackBodies(keptBodies(kept), `${file}-bodies`);
  }
  removeTarget(file);
}

function takeBackBodies(folder: string, bodies: string): void {
  if (!existsSync(folder)) return;
  mkdirSync(bodies, { recursive: true, mode: 0o700 });
  for (const name of readdirSync(folder)) {
    const [from, to] = [join(folder, name), join(bodies, name)];
    if (!existsSync(to)) renameSync(from, to);
    // The second name of a file that stayed. A copy of it stays too.
    else if (statSync(from).ino === statSync(to).ino) rmSync(from);
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}

/** Reports a rescue whose plan, and perhaps report, were lost after all files were moved. */
function reportWithoutPlan(file: string, clock: Clock): void {
  const kept = newestWithoutReport(file);
  if (kept === undefined) return;
  const bodies = keptBodies(kept);
  saveReport(file, {
    id: basename(kept),
    at: formatInstant(clock.now()),
    database: basename(file),
    state: 'rescued',
    detail: 'its rescue was interrupted, and the record of the rescue is damaged too',
    keptAs: existsSync(kept) ? basename(kept) : null,
    tables: [{ label: 'rows of any kind', kept: 0, lost: null }],
    keptBodyFiles: existsSync(bodies) ? readdirSync(bodies).length : 0,
    remarks: [
      'The readable rows had been copied before the interruption, and are available. Their number was not recorded.',
    ],
  });
  clearFound(file);
}

/** The path under which the last rescue keeps its files, if no report names it. */
function newestWithoutReport(file: string): string | undefined {
  const pattern = /^.*\.damaged-[\dT-]+Z(_\d+)?/;
  const names = readdirSync(dirname(file)).flatMap((name) =>
    name.startsWith(`${basename(file)}.damaged-`) ? (pattern.exec(name)?.[0] ?? []) : [],
  );
  const newest = names.toSorted().at(-1);
  if (newest === undefined || hasReport(file, newest)) return undefined;
  return join(dirname(file), newest);
}

function removeTarget(file: string): void {
  for (const suffix of ['', '-journal', '-wal', '-shm']) rmSync(rescueTarget(file) + suffix, { force: true });
}
