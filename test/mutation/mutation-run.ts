// Turns the mutants of an area on, one after another, and runs the tests that reach each.
import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findMutants } from './find-mutants.ts';
import { shuffled } from './sample.ts';
import { type NumberedMutant, switchMutants } from './switch-mutants.ts';
import type { FileOutcome, SessionAnswer, SessionRequest, WantedFile } from './test-session.ts';
import type { RecordedHits } from './track-tests.ts';
import { copyTree, type TreeCopy } from './tree-copy.ts';

export type MutationOptions = {
  root: string;
  sources: readonly string[];
  /** Relative to the root. */
  tests: readonly string[];
  isBuilt: boolean;
  seed: string;
  minutes: number;
  count: number;
  say: (line: string) => void;
};

export type Survivor = NumberedMutant & { why: string };
export type MutationResult = {
  all: number;
  tried: number;
  survivors: Survivor[];
  /** How many were noticed only because a test or the run took too long. */
  timedOut: number;
};

type ReachingTests = Map<FileOutcome, Set<string>>;
type Verdict = { isNoticed: boolean; isTimeout: boolean; by: string };

const sessionFile = fileURLToPath(new URL('test-session.ts', import.meta.url));
/** Of recorded test time, the cheapest first: a fault that only slower tests would notice counts as unnoticed. */
const limitPerMutantMs = 20_000;
const startLimitMs = 60_000;

export async function runMutants(options: MutationOptions): Promise<MutationResult> {
  const copy = copyTree(options.root);
  try {
    return await runInCopy(options, copy);
  } finally {
    copy.remove();
  }
}

async function runInCopy(options: MutationOptions, copy: TreeCopy): Promise<MutationResult> {
  const { root, sources, seed, say } = options;
  let id = 0;
  const mutants = sources.flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    const numbered = findMutants(file, source).map((mutant) => ({ ...mutant, id: ++id }));
    writeFileSync(join(copy.folder, file), switchMutants(source, numbered, copy.control));
    return numbered;
  });
  say(`${mutants.length} mutants in ${sources.length} files`);
  writeFileSync(join(copy.control, 'active'), '0');
  if (options.isBuilt) {
    execFileSync('npm', ['run', 'build'], { cwd: copy.folder, stdio: 'ignore', shell: process.platform === 'win32' });
  }
  const reaching = await recordTests(options, copy, mutants);
  const result: MutationResult = { all: mutants.length, tried: 0, survivors: [], timedOut: 0 };
  const session = createSession(copy, 'try');
  const until = performance.now() + options.minutes * 60_000;
  for (const mutant of shuffled(mutants, seed)) {
    if (result.tried >= options.count || performance.now() > until) break;
    const tests = reaching.get(mutant.id);
    const verdict = tests === undefined ? undefined : await tryMutant(mutant, tests, session, copy);
    result.tried += 1;
    if (verdict?.isTimeout === true) result.timedOut += 1;
    if (verdict?.isNoticed === true) {
      say(`  noticed    ${place(mutant)} by ${verdict.by}`);
      continue;
    }
    const survivor = { ...mutant, why: verdict?.by ?? 'no test reaches it' };
    result.survivors.push(survivor);
    say(`  UNNOTICED  ${place(mutant)} (${survivor.why})`);
  }
  await session.end();
  return result;
}

export const place = ({ file, line, kind, original, replacement }: NumberedMutant): string =>
  `${file}:${line} ${kind}: ${oneLine(original)} → ${replacement === '' ? '(removed)' : oneLine(replacement)}`;

const oneLine = (text: string): string => {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 100 ? `${line.slice(0, 97)}…` : line;
};

/** Runs all tests once without a mutant; returns those that reach each mutant. */
async function recordTests(
  { tests, say }: MutationOptions,
  copy: TreeCopy,
  mutants: readonly NumberedMutant[],
): Promise<Map<number, ReachingTests>> {
  writeFileSync(join(copy.control, 'active'), 'record');
  const session = createSession(copy, 'record');
  const outcomes: FileOutcome[] = [];
  for (const test of tests) {
    const file = join(copy.folder, test);
    const began = performance.now();
    const answer = await session.request({ files: [{ project: '', file }] }, 600_000);
    const found = answer?.files ?? [];
    outcomes.push(...found);
    const failed = found.flatMap((outcome) => outcome.tests.filter(({ state }) => state === 'failed'));
    const problems = [...(answer?.errors ?? ['took too long']), ...found.flatMap(({ errors }) => errors)];
    const words = [...problems, ...failed.map(({ name }) => `fails without a mutant: ${name}`)];
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    say(`  ${test} ${seconds} s${words.map((word) => `\n    not used: ${oneLine(word)}`).join('')}`);
  }
  await session.end();
  return joinHits(copy, outcomes, mutants);
}

