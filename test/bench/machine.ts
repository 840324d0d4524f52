// What was measured on: date, commit (whose lock file has the versions), load, machine, and how quickly the disk makes writes durable.
import { execFileSync } from 'node:child_process';
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';

export function describeMachine({ isQuick }: { isQuick: boolean }): string {
  const [processor] = cpus();
  return [
    `${new Date().toISOString().slice(0, 10)}, ${commit()}${isQuick ? ' with `--quick`' : ''},`,
    `load ${(loadavg()[0] ?? 0).toFixed(1)}, ${cpus().length} × ${processor?.model.trim() ?? 'processor'},`,
    `${process.platform}, Node ${process.versions.node}, ${syncsPerSecond().toFixed(0)} fdatasync/s`,
  ].join(' ');
}

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: 'pipe' }).trim();
  try {
    const changed = git('status', '--porcelain', '--', '.', ':!docs') === '' ? '' : ' with uncommitted changes';
    return `\`${git('rev-parse', '--short', 'HEAD')}\`${changed}`;
  } catch {
    return 'a folder without Git';
  }
}

/** Measures the disk of the temporary folder, where the benches keep their databases. */
export function syncsPerSecond(forMs = 300): number {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-disk-'));
  const file = openSync(join(folder, 'probe'), 'w');
  try {
    const block = Buffer.alloc(4096, 1);
    const began = performance.now();
    let count = 0;
    for (; performance.now() - began < forMs; count += 1) {
      writeSync(file, block, 0, block.length, 0);
      fdatasyncSync(file);
    }
    return (count * 1000) / (performance.now() - began);
  } finally {
    closeSync(file);
    rmSync(folder, { recursive: true, force: true });
  }
}
