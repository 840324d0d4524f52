// A disk that loses its power (power_loss_disk.py): what was written and not synced is gone. Needs Linux's /dev/fuse, the right to mount,
// and Debian's fusepy.
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { noteMissing } from '#test/setup/missing.ts';

/** Debian's own Python, whose package fusepy is. */
const python = '/usr/bin/python3';
const program = fileURLToPath(new URL('power_loss_disk.py', import.meta.url));

/** Why a test cannot have such a disk here; undefined if it can. */
export const missingDisk = findMissing();

export type PowerLoss = {
  /** The number of writes, syncs, and changes of names that succeed first. */
  after: number;
  /** What survives of all that was not synced: nothing, or some of it by chance. */
  unsynced: 'lost' | 'mixed';
  seed: number;
};

export type PowerLossDisk = {
  /** The mount point of the disk. */
  readonly folder: string;
  /** The surviving files, outside the disk. */
  readonly survivors: string;
  /** Mounts the surviving files. Whatever used the disk before must have ended. */
  powerOn(): Promise<void>;
  /** Resolves when the power is off: from then on, every operation fails. */
  losePower(loss: PowerLoss): Promise<void>;
};

/** An empty disk without power. It is gone after the test. */
export function createPowerLossDisk(): PowerLossDisk {
  const base = mkdtempSync(join(tmpdir(), 'rainbell-power-loss-'));
  const folder = join(base, 'disk');
  let survivors = join(base, 'survivors-0');
  for (const made of [folder, survivors]) mkdirSync(made);
  let losses = 0;
  let disk: { child: ChildProcess; lines: Interface } | undefined;

  async function unmount(): Promise<void> {
    if (!disk) return;
    const { child } = disk;
    disk = undefined;
    spawnSync('umount', ['--lazy', folder]);
    const ended = child.exitCode === null && child.signalCode === null ? once(child, 'exit') : undefined;
    child.kill('SIGKILL');
    await ended;
  }
  onTestFinished(async () => {
    await unmount();
    rmSync(base, { recursive: true, force: true, maxRetries: 5 });
  });

  return {
    folder,
    get survivors() {
      return survivors;
    },
    async powerOn() {
      await unmount();
      const child = spawn(python, [program, survivors, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
      disk = { child, lines: createInterface({ input: child.stdout }) };
      await nextLine(disk, 'mounted');
    },
    async losePower({ after, unsynced, seed }) {
      if (!disk) throw new Error('The disk has no power.');
      losses += 1;
      const next = join(base, `survivors-${losses}`);
      mkdirSync(next);
      disk.child.stdin?.write(`cut ${after} ${unsynced} ${seed} ${next}\n`);
      await nextLine(disk, 'cut');
      survivors = next;
    },
  };
}

async function nextLine({ child, lines }: { child: ChildProcess; lines: Interface }, expected: string): Promise<void> {
  const line = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  if (line[0] !== expected) throw new Error(`The disk should be ${expected}, but printed ${String(line[0])}.`);
}

function findMissing(): string | undefined {
  if (process.platform !== 'linux' || !existsSync('/dev/fuse')) return noteMissing('/dev/fuse');
  if (process.getuid?.() !== 0) return noteMissing('the right to mount');
  try {
    execFileSync(python, ['-c', 'import fusepy'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return noteMissing('python3-fusepy');
  }
}
