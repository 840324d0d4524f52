// A main process that does nothing but keep secrets (on the double only, which runs TypeScript).
import { app } from 'electron';
import pino from 'pino';
import { systemClock } from '#contract/clock.ts';
import { readLaunch } from '#electron/launch.ts';
import { openSealedSecrets } from '#electron/sealed-secrets.ts';

const { dataFolder } = readLaunch(process.argv, process.cwd());
app.setPath('userData', dataFolder);
const log = pino({ level: 'silent' });
const opening = app.whenReady().then(() => openSealedSecrets({ folder: dataFolder, clock: systemClock, log }));

Object.assign(globalThis, {
  readSecret: async (name: string) => (await opening).secrets.read(name),
  writeSecret: async ([name, value]: [string, string | null]) => (await opening).secrets.write(name, value),
  describeSecrets: async () => {
    const { secrets, notices } = await opening;
    return { protection: secrets.protection, notices };
  },
});
