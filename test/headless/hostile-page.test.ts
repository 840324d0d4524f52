// A web page in a real browser that tries to access the headless host while a user works with it: on another port of the same machine
// (the same site, so the browser would send a cookie along). A name that resolves to it: screen-server.test.ts.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { startScreenServer } from '#headless/screen-server.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { newBrowserContext } from '#test/setup/browser-context.ts';
import { startHostilePage, tryEverything } from './hostile-page.ts';

/** The page's side of the session, as it is built for the screens. */
async function clientScript(): Promise<string> {
  const entry = fileURLToPath(new URL('../../renderer/entry.js', import.meta.url));
  const code = `import { connect } from './app/connect.ts'; connect(window).watch(({ state }) => (document.title = state));`;
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      { name: 'entry', resolveId: (id) => (id === entry ? id : null), load: (id) => (id === entry ? code : null) },
    ],
    build: { write: false, rolldownOptions: { input: entry } },
  });
  return (built as Rolldown.RolldownOutput).output[0].code;
}

async function startHost() {
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets', 'app.js'), await clientScript());
  writeFileSync(
    join(folder, 'index.html'),
    '<!doctype html><title>Rainbell</title><script type="module" src="/assets/app.js"></script><p id="secret">callbacks of the person',
  );
  let screens = 0;
  const host = await startScreenServer({ port: 0, folder, clock: systemClock, serveScreen: () => void (screens += 1) });
  onTestFinished(() => host.close());
  return { host, origin: `http://127.0.0.1:${host.port}`, served: () => screens };
}

test('a page on another port gets nothing: no cookie, no session, and no socket', async () => {
  const { host, origin, served } = await startHost();
  const { url: hostile, cookies, stop } = await startHostilePage();
  onTestFinished(stop);
  const context = await newBrowserContext();
  const own = await context.newPage();
  await own.goto(host.newAddress());
  await expect.poll(served).toBe(1);
  const stored = () => JSON.stringify(localStorage);
  expect(await own.evaluate(stored)).toMatch(/^\{"rainbell-session":"[\w-]{43}"\}$/);
  await own.reload();
  await expect.poll(served).toBe(2);
  const second = await context.newPage();
  await second.goto(origin);
  await expect.poll(served).toBe(3);

  const page = await context.newPage();
  await page.goto(hostile);
  expect(await tryEverything(page, origin)).toEqual({
    socket: 'refused',
    page: 'refused',
    blind: 'refused',
    framed: 'refused',
  });
  expect(await page.evaluate(stored)).toBe('{}');
  expect(cookies).toEqual([]);
  expect(served()).toBe(3);
});
