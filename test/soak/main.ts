// `npm run soak -- --minutes 10 [--write]`: the service, the receiver and the headless host with an open screen under mixed
// load, each a real process. Memory, open files, size of the databases and event-loop delay must level off; a round of work
// that fails is a failure too. Exit 0 when all is level, 1 when not, 2 for a wrong flag. `--write` also writes docs/soak.md.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { serviceIntroductionSchema } from '#contract/service-api/sandbox.ts';
import { freshBuild } from '#scripts/fresh-build.mjs';
import { failWithUsage, readToolOptions } from '#scripts/tool-options.mjs';
import { launchBrowser } from '#test/setup/browser.ts';
import { unreachableProviders } from '#test/story/service-process.ts';
import { appJobs, fillLogs, sharePageSession, keepLittle, pageHeapBytes, receiverAddress } from './app-load.ts';
import { startJobs } from './jobs.ts';
import { describeRun, isPassed, type Measurements } from './report.ts';
import { serviceJobs } from './service-load.ts';
import { startWatched } from './watched-process.ts';

const sampleEveryMs = 5_000;
const environment = { ...unreachableProviders, RAINBELL_PROVIDER: 'simulation' };

const usage = `Usage: npm run soak [-- --minutes N] [--write]

Run the service, the receiver, and the app in a browser under mixed load, and check that memory, open files, databases, and
delays level off

Options:
  --minutes N  duration, 1 to 1440 (default: 10)
  --write      write the results to docs/soak.md
  -h, --help   print this help

Examples:
  npm run soak -- --minutes 60

Exit codes:
  0  everything leveled off
  1  something kept growing, or a round of work failed
  2  invalid arguments`;

const { minutes, write } = readFlags();
const problem = await freshBuild();
if (problem !== undefined) throw new Error(problem);
const folder = mkdtempSync(join(tmpdir(), 'rainbell-soak-'));
try {
  const measurements = await soak(minutes);
  const text = describeRun(measurements, {
    minutes,
    machine: `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, ${process.platform}`,
    day: new Date().toISOString().slice(0, 10),
  });
  console.log(text);
  if (write) writeFileSync(fileURLToPath(new URL('../../docs/soak.md', import.meta.url)), text);
  process.exitCode = isPassed(measurements) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}

async function soak(lasting: number): Promise<Measurements> {
  const serviceFolder = join(folder, 'service');
  const appFolder = join(folder, 'app');
  for (const path of [serviceFolder, appFolder]) mkdirSync(path);
  const flags = ['--json', '--port', '0'];
  const service = await startWatched('service/main.ts', flags, serviceFolder, environment);
  const app = await startWatched('headless/main.ts', [...flags, '--no-open'], appFolder, environment);
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(z.object({ url: z.string() }).parse(app.introduction).url);
    await page.getByRole('heading', { name: 'Next 72 hours' }).waitFor();
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Performance.enable');
    const client = await sharePageSession(page);
    await keepLittle(client);
    await fillLogs(client);
    const receiver = await receiverAddress(client);
    const introduction = serviceIntroductionSchema.parse(service.introduction);
    const load = startJobs([
      ...serviceJobs(introduction, `${receiver}/from-service`),
      ...appJobs(client, page, receiver),
    ]);
    const samples: Measurements['samples'][number][] = [];
    const endsAt = performance.now() + lasting * 60_000;
    while (performance.now() < endsAt && (service.lastWords() ?? app.lastWords()) === undefined) {
      await pause(sampleEveryMs);
      const [ofService, ofApp] = [service.sample(), app.sample()];
      if (ofService && ofApp)
        samples.push({ service: ofService, app: ofApp, pageHeapBytes: await pageHeapBytes(devtools) });
    }
    const crashed = [service.lastWords(), app.lastWords()].filter((words) => words !== undefined);
    await load.stop();
    return { samples, jobs: load.counts(), crashed };
  } finally {
    await browser.close();
    await Promise.all([service.stop(), app.stop()]);
  }
}

function readFlags(): { minutes: number; write: boolean } {
  const { values } = readToolOptions(usage, {
    minutes: { type: 'string', default: '10' },
    write: { type: 'boolean', default: false },
  });
  const wanted = Number(values.minutes);
  if (!(wanted >= 1 && wanted <= 24 * 60)) failWithUsage(usage, '--minutes must be a number from 1 to 1440');
  return { minutes: wanted, write: values.write };
}
