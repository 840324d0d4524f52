// The screens' own scheme: what it answers, and which addresses are the screens'.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Session } from 'electron';
import { beforeEach, expect, it, vi } from 'vitest';
import { isScreensAddress, screensAddress, serveAppScheme } from '#electron/windows/app-scheme.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

vi.mock('electron', async () => (await import('#test/electron/without-chromium.ts')).readyElectron());

type Handler = (request: Request) => Promise<Response>;
let handlers: Map<string, Handler>;
beforeEach(async () => {
  handlers = new Map();
  const folder = join(temporaryFolder(), 'renderer');
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), '<title>Rainbell</title>');
  await writeFile(join(folder, 'assets', 'app.js'), 'start()');
  await writeFile(join(folder, '..', 'secret.txt'), 'secret');
  const session = { protocol: { handle: (scheme: string, handler: Handler) => void handlers.set(scheme, handler) } };
  serveAppScheme(session as unknown as Session, folder);
});

async function load(url: string, method = 'GET') {
  const handler = handlers.get('app');
  // Node's Request parses `app:` as Electron's does.
  const response = await handler?.(new Request(url, { method }));
  return { status: response?.status, headers: response?.headers, text: await response?.text() };
}

it('serves the page and its files, with a policy without connections', async () => {
  expect([...handlers.keys()]).toEqual(['app']);
  const page = await load('app://rainbell/monitors/7');
  expect(page).toMatchObject({ status: 200, text: '<title>Rainbell</title>' });
  expect(page.headers?.get('content-type')).toBe('text/html; charset=utf-8');
  const policy = page.headers?.get('content-security-policy');
  expect(policy).toMatch(/style-src 'self' 'nonce-.{22}';.*connect-src 'none';/);
  expect(policy).toContain("; img-src 'self' data:; ");
  expect(policy).not.toContain('unsafe');
  const script = await load('app://rainbell/assets/app.js');
  expect(script).toMatchObject({ status: 200, text: 'start()' });
  expect(script.headers?.get('x-frame-options')).toBe('DENY');
  expect((await load('app://rainbell/assets/app.js', 'HEAD')).status).toBe(200);
});

it.each([
  ['app://rainbell/assets/none.js', 'GET'],
  ['app://rainbell/%2e%2e/secret.txt', 'GET'],
  ['app://other/assets/app.js', 'GET'],
  ['app://rainbell/assets/app.js', 'POST'],
])('finds no file at %s with %s, and says so with the same protection', async (url, method) => {
  const response = await load(url, method);
  expect(response).toMatchObject({ status: 404, text: 'File not found.' });
  expect(response.headers?.get('content-security-policy')).toContain("connect-src 'none'");
});

it.each([
  [screensAddress, true],
  ['app://rainbell/monitors#x', true],
  ['app://rainbell.example/', false],
  ['app://rainbell:1/', false],
  ['https://rainbell/', false],
  ['app:rainbell', false],
  ['', false],
  ['no address', false],
])('%s is an address of the screens: %j', (address, expected) => {
  expect(isScreensAddress(address)).toBe(expected);
});
