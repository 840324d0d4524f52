// What the double's objects share: the browser behind the windows, the addresses, and who is there. One process is one
// Electron, so this is one object.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createAddresses } from './addresses.ts';
import type { Chromium } from './chromium.ts';
import type { Key } from './preload-world.ts';

let lastId = 0;

export const world = {
  addresses: createAddresses(),
  isReady: false,
  /** As in an installed app: no `process.defaultApp`, and the arguments follow the program's name. */
  isPackaged: process.env['RAINBELL_DOUBLE_PACKAGED'] === '1',
  /** Missing in a test's own process, where no window loads. */
  chromium: undefined as Chromium | undefined,
  /** Ends the process; in a test's own it does nothing. */
  exit: (_code: number): void => {},
  /** The person at the system's dialog: a path, or undefined to cancel. A test sets it. */
  answerSaveDialog: (_options: object): string | undefined => undefined,
  /** Where Electron keeps its preferences; undefined in a test's own process. */
  preferencesFile: undefined as string | undefined,
  readPreferences(): Record<string, unknown> {
    const file = world.preferencesFile;
    return file !== undefined && existsSync(file)
      ? (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)
      : {};
  },
  writePreference(name: string, value: unknown): void {
    if (world.preferencesFile === undefined) return;
    writeFileSync(world.preferencesFile, JSON.stringify({ ...world.readPreferences(), [name]: value }));
  },
  /** The application's menu, once there is one. */
  pressMenuKey: (_key: Key, _contents: object): void => {},
  nextId(): number {
    lastId += 1;
    return lastId;
  },
};
