// Starts Rainbell's Electron host, on the double or, with RAINBELL_TEST_ELECTRON=real, on Electron's own binary, and offers
// the same handle for both: real pages to click in, and functions that run in the main process.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type * as Electron from 'electron';
import { type Browser, chromium, _electron, type Page } from 'playwright';
import { afterAll, onTestFinished, vi } from 'vitest';
import { findElectron } from '#scripts/electron-binary.mjs';
import { projectFolder } from '#scripts/tool.mjs';
import { listen } from '#test/setup/listen.ts';

export const isReal = process.env['RAINBELL_TEST_ELECTRON'] === 'real';
/** For what Playwright does while a host and its Chromium start; vitest's limit of hooks is longer. */
const startLimitMs = 120_000;
const builtMain = join('dist', 'electron', 'main.js');
const runMain = join(projectFolder, 'test', 'double', 'run-main.ts');

type Evaluate = <Result, Argument = undefined>(
  run: (electron: typeof Electron, argument: Argument) => Result,
  argument?: Argument,
) => Promise<Awaited<Result>>;

export type Rainbell = {
  dataFolder: string;
  /** The page of the first window, when the app says that it is open. */
  firstPage: () => Promise<Page>;
  pages: () => Page[];
  /** Runs a function in the main process; it may use nothing from around it. */
  evaluate: Evaluate;
  /** Everything that the process wrote. */
  output: () => string;
  /** The log file. */
  log: () => Promise<string>;
  exited: Promise<number | null>;
  kill: (signal: NodeJS.Signals) => void;
  /** Ends as a user would end it, and waits. */
  quit: () => Promise<void>;
};

type Options = {
  dataFolder?: string;
  environment?: Record<string, string>;
  args?: readonly string[];
  /** Another main module, relative to the project; on the double only. */
  main?: string;
};

/** When to clean up: after the test, or, for what several tests share, `atFileEnd`. */
type AtEnd = (run: () => Promise<void>) => void;

const endings: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of endings.toReversed()) await end();
});

/** Runs a clean-up after the last test of the file. Vitest ignores an `afterAll` that is registered inside `beforeAll`. */
export const atFileEnd: AtEnd = (run) => void endings.push(run);

