// What was measured on: date, commit (whose lock file has the versions), load, and machine.
import { execFileSync } from 'node:child_process';
import { cpus, loadavg } from 'node:os';

export function describeMachine({ isQuick }: { isQuick: boolean }): string {
  const [processor] = cpus();
  return [
    `${new Date().toISOString().slice(0, 10)}, ${commit()}${isQuick ? ' with `--quick`' : ''},`,
    `load ${(loadavg()[0] ?? 0).toFixed(1)}, ${cpus().length} × ${processor?.model.trim() ?? 'processor'}`,
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
