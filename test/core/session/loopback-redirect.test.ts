// "In my browser": the loopback listener over raw HTTP and in a real Chromium.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import type { DialogOutcome } from '#core/ports/host.ts';
import { openInBrowser } from '#core/session/loopback-redirect.ts';
import { launchBrowser } from '#test/setup/browser.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { openRaw } from '#test/core/raw-http.ts';
import { answerDialog, startAccess, startRealService } from './access-harness.ts';

type Listening = { redirectUri: string; port: number; outcome: Promise<DialogOutcome>; abort: () => void };

async function listen({
  redirectUri = 'http://127.0.0.1/callback',
  message = '',
  clock = systemClock,
} = {}): Promise<Listening> {
  const opened = Promise.withResolvers<string>();
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const request = {
    redirectUri,
    title: 'Test',
    limitMs: 300_000,
    signal: closing.signal,
    authorizationUrl: (used: string) => `https://service.example/?to=${used}`,
  };
  const outcome = openInBrowser(request, {
    clock,
    openExternal: async (url) => opened.resolve(url),
    onAddress: () => {},
    validate: async () => ({ isGood: message === '', message }),
  });
  const used = (await opened.promise).split('?to=')[1] ?? '';
  return { redirectUri: used, port: Number(new URL(used).port), outcome, abort: () => closing.abort() };
}

describe('the loopback listener', () => {
  test('accepts the response only on the registered path, and then stops listening (docs/tokens.md T1, T4)', async () => {
    // Its query is not a response.
    const { redirectUri, outcome } = await listen({ redirectUri: 'http://127.0.0.1/callback?from=rainbell' });
    expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback\?from=rainbell$/);
    const { origin } = new URL(redirectUri);
    const others = ['/callback/extra', '/callbac', '/?next=/callback?code=1', '/x?code=abc&state=1', '/favicon.ico'];
    for (const path of others) expect((await fetch(`${origin}${path}`)).status).toBe(404);
    expect((await fetch(redirectUri)).status).toBe(200);
    expect((await fetch(redirectUri, { method: 'HEAD' })).status).toBe(405);
    expect((await fetch(`${redirectUri}&state=s&code=abc`)).status).toBe(200);
    expect(await outcome).toEqual({ kind: 'redirected', url: `${redirectUri}&state=s&code=abc` });
    await expect(fetch(redirectUri)).rejects.toThrow('fetch failed');
  });

  test('answers no other Host, so a rebinding name gets nothing (docs/tokens.md T28)', async () => {
    const { port, redirectUri, outcome } = await listen();
    const { answer } = openRaw(
      port,
      'GET /callback?code=x&state=s HTTP/1.1\r\nHost: evil.test\r\nConnection: close\r\n\r\n',
    );
    expect(await answer).toMatch(/^HTTP\/1\.1 421/);
    await fetch(`${redirectUri}?state=s&code=real`);
    expect(await outcome).toMatchObject({ url: expect.stringContaining('code=real') });
  });

  test('takes a fragment only from its own page, by the nonce', async () => {
    const { redirectUri, outcome } = await listen();
    const relay = await (await fetch(redirectUri)).text();
    const nonce = /'x-rainbell-relay': '([^']+)'/.exec(relay)?.[1] ?? '';
    const post = (headers: Record<string, string>) =>
      fetch(redirectUri, { method: 'POST', headers, body: 'state=s&access_token=t' });
    const { origin } = new URL(redirectUri);
    expect((await post({ origin })).status).toBe(403);
    expect((await post({ origin: 'https://evil.test', 'x-rainbell-relay': nonce })).status).toBe(403);
    expect((await post({ origin, 'x-rainbell-relay': 'guess' })).status).toBe(403);
    expect((await post({ origin, 'x-rainbell-relay': nonce })).status).toBe(200);
    expect(await outcome).toEqual({ kind: 'redirected', url: `${redirectUri}#state=s&access_token=t` });
  });

  test('escapes what a refusal says, and runs no script but its own (docs/tokens.md T28)', async () => {
    const { redirectUri, outcome } = await listen({ message: '“<script>alert(1)</script>”.' });
    const answer = await fetch(`${redirectUri}?state=s&error=%3Cscript%3Ealert(1)%3C/script%3E`);
    const page = await answer.text();
    expect(page).not.toContain('<script>alert');
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toMatch(/default-src 'none'; script-src 'nonce-[\w-]{22}'/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toContain('unsafe');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    await outcome;
  });

  test('gives up after five minutes, and when it is canceled (docs/tokens.md T5)', async () => {
    const clock = createManualClock();
    const timed = await listen({ clock });
    clock.advance(300_000);
    expect(await timed.outcome).toEqual({ kind: 'timed-out' });
    const cancelled = await listen();
    cancelled.abort();
    expect(await cancelled.outcome).toEqual({ kind: 'closed' });
    await expect(fetch(cancelled.redirectUri)).rejects.toThrow('fetch failed');
  });

  test('uses the registered port if it is free, and another otherwise', async () => {
    const first = await listen();
    first.abort();
    await first.outcome;
    const registered = `http://127.0.0.1:${first.port}/callback`;
    const second = await listen({ redirectUri: registered });
    expect(second.redirectUri).toBe(registered);
    const third = await listen({ redirectUri: registered });
    expect(third.port).not.toBe(first.port);
  });

  test('takes both addresses of localhost, or a port that is free on both', async () => {
    const other = createServer().listen(0, '::1');
    onTestFinished(() => void other.close());
    await once(other, 'listening');
    const { port: taken } = other.address() as AddressInfo;
    const { port, redirectUri, outcome } = await listen({ redirectUri: `http://localhost:${taken}/callback` });
    expect(port).not.toBe(taken);
    const spare = connect(port, '127.0.0.1');
    await once(spare, 'connect');
    const { answer } = openRaw(
      port,
      `GET /callback?state=s&code=abc HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`,
      '::1',
    );
    expect(await answer).toMatch(/^HTTP\/1\.1 200/);
    expect(await outcome).toEqual({ kind: 'redirected', url: `${redirectUri}?state=s&code=abc` });
    await expect.poll(() => spare.closed).toBe(true);
    await expect(fetch(`http://[::1]:${port}/`)).rejects.toThrow('fetch failed');
  });
});

