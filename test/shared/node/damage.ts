// Ways to damage a database file, and a copy of one as a killed process leaves it.
import { cpSync, openSync, closeSync, statSync, truncateSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

/** Copies a data folder in use, as it is on disk at this moment: what kill -9 would leave. */
export function copyAsKilled(folder: string): string {
  const copy = temporaryFolder();
  cpSync(folder, copy, { recursive: true });
  return copy;
}

/** Writes random bytes over a part of the file. */
export function overwrite(file: string, from: number, length: number): void {
  const descriptor = openSync(file, 'r+');
  writeSync(descriptor, randomBytes(length), 0, length, from);
  closeSync(descriptor);
}

/** Keeps this share of the file, between 0 and 1, in whole or broken pages. */
export function cutTo(file: string, share: number): void {
  truncateSync(file, Math.floor(statSync(file).size * share));
}