/** A data folder that is removed in the end. */
export async function temporaryFolder(atEnd: AtEnd = onTestFinished): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rainbell-electron-'));
  atEnd(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export async function startRainbell(options: Options = {}, atEnd: AtEnd = onTestFinished): Promise<Rainbell> {
  const { dataFolder, environment = {}, args = [], main = builtMain } = options;
  const folder = dataFolder ?? (await temporaryFolder(atEnd));
  const allArgs = ['--data', folder, ...args];
  const env = { ...process.env, ...offline, ...environment };
  const started = isReal ? startReal(allArgs, env) : startDouble(main, allArgs, env);
  const log = () => readFile(join(folder, 'logs', 'rainbell.log'), 'utf8');
  const rainbell = { ...(await started), dataFolder: folder, log };
  atEnd(rainbell.quit);
  return rainbell;
}

/** Providers without a listener, so that no test reaches out. */
const offline = {
  RAINBELL_PROVIDER: 'simulation',
  // Whatever desktop the tests run on.
  XDG_SESSION_TYPE: 'x11',
  RAINBELL_OPEN_METEO_URL: 'http://127.0.0.1:9',
  RAINBELL_MET_NORWAY_URL: 'http://127.0.0.1:9',
  RAINBELL_METAR_URL: 'http://127.0.0.1:9',
};

/** Starts a process and answers without waiting for anything; for processes that exit without a signal. */
export function spawnRainbell(args: readonly string[], env = process.env, user?: number): ChildProcess {
  return isReal
    ? spawn(realBinary(), ['.', ...args], {
        cwd: projectFolder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        ...asUser(user),
      })
    : spawnDouble(builtMain, args, env, user);
}

function spawnDouble(main: string, args: readonly string[], env: NodeJS.ProcessEnv, user?: number): ChildProcess {
  if (!existsSync(join(projectFolder, main))) throw new Error(`${main} does not exist: run "npm run build" first.`);
  return spawn(process.execPath, [runMain, join(projectFolder, main), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    ...asUser(user),
  });
}

const asUser = (user: number | undefined) => (user === undefined ? {} : { uid: user, gid: user });

function realBinary(): string {
  const binary = findElectron();
  if (binary === undefined) throw new Error("Electron's binary was not found.");
  return binary;
}

type Reply = { kind: 'ready'; endpoint: string } | { kind: 'answer'; call: number; value?: unknown; problem?: string };

async function startDouble(
  main: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Omit<Rainbell, 'dataFolder' | 'log'>> {
  const child = spawnDouble(main, args, env);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  const output = collectOutput(child);
  const { endpoint, evaluate } = await converse(child, exited, output);
  const browser = await chromium.connect(endpoint);
  return {
    async firstPage() {
      const page = await firstPage(browser);
      await untilOpen(child, output, exited);
      return page;
    },
    pages: () => pagesOf(browser),
    evaluate,
    output,
    exited,
    kill: (signal) => void child.kill(signal),
    async quit() {
      await browser.close().catch(() => {});
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      await exited;
    },
  };
}

async function converse(child: ChildProcess, exited: Promise<number | null>, output: () => string) {
  const answers = new Map<number, (reply: Extract<Reply, { kind: 'answer' }>) => void>();
  const ready = new Promise<string>((resolve) => {
    child.on('message', (reply: Reply) => {
      if (reply.kind === 'ready') resolve(reply.endpoint);
      else answers.get(reply.call)?.(reply);
    });
  });
  const endpoint = await Promise.race([ready, exited.then(() => undefined)]);
  if (endpoint === undefined) throw new Error(`The main process ended before it was ready. It said:\n${output()}`);
  let lastCall = 0;
  const evaluate: Evaluate = (run, argument) =>
    new Promise((resolve, reject) => {
      lastCall += 1;
      const call = lastCall;
      answers.set(call, ({ value, problem }) => {
        answers.delete(call);
        if (problem === undefined) resolve(value as Awaited<ReturnType<typeof run>>);
        else reject(new Error(problem));
      });
      void exited.then(() => reject(new Error(`The main process ended. It said:\n${output()}`)));
      child.send({ kind: 'evaluate', call, source: run.toString(), argument });
    });
  return { endpoint, evaluate };
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  const collect = (part: string) => (text += part);
  child.stdout?.setEncoding('utf8').on('data', collect);
  child.stderr?.setEncoding('utf8').on('data', collect);
  return () => text;
}

/** Waits for the line that `npm start` waits for as well. */
async function untilOpen(child: ChildProcess, output: () => string, exited: Promise<number | null>): Promise<void> {
  const isOpen = () => output().includes('Rainbell is open in Electron.');
  const opened = new Promise<void>((resolve) => {
    const look = () => isOpen() && resolve();
    child.stdout?.on('data', look);
    look();
  });
  await Promise.race([opened, exited]);
  if (!isOpen()) throw new Error(`The main process ended. It said:\n${output()}`);
}

function pagesOf(browser: Browser): Page[] {
  return browser.contexts().flatMap((context) => context.pages());
}

async function firstPage(browser: Browser): Promise<Page> {
  const navigated = () => pagesOf(browser).find((candidate) => candidate.url() !== 'about:blank');
  const page = await vi.waitUntil(navigated, { timeout: startLimitMs });
  // As the screens' tests: on a busy machine a page can take many seconds to draw.
  page.setDefaultTimeout(45_000);
  await page.waitForLoadState('load', { timeout: startLimitMs });
  return page;
}

async function startReal(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<Omit<Rainbell, 'dataFolder' | 'log'>> {
  // With executablePath, Playwright would not load its loader, which holds the app back until Playwright is attached. The folder, as
  // for users: with a file, Electron would not read package.json, and the app would have Electron's name and version.
  const app = await _electron.launch({
    args: ['.', ...args],
    env: env as Record<string, string>,
    cwd: projectFolder,
    chromiumSandbox: true,
  });
  const child = app.process();
  const output = collectOutput(child);
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  return {
    async firstPage() {
      const page = await app.firstWindow();
      // Not by the line that it prints: Playwright may have read that before `output` listened.
      const isVisible = () =>
        app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().some((window) => window.isVisible()));
      await vi.waitUntil(isVisible, { timeout: startLimitMs });
      return page;
    },
    pages: () => app.windows(),
    evaluate: ((run: (electron: typeof Electron, argument: unknown) => unknown, argument: unknown) =>
      app.evaluate(run as never, argument)) as Evaluate,
    output,
    exited,
    kill: (signal) => void child.kill(signal),
    quit: () => app.close(),
  };
}

export const windowCount = (rainbell: Rainbell): Promise<number> =>
  rainbell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length);

/** Chooses an item of the application's menu, in the first window. */
export const pressMenu = (rainbell: Rainbell, label: string): Promise<void> =>
  rainbell.evaluate(({ BrowserWindow, Menu }, wanted) => {
    const items = (Menu.getApplicationMenu()?.items ?? []).flatMap((item) => item.submenu?.items ?? []);
    const item = items.find((candidate) => candidate.label === wanted);
    if (!item) throw new Error(`The menu has no ${wanted}.`);
    item.click({}, BrowserWindow.getAllWindows()[0]);
  }, label);

/** A host on this computer until the test ends; returns its origin. */
export async function startSite(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  const port = await listen(server);
  return `http://127.0.0.1:${port}`;
}