function joinHits(
  copy: TreeCopy,
  outcomes: readonly FileOutcome[],
  mutants: readonly NumberedMutant[],
): Map<number, ReachingTests> {
  const usable = outcomes
    .filter(({ errors }) => errors.length === 0)
    .map((outcome) => ({ ...outcome, tests: outcome.tests.filter(({ state }) => state === 'passed') }));
  const byFile = Map.groupBy(usable, ({ file }) => file);
  const reaching = new Map<number, ReachingTests>();
  const add = (id: number, file: string, test: string | null) => {
    const tests = reaching.get(id) ?? new Map<FileOutcome, Set<string>>();
    reaching.set(id, tests);
    for (const outcome of byFile.get(file) ?? []) {
      const ids = outcome.tests.map((each) => each.id).filter((each) => test === null || each === test);
      if (ids.length > 0) tests.set(outcome, new Set([...(tests.get(outcome) ?? []), ...ids]));
    }
  };
  for (const line of linesOf(join(copy.control, 'hits'))) {
    const { file, test, mutants: hit } = JSON.parse(line) as RecordedHits;
    for (const id of hit) add(id, file, test);
  }
  for (const line of linesOf(join(copy.control, 'process-hits'))) {
    const [file = '', id] = line.split('\t');
    add(Number(id), file, null);
  }
  // A module that several tests share is loaded only once, so any test of its file counts.
  for (const group of Map.groupBy(mutants, ({ file }) => file).values()) {
    const files = new Set(group.flatMap(({ id }) => [...(reaching.get(id)?.keys() ?? [])]).map(({ file }) => file));
    for (const { id, isStatic } of group) if (isStatic) for (const file of files) add(id, file, null);
  }
  for (const [id, tests] of reaching) if (tests.size === 0) reaching.delete(id);
  return reaching;
}

const linesOf = (file: string): string[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line !== '')
    : [];

async function tryMutant(
  mutant: NumberedMutant,
  reaching: ReachingTests,
  session: Session,
  copy: TreeCopy,
): Promise<Verdict> {
  const { files, ms, isCut } = cheapestTests(reaching);
  writeFileSync(join(copy.control, 'active'), String(mutant.id));
  const answer = await session.request({ files }, startLimitMs + 3 * ms);
  for (const name of readdirSync(copy.temporary)) {
    rmSync(join(copy.temporary, name), { recursive: true, force: true, maxRetries: 5 });
  }
  if (answer === undefined) return { isNoticed: true, isTimeout: true, by: 'the time limit of the run' };
  const lost = answer.errors.find((error) => error.startsWith('session: '));
  if (lost !== undefined) throw new Error(lost);
  const failed = answer.files.flatMap(({ tests }) => tests).find(({ state }) => state === 'failed');
  const problems = [...answer.errors, ...answer.files.flatMap(({ errors }) => errors)];
  if (failed !== undefined || problems.length > 0) {
    const words = problems.join(' ');
    return { isNoticed: true, isTimeout: /timed out|too long/i.test(words), by: failed?.name ?? oneLine(words) };
  }
  const passed = answer.files.flatMap(({ tests }) => tests).filter(({ state }) => state === 'passed').length;
  return { isNoticed: false, isTimeout: false, by: `${passed} tests passed${isCut ? ', slower ones not run' : ''}` };
}

function cheapestTests(reaching: ReachingTests): { files: WantedFile[]; ms: number; isCut: boolean } {
  const costs = [...reaching].map(([outcome, ids]) => {
    const cost = outcome.tests.filter(({ id }) => ids.has(id)).reduce((sum, test) => sum + test.ms, 0);
    return { outcome, ids, cost };
  });
  const files: WantedFile[] = [];
  let ms = 0;
  for (const { outcome, ids, cost } of costs.toSorted((one, other) => one.cost - other.cost)) {
    if (files.length > 0 && ms + cost > limitPerMutantMs) return { files, ms, isCut: true };
    files.push({ project: outcome.project, file: outcome.file, tests: [...ids] });
    ms += cost;
  }
  return { files, ms, isCut: false };
}

type Session = {
  /** Returns undefined if there was no answer in time; the next question starts a new process. */
  request: (request: SessionRequest, limitMs: number) => Promise<SessionAnswer | undefined>;
  end: () => Promise<void>;
};

function createSession({ folder, control, temporary }: TreeCopy, mode: 'record' | 'try'): Session {
  let child: ChildProcess | undefined;
  const kill = async () => {
    const ended = child;
    child = undefined;
    if (ended?.pid === undefined || ended.exitCode !== null) return;
    const exit = once(ended, 'exit');
    // With all that its tests started.
    if (process.platform === 'win32') ended.kill('SIGKILL');
    else process.kill(-ended.pid, 'SIGKILL');
    await exit;
  };
  const start = () =>
    fork(sessionFile, [mode], {
      cwd: folder,
      detached: true,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      env: {
        ...process.env,
        TMPDIR: temporary,
        NODE_COMPILE_CACHE: join(control, 'compiled'),
        ...(mode === 'record' ? { RAINBELL_MUTATION: control } : {}),
      },
    });
  return {
    async request(request, limitMs) {
      child ??= start();
      const { signal, done } = limit(limitMs);
      try {
        child.send(request);
        const [answer] = (await Promise.race([
          once(child, 'message', { signal }),
          once(child, 'exit', { signal }).then(() => [{ files: [], errors: ['the test process ended'] }]),
        ])) as [SessionAnswer];
        if (child.exitCode !== null) child = undefined;
        return answer;
      } catch {
        await kill();
        return undefined;
      } finally {
        done();
      }
    },
    end: kill,
  };
}

function limit(ms: number): { signal: AbortSignal; done: () => void } {
  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(), ms);
  return { signal: controller.signal, done: () => (clearTimeout(timer), controller.abort()) };
}
