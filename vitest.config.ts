// The tests: sentences about behavior over real HTTP, real SQLite files and a real Chromium.
import { globSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { playwright } from '@vitest/browser-playwright';
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { browserFlags, findBrowser, shellBeside } from './scripts/browser.mjs';
import { screenPlugins } from './scripts/screen-plugins.mjs';

// The hundreds of services and apps that tests start as processes don't have to compile the same files again each time.
process.env['NODE_COMPILE_CACHE'] ??= fileURLToPath(new URL('node_modules/.cache/rainbell-compiled', import.meta.url));

// Hundreds of databases wait for the disk at each commit; in memory they do not.
const memory = memoryFolder();
if (memory !== undefined) process.env['TMPDIR'] ??= memory;

/** Helpers of tests that start nothing. */
const quietHelpers = [
  'cell-of',
  'connection-double',
  'core-harness',
  'eventually',
  'forecast-points',
  'manual-clock',
  'memory-weather-store',
  'met-documents',
  'monitor-delivery',
  'monitor-samples',
  'property-seed',
  'temporary-folder',
  'weather-bodies',
];
const all = files('test/**/*.test.ts');
/** Start the desktop app, its command line, and its receiver as processes. `npm test` runs them on Electron's Node, which users have. */
const desktop = [
  'test/core/receiver/receiver-kill.test.ts',
  'test/electron/command-mode.test.ts',
  'test/electron/life.test.ts',
];
/** A process each, because they change it, by mocks or by variables that other files and their programs would see, or load it. */
const alone = all.filter((file) => /^test\/(bench|packaging)\//.test(file) || /vi\.(mock|stubEnv)\(/.test(read(file)));
/** Several share a process, which imports the same modules once. */
const shared = all.filter((file) => !alone.includes(file) && !desktop.includes(file));
const units = shared.filter(startsNothing);

/**
 * What reads times without a zone, or shows them, in zones on both sides of UTC; Lord Howe's clocks change by half an hour. All tests run
 * in the machine's own, which is UTC in CI.
 */
const timeZones = ['America/New_York', 'Australia/Lord_Howe'];
const aboutTime = files(
  'test/contract/timestamp.test.ts',
  'test/core/forecast/read-forecast.test.ts',
  'test/renderer/forecast/timeline-logic.test.ts',
  'test/service/weather/providers/open-meteo/read-open-meteo.test.ts',
);

const inZones = timeZones.map((TZ): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name: `in ${TZ}`,
    include: aboutTime,
    isolate: false,
    env: { TZ },
    setupFiles: ['test/setup/time-zone.ts'],
  },
}));

// More than cores: tests of processes and browsers wait for them much of the time. With three, two cores were idle 39% of it. The same in
// all projects, which Vitest otherwise refuses to run beside each other.
const maxWorkers = Math.ceil(availableParallelism() * 1.5) + 1;

const chromium = findBrowser();
if (chromium === undefined) console.warn('The tests of components are skipped, because Chromium is missing.');

/** Tests of screens and dialogs in Chromium itself, over a stub of the app client (test/renderer/open-app.ts). */
const components: TestProjectInlineConfiguration = {
  extends: false,
  plugins: screenPlugins(),
  oxc: { jsx: { development: false } },
  optimizeDeps: {
    entries: ['renderer/main.tsx', 'test/**/*.test.tsx'],
    // React as it is shipped, which takes half the time of the other.
    rolldownOptions: { transform: { define: { 'process.env.NODE_ENV': '"production"' } } },
  },
  test: {
    name: 'components',
    include: ['test/**/*.test.tsx'],
    isolate: false,
    maxWorkers,
    restoreMocks: true,
    testTimeout: 300_000,
    expect: { poll: { timeout: 45_000 } },
    browser: {
      enabled: true,
      headless: true,
      screenshotFailures: false,
      // As Playwright's own.
      locators: { exact: false },
      viewport: { width: 1280, height: 900 },
      provider: playwright({
        actionTimeout: 45_000,
        launchOptions: {
          ...(chromium !== undefined && { executablePath: shellBeside(chromium) }),
          args: browserFlags(),
        },
        contextOptions: { reducedMotion: 'reduce', timezoneId: 'Europe/Rome', locale: 'en-IE' },
      }),
      instances: [{ browser: 'chromium' }],
    },
  },
};

/** Vitest starts large files first; this small one would run on alone at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification) => moduleId.endsWith('test/bench/benches.test.ts');
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers,
    // Only for hangs: waits inside a test end long before, with what they expected. So no test has a limit of its own, which a busy
    // machine would exceed.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // A poll looks often and ends at once; its limit is for slow machines only.
    expect: { poll: { timeout: 45_000 } },
    teardownTimeout: 20_000,
    reporters: ['default'],
    restoreMocks: true,
    setupFiles: ['test/setup/count-cpu.ts', 'test/setup/validate-responses.ts'],
    sequence: { sequencer: LongestFirst },
    projects: [
      // `npm run test:quick`
      { extends: true, test: { name: 'units', include: units, isolate: false } },
      ...inZones,
      {
        extends: true,
        test: {
          name: 'parts',
          include: shared,
          exclude: units,
          isolate: false,
          globalSetup: ['test/setup/run-databases.ts'],
        },
      },
      ...(chromium === undefined ? [] : [components]),
      { extends: true, test: { name: 'processes', include: alone } },
      { extends: true, test: { name: 'desktop', include: desktop, isolate: false } },
    ],
  },
});

function read(file: string): string {
  return readFileSync(new URL(file, import.meta.url), 'utf8');
}

function files(...patterns: string[]): string[] {
  return patterns.flatMap((pattern) => {
    const found = globSync(pattern, { cwd: import.meta.dirname }).map((file) => file.replaceAll('\\', '/'));
    if (found.length === 0) throw new Error(`vitest.config.ts names tests that do not exist: ${pattern}`);
    return found;
  });
}

/** Linux's folder in memory, if it is large and runs programs. */
function memoryFolder(): string | undefined {
  const folder = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(folder);
    const mounts = readFileSync('/proc/self/mounts', 'utf8').split('\n');
    const mount = mounts.find((line) => line.split(' ')[1] === folder);
    return bavail * bsize >= 4 * 1024 ** 3 && mount?.includes('noexec') === false ? folder : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a test needs no server, thread, process, or browser, judged by what it imports. */
function startsNothing(file: string): boolean {
  const source = read(file);
  if (/child_process|createServer|startCore|Worker\(/.test(source)) return false;
  const helpers = [...source.matchAll(/ from '(?:\.|#test).*\/([^/]+)\.ts'/g)].map((match) => match[1] ?? '');
  return helpers.every((helper) => quietHelpers.includes(helper));
}
