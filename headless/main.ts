// `npm run headless`: serves the screens to a browser on this machine. Every reason not to start is one clear sentence.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDamage, productVersion, systemClock, systemCode } from '@rainbell/shared';
import { writeRedirect } from './write-redirect.ts';
import {
  classifySignals,
  describeStartFailure,
  FolderInUse,
  openLog,
  requestNewAddress,
  requireWritableFolder,
} from '@rainbell/core';
import { helpText, readOptions, type HeadlessOptions } from './options.ts';
import { logFileIn, startHeadless, threadEntries, type Headless } from './start-headless.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
/** As the service has it: the command line is wrong, and trying again changes nothing. */
const wrongUseExitCode = 2;
/** The other app gave no address, so it is probably the desktop app. */
const noAddress = ' If it is the desktop app, use its window; the desktop app has no URL for a browser.';
const options = readOptions(process.argv.slice(2));

// A closed terminal or pipe, or a full disk, must not end this program.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
// Neither must a damaged database: its reader logs the error, and the screens say what to do.
process.on('uncaughtException', (error) => {
  if (!isDamage(error)) throw error;
});

if (options === 'help') {
  process.stdout.write(helpText);
} else if ('problem' in options) {
  refuse(options.problem, wrongUseExitCode);
} else {
  // Not awaited: in the bundle, what is imported later waits for this module to end.
  void run(options);
}

async function run(wanted: HeadlessOptions): Promise<void> {
  const screensFolder = process.env['RAINBELL_SCREENS'] || join(project, 'dist', 'renderer');
  if (!existsSync(join(screensFolder, 'index.html')))
    return refuse('The screens have not been built yet. Run `npm start`, which builds them, or `npm run build` first.');
  try {
    const headless = await start(wanted, screensFolder);
    endOnSignal(headless);
    // A program that reads the URL may send a callback at once.
    await headless.core.receiverStarted();
    announce(headless, wanted);
  } catch (error) {
    const address = error instanceof FolderInUse ? await requestNewAddress(wanted.dataFolder, wanted.hash) : undefined;
    if (address === undefined) refuse(startSentence(error, wanted) + (error instanceof FolderInUse ? noAddress : ''));
    else await openRunning(address, wanted);
  }
}

function start({ port, dataFolder }: HeadlessOptions, screensFolder: string): Promise<Headless> {
  requireWritableFolder(dataFolder);
  const logFile = logFileIn(dataFolder);
  return startHeadless({
    port,
    dataFolder,
    screensFolder,
    version: productVersion,
    clock: systemClock,
    log: openLog(logFile, 'app'),
    logFile,
    servicePort: 8420,
    workers: threadEntries(),
    onServiceFailed: (sentence) => console.error(sentence),
  });
}

/** Another process serves this data folder: its address is all that this start is for. */
async function openRunning(url: string, { json, opensBrowser, dataFolder }: HeadlessOptions): Promise<void> {
  if (json) process.stdout.write(`${JSON.stringify({ url })}\n`);
  else
    console.log(`Rainbell is already running. Open this URL; it works once and expires after 2 minutes:\n\n  ${url}\n`);
  if (opensBrowser && hasDisplay()) await openBrowser(url, dataFolder);
}

function announce(headless: Headless, { json, opensBrowser, dataFolder, hash }: HeadlessOptions): void {
  const url = headless.newAddress(hash);
  if (json) {
    process.stdout.write(`${JSON.stringify({ url })}\n`);
  } else {
    console.log(`Rainbell is ready. Open this URL; it works once and expires after 2 minutes:\n\n  ${url}\n`);
    for (const notice of headless.core.status().notices) console.log(`Note: ${notice}`);
    console.log('Press Ctrl+C to stop.');
  }
  if (opensBrowser && hasDisplay()) void openBrowser(url, dataFolder);
}

/** Ignore a failed browser launch: the URL is printed in the terminal. */
async function openBrowser(url: string, dataFolder: string): Promise<void> {
  try {
    const { default: open } = await import('open');
    // All users see arguments. On Linux, the host checks who sends the ticket, and browsers from snaps can't read the folder.
    const target = process.platform === 'darwin' ? writeRedirect(dataFolder, url) : url;
    (await open(target)).once('error', () => {});
  } catch {}
}

function hasDisplay(): boolean {
  if (process.platform !== 'linux') return true;
  return Boolean(process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY']);
}

function endOnSignal(headless: Headless): void {
  const classify = classifySignals({ clock: systemClock, graceMs: 1_500, afterTurn: setImmediate });
  const end = () => {
    const signal = classify();
    if (signal === 'second') process.exit(1);
    if (signal === 'again') return;
    headless.close().then(
      () => process.exit(0),
      (error: unknown) => {
        console.error('Rainbell could not shut down cleanly; everything it acknowledged is on disk.', error);
        process.exit(1);
      },
    );
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, end);
}

function startSentence(error: unknown, { port, dataFolder }: HeadlessOptions): string {
  if (systemCode(error) === 'EADDRINUSE')
    return `Port ${port} is in use by another program. Choose another one with --port, or omit --port to get a free one.`;
  if (systemCode(error) === 'EACCES' && isListening(error))
    return `Port ${port} requires permissions that you don't have. Choose 1024 or higher with --port.`;
  return describeStartFailure(error, dataFolder);
}

/** The folder may refuse with the same name. */
function isListening(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && (error.syscall === 'listen' || error.syscall === 'bind');
}

function refuse(sentence: string, exitCode = 1): void {
  console.error(sentence);
  process.exitCode = exitCode;
}
