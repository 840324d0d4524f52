// What plays docs/operations.md command by command: its commands, a shell, and Debian's PostgreSQL, which can be restarted.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { freePorts } from '#test/setup/free-ports.ts';
import { noteMissing } from '#test/setup/missing.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

const page = await readFile(join(projectFolder, 'docs/operations.md'), 'utf8');

/** The commands of a section of the page, block by block. */
export function commandsOf(heading: string, blocksThere = 2): string[] {
  const [, section = ''] = page.split(`\n### ${heading}\n`);
  const blocks = [...(section.split(/\n##/)[0] ?? '').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block);
  expect(blocks).toHaveLength(blocksThere);
  return blocks;
}

export async function runShell(commands: string, environment: Readonly<Record<string, string>>): Promise<string> {
  const child = spawn('sh', ['-euxc', commands], {
    cwd: projectFolder,
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => (text += part));
  const [code] = (await once(child, 'close')) as [number | null];
  expect({ code, text }).toEqual({ code: 0, text });
  return text;
}

const debianFolder = '/usr/lib/postgresql';
export const missingServer = listed(debianFolder).length > 0 ? undefined : noteMissing('postgresql');

function listed(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Debian's server, because its pg_dump refuses a newer one. */
export async function startDebianPostgres() {
  const version = listed(debianFolder).toSorted((one, other) => Number(other) - Number(one))[0] ?? '';
  const program = (name: string) => join(debianFolder, version, 'bin', name);
  const folder = temporaryFolder();
  // PostgreSQL refuses to run as root.
  const number = (flag: string) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  const user = process.getuid?.() === 0 ? { uid: number('-u'), gid: number('-g') } : undefined;
  if (user) {
    chownSync(folder, user.uid, user.gid);
    chmodSync(folder, 0o755);
  }
  const [port = 0] = await freePorts(1);
  const run = (name: string, ...args: string[]) => {
    const result = spawnSync(program(name), args, { ...user, encoding: 'utf8', cwd: folder });
    expect(`${result.stderr}${result.status}`).toMatch(/0$/);
  };
  const data = join(folder, 'data');
  run('initdb', '--auth=trust', '--username=postgres', '--no-sync', data);
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
  run('pg_ctl', 'start', '--wait', `--pgdata=${data}`, `--log=${folder}/log`, `--options=${options}`);
  onTestFinished(() => run('pg_ctl', 'stop', '--mode=immediate', `--pgdata=${data}`));
  const url = (name: string) => `postgres://postgres@127.0.0.1:${port}/${name}`;
  await runShell(`createdb --maintenance-db="${url('postgres')}" rainbell`, {});
  return {
    url: url('rainbell'),
    /** Every connection ends. Not synchronous, so that the test's clients go on meanwhile. */
    async restart(): Promise<void> {
      const args = ['restart', '--wait', '--mode=fast', `--pgdata=${data}`, `--log=${folder}/log`];
      const [code] = await once(spawn(program('pg_ctl'), args, { ...user, cwd: folder, stdio: 'ignore' }), 'exit');
      expect(code).toBe(0);
    },
  };
}
