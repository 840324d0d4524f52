// What `npm run service` runs (scripts/quick-start.mjs): a bundle that names itself, whose stacks name the sources, and that leaves the
// field to the sources under a debugger. The service and the bundle of `npm run build` are the real ones.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';

/** Prints the stack at which the service starts to handle SIGTERM, in service/main.ts. */
const errorAtSigterm = `
const { on } = process;
process.on = function (name, listener) {
  if (name === 'SIGTERM') console.error(new Error('forced').stack);
  return on.call(this, name, listener);
};`;

/** Starts the service and ends it when it is ready; returns what it wrote to stderr. */
async function serviceOutput({ flags = [] as string[], nodeOptions = '' } = {}): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'rainbell-quick-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const preload = join(folder, 'preload.mjs');
  await writeFile(preload, errorAtSigterm);
  const loaded = ['--import', pathToFileURL(preload).href, '--import', './scripts/quick-start.mjs', 'service/main.ts'];
  const settings = ['--port', '0', '--data', folder, '--provider', 'simulation', '--json'];
  const { RAINBELL_SOURCES: _, ...environment } = process.env;
  const child = spawn(process.execPath, [...flags, ...loaded, ...settings], {
    cwd: projectFolder,
    env: { ...environment, NODE_OPTIONS: nodeOptions },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const closed = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  await Promise.race([once(child.stdout, 'data'), closed]);
  child.kill('SIGTERM');
  await closed;
  return errors;
}

const announcement = 'running the bundle for service/main.ts (dist/host/service_main.cjs)';

it('names the bundle once, and stacks name the source file and line', async () => {
  const source = await readFile(join(projectFolder, 'service/main.ts'), 'utf8');
  const line = source.split('\n').findIndex((text) => text.includes("process.on('SIGTERM'")) + 1;
  const output = await serviceOutput();
  expect(output.split(announcement)).toHaveLength(2);
  expect(output).toContain(`at run (${pathToFileURL(join(projectFolder, 'service/main.ts')).href}:${line}:`);
  expect(output).not.toContain('dist/host/service_main.cjs:');
});

it.each(['service_main', 'headless_main', 'headless_service_worker', 'core_receiver_server_receiver_worker'])(
  '%s.cjs is plain ASCII, which Node reads with half the work',
  async (name) => {
    const text = await readFile(join(projectFolder, 'dist/host', `${name}.cjs`), 'latin1');
    // Control characters are ASCII.
    const other = text.search(/[\u0080-\u00ff]/);
    expect(other === -1 ? '' : text.slice(Math.max(0, other - 40), other + 40)).toBe('');
  },
);

it.each([
  ['--inspect', { flags: ['--inspect=127.0.0.1:0'] }],
  ['--inspect in NODE_OPTIONS', { nodeOptions: '--inspect=127.0.0.1:0' }],
])('runs the sources under %s', async (_name, options) => {
  const output = await serviceOutput(options);
  expect(output).toContain('Debugger listening on');
  expect(output).toContain('at run (file:');
  expect(output).not.toContain('dist/host');
});
