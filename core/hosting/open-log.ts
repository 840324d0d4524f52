// The log of a host: JSON lines in a file of the data folder, with the three previous files. Secrets must never be logged; these
// paths redact them if a whole request or response is logged by mistake. App and service write the same file: the one that finds it
// too large rotates it, and the other one follows.
import { existsSync, fstatSync, openSync, closeSync, renameSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { pino, type Logger } from 'pino';
import { makePrivateFolder } from '@rainbell/shared/node';

const secretPaths = [
  'authorization',
  'cookie',
  'access_token',
  'refresh_token',
  'client_secret',
  'password',
  'ticket',
  'code',
];

export type LogLimits = { fileBytes: number; maxFiles: number; linesBetweenLooks: number };
const defaultLimits: LogLimits = { fileBytes: 4 * 1024 * 1024, maxFiles: 3, linesBetweenLooks: 200 };

export function openLog(file: string, name: string, limits: LogLimits = defaultLimits): Logger {
  const redact = secretPaths.flatMap((path) => [path, `*.${path}`, `*.*.${path}`]);
  return pino({ name, redact, level: 'info' }, createLogFile(file, limits));
}

/** Each line is on its way to the disk when `write` returns, so that a crash loses nothing. */
function createLogFile(file: string, { fileBytes, maxFiles, linesBetweenLooks }: LogLimits) {
  makePrivateFolder(dirname(file));
  let descriptor = open();
  let linesUntilLook = linesBetweenLooks;

  function open(): number {
    if (sizeOf(file) > fileBytes) moveOn();
    return openSync(file, 'a', 0o600);
  }

  function moveOn(): void {
    for (let number = maxFiles - 1; number >= 1; number -= 1) {
      if (existsSync(`${file}.${number}`)) renameSync(`${file}.${number}`, `${file}.${number + 1}`);
    }
    renameSync(file, `${file}.1`);
  }

  /** Too large, or moved on by the other process. */
  function mustReopen(): boolean {
    const present = statSync(file, { throwIfNoEntry: false });
    return !present || present.ino !== fstatSync(descriptor).ino || present.size > fileBytes;
  }

  return {
    write(line: string) {
      linesUntilLook -= 1;
      if (linesUntilLook <= 0) {
        linesUntilLook = linesBetweenLooks;
        attempt(() => {
          if (!mustReopen()) return;
          const next = open();
          closeSync(descriptor);
          descriptor = next;
        });
      }
      attempt(() => void writeSync(descriptor, line));
    },
  };
}

/** A full disk, or a file that another process holds open on Windows, costs lines of the log and nothing else. */
function attempt(work: () => void): void {
  try {
    work();
  } catch {
    // There is no other place to tell it.
  }
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
