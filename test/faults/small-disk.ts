// A real file system of a few megabytes, so that a disk can be full or read-only. Needs Linux and the right to mount: as
// root, as in CI and in containers.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { noteMissing } from '#test/setup/missing.ts';

export type SmallDisk = {
  folder: string;
  freeBytes(): number;
  /** Fills it but for `leftBytes`. */
  fill(leftBytes: number): void;
  /** Takes away what `fill` wrote. */
  makeRoom(): void;
  setReadOnly(): void;
};

export const canMount = tryMount();
if (!canMount) noteMissing('the right to mount');

/** Unmounted and removed when the test is over; whatever writes there must have ended by then. */
export function smallDisk(megabytes: number): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-small-disk-'));
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'rainbell-test', folder);
  onTestFinished(() => {
    run('umount', '--lazy', folder);
    rmdirSync(folder);
  });
  const filler = join(folder, 'filler');
  const freeBytes = () => {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize;
  };
  return {
    folder,
    freeBytes,
    fill: (leftBytes) => writeFileSync(filler, Buffer.alloc(Math.max(0, freeBytes() - leftBytes))),
    makeRoom: () => rmSync(filler, { force: true }),
    setReadOnly: () => run('mount', '-o', 'remount,ro', folder),
  };
}

function run(command: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? stderr}`);
}

function tryMount(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-mount-trial-'));
  const isMounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'rainbell-test', folder]).status === 0;
  if (isMounted) spawnSync('umount', [folder]);
  rmdirSync(folder);
  return isMounted;
}
