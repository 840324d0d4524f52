// A fresh checkout: `npm start` and `npm run headless` install and build what is missing and say how long it took, and `npm ci` has
// nothing to warn about on the oldest Node that README names. The project here is a small one with the real scripts.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { satisfies } from 'semver';
import { expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

/** Stands for npm: it installs a vite that writes what the real one builds. As npm does, it refuses a user's setting as a variable. */
const npm = `
import { mkdirSync, writeFileSync } from 'node:fs';
if (process.env.npm_config_allow_scripts !== undefined) throw new Error('EALLOWSCRIPTS');
console.log('npm ' + process.argv.slice(2).join(' '));
mkdirSync('node_modules/vite', { recursive: true });
writeFileSync('node_modules/vite/package.json', '{"type":"module","bin":{"vite":"vite.js"}}');
writeFileSync('node_modules/vite/vite.js', \`
  import { mkdirSync, writeFileSync } from 'node:fs';
  const hosts = ['service_main', 'headless_main', 'core_receiver_server_receiver_worker'].map((name) => 'host/' + name + '.cjs');
  for (const file of ['electron/main.js', 'electron/preload.cjs', 'renderer/index.html', ...hosts]) {
    mkdirSync('dist/' + file.split('/')[0], { recursive: true });
    writeFileSync('dist/' + file, "console.log('served ' + process.argv.slice(2).join(' '))");
  }
\`);
writeFileSync('node_modules/.package-lock.json', '{}');
`;

async function freshCheckout(): Promise<string> {
  const folder = temporaryFolder();
  await cp(join(projectFolder, 'scripts'), join(folder, 'scripts'), { recursive: true });
  await mkdir(join(folder, 'headless'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(join(folder, 'npm.mjs'), npm);
  await writeFile(join(folder, 'headless', 'main.ts'), `console.log('served ' + process.argv.slice(2).join(' '));`);
  return folder;
}

async function run(folder: string, script: string, args: readonly string[]) {
  const env = { ...process.env, npm_execpath: join(folder, 'npm.mjs'), npm_config_allow_scripts: 'none' };
  const child = spawn(process.execPath, [join('scripts', script), ...args], { cwd: folder, env });
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output, errors, code: code as number | null };
}

it('npm start installs and builds what is missing, says so with the time, and does it once', async () => {
  const folder = await freshCheckout();
  const link = 'rainbell://callbacks/1';
  const first = await run(folder, 'start.mjs', ['--headless', '--no-open', link]);
  expect(first).toMatchObject({ code: 0, errors: '' });
  expect(first.output).toMatch(
    new RegExp(
      [
        'Installing the packages\\. This is needed only once and takes one to three minutes…',
        'npm ci --no-audit --no-fund',
        'Installed the packages in \\d+ s\\.',
        'Building the app for the first time…',
        'Built the app in \\d+ s\\.',
        `served --no-open ${link}\n$`,
      ].join('\n'),
    ),
  );
  const second = await run(folder, 'start.mjs', ['--headless']);
  expect(second.output).toBe('served \n');
});

it('npm run headless builds as npm start does, and leaves standard output to the address', async () => {
  const folder = await freshCheckout();
  const { code, output, errors } = await run(folder, 'headless.mjs', ['--json']);
  expect(code).toBe(0);
  expect(output).toBe('npm ci --no-audit --no-fund\nserved --json\n');
  expect(errors).toMatch(/Building the app for the first time…\nBuilt the app in \d+ s\.\n$/);
});

it('npm start says what to do if the packages cannot be installed', async () => {
  const folder = await freshCheckout();
  await writeFile(join(folder, 'npm.mjs'), 'console.error("npm error network"); process.exit(7);');
  const { code, output } = await run(folder, 'start.mjs', ['--headless']);
  expect(code).toBe(7);
  expect(output).toContain("error: the packages couldn't be installed; npm's message is above.");
});

it('no locked package makes npm warn on the oldest Node that README names', async () => {
  const read = async (file: string) => JSON.parse(await readFile(join(projectFolder, file), 'utf8')) as Lock;
  const { engines } = (await read('package.json')) as unknown as Locked;
  const [, oldest = ''] = /^>=([\d.]+)$/.exec(engines?.node ?? '') ?? [];
  const node = `${oldest}.0`;
  expect(await readFile(join(projectFolder, 'README.md'), 'utf8')).toContain(`You need Node ${oldest} or newer`);
  const { packages } = await read('package-lock.json');
  // As npm-install-checks does; optional packages are left out instead, without a word.
  const unsupported = Object.entries(packages).filter(
    ([, { engines: wanted, optional }]) =>
      !optional && wanted?.node !== undefined && !satisfies(node, wanted.node, { includePrerelease: true }),
  );
  const names = unsupported.map(([path, { engines: wanted }]) => `${path} ${wanted?.node}`);
  expect(names, 'run "node scripts/lock-engines.mjs"').toEqual([]);
});

it('npm runs no install script, and the lock file pins a Node for each system', async () => {
  const read = async (file: string) => JSON.parse(await readFile(join(projectFolder, file), 'utf8')) as unknown;
  const { allowScripts } = (await read('package.json')) as { allowScripts: Record<string, boolean> };
  const { packages } = (await read('package-lock.json')) as Lock;
  const named = Object.entries(packages).map(([path, locked]) => ({
    name: path.replace('node_modules/', ''),
    ...locked,
  }));
  const withScript = named.filter(({ hasInstallScript }) => hasInstallScript).map(({ name }) => [name, false]);
  expect(allowScripts).toEqual(Object.fromEntries(withScript));
  const nodes = named.filter(({ bin }) => bin !== undefined && Object.keys(bin).join() === 'node');
  expect(nodes.map(({ os, cpu }) => `${os} ${cpu}`).toSorted()).toEqual([
    'darwin arm64',
    'darwin x64',
    'linux arm64',
    'linux x64',
    'win32 x64',
  ]);
  expect(nodes.every(({ optional, integrity }) => optional && integrity?.startsWith('sha512-'))).toBe(true);
  expect(new Set(nodes.map(({ version }) => version)).size).toBe(1);
});

type Locked = {
  version?: string;
  integrity?: string;
  engines?: { node?: string };
  optional?: boolean;
  hasInstallScript?: boolean;
  os?: string;
  cpu?: string;
  bin?: Record<string, string>;
};
type Lock = { packages: Record<string, Locked> };
