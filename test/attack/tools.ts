// Debian's slowhttptest and wrk, if they are installed: attacks that others wrote. Bounded in time and number.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';

export type ToolRun = { name: string; run: (url: string) => Promise<void> };

const seconds = 8;

export function toolRuns(): ToolRun[] {
  const slow = (name: string, ...mode: string[]): ToolRun => ({
    name: `slowhttptest, ${name}`,
    run: (url) =>
      tool('slowhttptest', ...mode, '-c', '1000', '-r', '500', '-i', '2', '-l', String(seconds), '-p', '3', '-u', url),
  });
  const slowRuns = [
    slow('slow headers', '-H'),
    slow('slow bodies', '-B'),
    slow('slow reads', '-X', '-w', '10', '-y', '20', '-z', '5'),
  ];
  const flood: ToolRun = {
    name: 'wrk, 256 connections at full speed',
    run: (url) => tool('wrk', '-t', '1', '-c', '256', '-d', `${seconds}s`, '--timeout', '5s', url),
  };
  return [...(isInstalled('slowhttptest') ? slowRuns : []), ...(isInstalled('wrk') ? [flood] : [])];
}

async function tool(command: string, ...args: string[]): Promise<void> {
  const child = spawn(command, args, { stdio: 'ignore' });
  const limit = setTimeout(() => child.kill('SIGKILL'), seconds * 3_000);
  await once(child, 'exit');
  clearTimeout(limit);
}

function isInstalled(command: string): boolean {
  return spawnSync('which', [command]).status === 0;
}
