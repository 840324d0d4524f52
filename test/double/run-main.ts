// Starts a main process on the double: `node run-main.ts <main.js> [arguments]`. `electron` resolves to the double, the
// windows are pages of a real Chromium, and whoever started it may evaluate functions here, as Playwright's `_electron`
// allows with the real one.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import { runInThisContext } from 'node:vm';
import { startChromium } from './chromium.ts';
import { electron } from './electron.ts';
import { inside } from './inside.ts';
import { world } from './world.ts';

const double = new URL('./electron.ts', import.meta.url).href;
const moduleAddress = 'double:electron';

registerHooks({
  resolve: (specifier, context, nextResolve) =>
    specifier === 'electron' ? { url: moduleAddress, shortCircuit: true } : nextResolve(specifier, context),
  load: (url, context, nextLoad) =>
    url === moduleAddress ? { format: 'module', source: moduleSource(), shortCircuit: true } : nextLoad(url, context),
});

type Question = { kind: 'evaluate'; call: number; source: string; argument: unknown };

const [, runMain = '', main = '', ...args] = process.argv;
const starting = startChromium();
// Without Chromium the app would wait for it for good: its own handler of uncaught errors keeps the process running.
starting.catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
world.exit = (code) =>
  void starting
    .then(({ browser }) => browser.close())
    .catch(() => {})
    .finally(() => process.exit(code));
process.argv = world.isPackaged ? [runMain, ...args] : [runMain, main, ...args];
Object.defineProperty(process, 'defaultApp', { value: world.isPackaged ? undefined : true });
// What the app does on another system: Node and Chromium stay those of this one.
const platform = process.env['RAINBELL_DOUBLE_PLATFORM'];
if (platform !== undefined) {
  await starting;
  Object.defineProperty(process, 'platform', { value: platform });
}
// lib/browser/init.ts: who has no listener of their own gets a dialog with the stack, and the process goes on.
process.on('uncaughtException', (error) => {
  if (process.listenerCount('uncaughtException') > 1) return;
  const message = `Uncaught Exception:\n${error.stack ?? error.message}`;
  electron.dialog.showErrorBox('A JavaScript error occurred in the main process', message);
});
process.on('unhandledRejection', (reason) => {
  if (process.listenerCount('unhandledRejection') > 1) return;
  console.warn('UnhandledPromiseRejectionWarning:', reason);
});
process.on('message', (question: Question) => {
  void answer(question);
});
// A test run that is killed leaves nobody behind: the windows' browser and the service end with this process.
process.on('disconnect', () => process.exit(1));
await import(pathToFileURL(main).href);
world.chromium = await starting;
await electron.app[inside].becomeReady();
process.send?.({ kind: 'ready', endpoint: world.chromium.endpoint });

async function answer({ call, source, argument }: Question): Promise<void> {
  try {
    // The function was written in a test of ours and stringified; it runs beside the app's own code, as with Playwright.
    const asked = runInThisContext(`(${source})`) as (module: object, argument: unknown) => unknown;
    process.send?.({ kind: 'answer', call, value: await asked(electron, argument) });
  } catch (error) {
    process.send?.({ kind: 'answer', call, problem: error instanceof Error ? error.stack : String(error) });
  }
}

/** Both `import electron from 'electron'` and `import { app } from 'electron'` work with the real one. */
function moduleSource(): string {
  const names = Object.keys(electron).join(', ');
  return `import { electron } from '${double}'; export default electron; export const { ${names} } = electron;`;
}
