// The Electron double in the test's own process: it is ready, and its windows never load. A test file mocks `electron` with it:
// `vi.mock('electron', async () => (await import('./without-chromium.ts')).readyElectron())`.
import pino from 'pino';
import { onTestFinished } from 'vitest';
import type { BrowserWindow } from '#test/double/browser-window.ts';
import { electron } from '#test/double/electron.ts';
import { world } from '#test/double/world.ts';
import type { Log } from '#core/ports/log.ts';

export function readyElectron(): typeof electron {
  world.isReady = true;
  return electron;
}

/** A window of the double that was never opened, with the members that the test needs. */
export function unopenedWindow(members: object = {}): BrowserWindow {
  return Object.assign(Object.create(electron.BrowserWindow.prototype) as BrowserWindow, members);
}

/** A log and its entries, with their level's number (30 info, 40 warn, 50 error). */
export function recordLog(): { log: Log; entries: Record<string, unknown>[] } {
  const entries: Record<string, unknown>[] = [];
  const log = pino(
    { level: 'debug', base: null, timestamp: false },
    { write: (line: string) => void entries.push(JSON.parse(line) as Record<string, unknown>) },
  );
  return { log, entries };
}

/** Sets `process.platform` until the test ends. */
export function pretendPlatform(platform: NodeJS.Platform): void {
  setProperty(process, 'platform', platform);
}

/** Sets a property, also a read-only one, until the test ends. */
export function setProperty<Target extends object, Name extends keyof Target>(
  target: Target,
  name: Name,
  value: Target[Name],
): void {
  const before = Object.getOwnPropertyDescriptor(target, name);
  Object.defineProperty(target, name, { value, configurable: true, writable: true, enumerable: true });
  onTestFinished(() => {
    if (before) Object.defineProperty(target, name, before);
    else Reflect.deleteProperty(target, name);
  });
}
