// A main process that does nothing but keep secrets (on the double only, which runs TypeScript).
import { app } from 'electron';
import pino from 'pino';
import { systemClock } from '#shared/time/clock.ts';
import { createHostNotices } from '#electron/system/host-notices.ts';
import { readLaunch } from '#electron/system/launch.ts';
import { openSealedSecrets } from '#electron/host/sealed-secrets.ts';

const { dataFolder } = readLaunch(process.argv, process.cwd());
app.setPath('userData', dataFolder);
const log = pino({ level: 'silent' });
const notices = createHostNotices();
/** Instants of the keyring's patience are a test's to choose. */
const waiting = new Set<() => void>();
const clock = {
  ...systemClock,
  after(_milliseconds: number, run: () => void) {
    waiting.add(run);
    return () => void waiting.delete(run);
  },
};
const opening = app.whenReady().then(() => openSealedSecrets({ folder: dataFolder, clock, log, notices }));
let readableAgain = 0;
void opening.then((secrets) => secrets.onReadable?.(() => (readableAgain += 1)));

Object.assign(globalThis, {
  readSecret: async (name: string) => (await opening).read(name),
  writeSecret: async ([name, value]: [string, string | null]) => (await opening).write(name, value),
  describeSecrets: async () => ({ protection: (await opening).protection, notices: notices.list(), readableAgain }),
  endPatience: () => {
    for (const run of waiting) run();
  },
});