describe('a user with a separate browser', () => {
  // test/stories/keyboard-only.test.ts has a code.
  test('signs in by the implicit flow in a real Chromium, and the address bar is cleared (docs/tokens.md T20)', async () => {
    const service = await startRealService();
    const browser = await launchBrowser();
    onTestFinished(() => browser.close());
    const page = await browser.newPage();
    const openExternal = async (url: string) => {
      // Chromium follows the redirect itself; only the forms are filled in here.
      await page.goto(await answerDialog(url, service));
    };
    const { client } = await startAccess({ sandbox: service, person: { openExternal } });
    expect(await client.session.signIn({ way: 'implicit', window: 'browser' })).toMatchObject({ outcome: 'approved' });
    await page.getByText('Rainbell received the response').waitFor();
    expect(new URL(page.url()).search + new URL(page.url()).hash).toBe('');
    expect(await page.evaluate(() => performance.getEntriesByType('resource').length)).toBeLessThanOrEqual(2);
  });

  test('sees on the page that an answer with a wrong state was refused (docs/tokens.md T4)', async () => {
    const service = await startRealService();
    const shown = Promise.withResolvers<string>();
    const openExternal = async (url: string) => {
      const location = (await answerDialog(url, service)).replace(/state=[^&]+/, 'state=mine');
      shown.resolve(await (await fetch(location)).text());
    };
    const { client } = await startAccess({ sandbox: service, person: { openExternal } });
    expect(await client.session.signIn({ way: 'authorization_code' })).toMatchObject({ outcome: 'wrong_state' });
    expect(await shown.promise).toContain('does not belong to this sign-in');
  });
});
