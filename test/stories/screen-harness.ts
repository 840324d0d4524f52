// The built screens in a real Chromium, over a real core, whose weather service is a small server that answers what a test
// prepares (odd bodies, refusals, silence).
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright';
import type { WebSocket } from 'ws';
import { expect, onTestFinished } from 'vitest';
import { iconNames } from '#contract/service-api/vocabulary.ts';
import { systemCode } from '#shared/errors/system-code.ts';
import { systemClock } from '#shared/time/clock.ts';
import { startScreenServer } from '#headless/screen-server.ts';
import { type CoreHarness, createMemoryHost, startCore } from '#test/core/core-harness.ts';
import { type FakeService, type Route, startFakeService } from '#test/core/fake-service.ts';
import { type BrowserKind, newBrowserContext, sharedPage } from '#test/setup/browser-context.ts';
import { freePort } from '#test/setup/free-ports.ts';
import { type BodyOptions, weatherBody } from '#test/renderer/weather-bodies.ts';

const builtScreens = fileURLToPath(new URL('../../dist/renderer', import.meta.url));

const profile = {
  viewport: { width: 1280, height: 900 },
  reducedMotion: 'reduce',
  timezoneId: 'Europe/Rome',
} as const;

export type Screens = {
  page: Page;
  service: FakeService;
  core: CoreHarness;
  /** What the page wrote to its console as errors. */
  complaints: string[];
  /** Of the page's Content-Security-Policy; a test ends without any, so that the policy forbids nothing that the screens do. */
  violations: string[];
  /** Cuts the page's socket off, as sleep or a proxy would, and lets it come back. */
  dropLine: () => Promise<void>;
  /** Stops serving and starts again on the same port, as after a crash of the host. */
  restartServer: () => Promise<void>;
  /** The address of the receiver, once it listens. */
  receiverUrl: () => Promise<string>;
  /** An address for another browser, which works once. */
  newAddress: (hash?: string) => string;
};

const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><circle cx="4" cy="4" r="3" fill="#fa0"/></svg>';

export async function openScreens({
  routes = {},
  weather = {},
  settings = {},
  hash,
  hasOwnPage = false,
  browser = 'shell',
}: {
  routes?: Record<string, Route>;
  weather?: Partial<BodyOptions>;
  settings?: Record<string, unknown>;
  hash?: string;
  /** A new profile instead of the shared page, for a test that changes what cannot be changed back (the page's clock). */
  hasOwnPage?: boolean;
  browser?: BrowserKind;
} = {}): Promise<Screens> {
  if (!existsSync(`${builtScreens}/index.html`))
    throw new Error('The screens are not built: run "npm run build" first.');
  const service = await startFakeService({
    'GET /v2/monitors/': () => ({ body: { objects: [], meta: {} } }),
    ...routes,
  });
  for (const name of iconNames) {
    service.routes[`GET /v2/icons/${name}`] ??= () => ({ headers: { 'content-type': 'image/svg+xml' }, body: icon });
  }
  service.routes['GET /v2/weather/'] ??= () => ({
    body: weatherBody({ now: Date.now(), iconBase: service.baseUrl, ...weather }),
  });
  const receiverPort = await freePort();
  const core = await startCore({
    sandbox: service.introduction,
    receiverPort,
    host: createMemoryHost({ receiverPort, ...settings }),
  });
  const page = await (hasOwnPage
    ? (await newBrowserContext(profile, browser)).newPage()
    : sharedPage(profile, browser));
  // A limit for broken tests only: on a busy machine a page can take many seconds to draw.
  page.setDefaultTimeout(45_000);
  const complaints: string[] = [];
  const violations: string[] = [];
  page.on('console', (message) => void (message.type() === 'error' && complaints.push(message.text())));
  page.on(
    'console',
    (message) => void (/Content Security Policy/i.test(message.text()) && violations.push(message.text())),
  );
  onTestFinished(() => expect(violations, 'violations of the Content-Security-Policy').toEqual([]));
  page.on('pageerror', (error) => void complaints.push(error.message));
  const { newAddress, restart, drop } = await serve(core);
  await page.goto(newAddress(hash));
  const receiverUrl = async () => {
    await expect.poll(() => core.core.status().receiver.state).toBe('listening');
    return core.core.status().receiver.baseUrl ?? '';
  };
  return {
    page,
    service,
    core,
    complaints,
    violations,
    restartServer: restart,
    dropLine: drop,
    receiverUrl,
    newAddress,
  };
}

/**
 * The same in all tests of a process, so that the browser can reuse the screens' files and their compiled code. If another process
 * takes it between two tests, the next test chooses a new one.
 */
let port = 0;

async function serve({ core }: CoreHarness) {
  const lines = new Set<WebSocket>();
  const serveScreen = (line: WebSocket) => {
    lines.add(line);
    core.serveWebSocket(line);
  };
  const drop = () =>
    Promise.all(
      [...lines].map((line) => {
        lines.delete(line);
        const gone = new Promise((resolve) => line.once('close', resolve));
        line.terminate();
        return gone;
      }),
    ).then(() => undefined);
  const options = { folder: builtScreens, clock: systemClock, serveScreen };
  let server = await startScreenServer({ ...options, port }).catch((error: unknown) => {
    if (systemCode(error) !== 'EADDRINUSE') throw error;
    return startScreenServer({ ...options, port: 0 });
  });
  port = server.port;
  onTestFinished(() => server.close());
  const restart = async () => {
    await server.close();
    server = await startScreenServer({ ...options, port });
  };
  return { newAddress: (hash?: string) => server.newAddress(hash), restart, drop };
}
