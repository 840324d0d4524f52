// The authorization dialog in a real Chromium: forms, the redirect under the page's own policy, no scripts, by keyboard.
import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { newBrowserContext } from '#test/setup/browser-context.ts';
import { startOAuthService } from './oauth-service.ts';
import { registerApplication } from './registered-application.ts';
import { listen } from '#test/setup/listen.ts';

/** An application's own web server: it writes down which addresses were opened. */
async function startClientSite() {
  const opened: string[] = [];
  const server = createServer((request, response) => {
    if (request.url !== '/favicon.ico') opened.push(request.url ?? '');
    response.setHeader('content-type', 'text/html').end('<h1>Back in the application</h1>');
  });
  const port = await listen(server);
  return { redirectUri: `http://127.0.0.1:${port}/callback`, opened };
}

async function openDialog() {
  const service = await startOAuthService();
  const site = await startClientSite();
  const application = await registerApplication(service, {
    redirectUris: ['http://127.0.0.1/callback'],
    name: '<script>alert(1)</script>',
  });
  const page = await (await newBrowserContext({ javaScriptEnabled: false })).newPage();
  const problems: string[] = [];
  page.on('console', (message) => void problems.push(message.text()));
  const query = new URLSearchParams({
    client_id: application.clientId,
    response_type: 'code',
    redirect_uri: site.redirectUri,
    scope: 'post_metag',
    state: 'a b',
  });
  await page.goto(`${service.baseUrl}/oauth/authorize/?${query.toString()}`);
  return { site, page, problems };
}

test('without scripts and with only the keyboard a user signs in, allows it, and returns to the application', async () => {
  const { site, page, problems } = await openDialog();
  // The page focuses its first field automatically, shortly after it loads.
  await page.locator('input:focus').waitFor();
  await page.keyboard.type('carol');
  await page.keyboard.press('Tab');
  await page.keyboard.type('carol has a long password');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain('<script>alert(1)</script>');
  await page.getByRole('button', { name: 'Allow', exact: true }).press('Enter');
  await page.waitForURL(/\/callback\?/);
  expect(site.opened).toHaveLength(1);
  expect(site.opened[0]).toMatch(/^\/callback\?state=a\+b&code=[A-Za-z0-9]{43}&iss=http%3A%2F%2F127\.0\.0\.1%3A\d+$/);
  expect(problems).toEqual([]);
});
