// Sign-in by a device code (RFC 8628) in the app: with our own service, and with services that answer oddly.
import express from 'express';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { deviceGrantType } from '#contract/service-api/oauth.ts';
import { createVisitor } from '#test/website/website-service.ts';
import { createManualClock } from '../manual-clock.ts';
import { fieldsFor, startAccess, startRealService, useOwn as connectOwn } from './access-harness.ts';

async function start() {
  const clock = createManualClock(Date.now());
  const service = await startRealService();
  const app = await startAccess({ sandbox: service, clock });
  const signingIn = app.client.session.signIn({ way: 'device_code', scope: 'post_metag' });
  await expect
    .poll(async () => (await app.client.session.state()).open)
    .toMatchObject({
      way: 'device_code',
      address: `${service.baseUrl}/device/`,
      userCode: expect.stringMatching(/^[A-Z]{4}-[A-Z]{4}$/),
    });
  const { userCode } = (await app.client.session.state()).open ?? {};
  const visitor = createVisitor(service.baseUrl);
  await visitor.send('/sign-in/', { username: service.username, password: service.password });
  const answer = async (decision: 'approve' | 'deny') => {
    const question = await visitor.send('/device/', { user_code: userCode ?? '' });
    await visitor.submitOnly(question, '/device/', { decision });
  };
  return { app, clock, signingIn, answer };
}

describe('with our service', () => {
  test('a code that its user allows brings a user token, which refreshes', async () => {
    const { app, clock, signingIn, answer } = await start();
    await answer('approve');
    clock.advance(5_000);
    expect(await signingIn).toMatchObject({
      outcome: 'approved',
      token: { owner: 'user', grant: 'device_code', refreshable: true },
    });
    const { open } = await app.client.session.state();
    expect(open).toBeNull();
    await app.client.session.refresh({ owner: 'user' });
    const [, flow] = await app.client.session.flows();
    expect(flow).toMatchObject({ way: 'device_code', outcome: 'approved' });
    const { token } = await app.client.session.reveal({ owner: 'user', what: 'access_token' });
    expect(JSON.stringify(await app.client.session.flows())).not.toContain(token);
  });

  test('“no” gives one result with a message', async () => {
    const { clock, signingIn, answer } = await start();
    await answer('deny');
    clock.advance(5_000);
    expect(await signingIn).toMatchObject({ outcome: 'denied' });
  });

  test('a code that no one enters expires', async () => {
    const { clock, signingIn } = await start();
    const results: string[] = [];
    void signingIn.then(({ outcome }) => results.push(outcome));
    await expect
      .poll(() => {
        clock.advance(900_000);
        return results;
      })
      .toEqual(['timed_out']);
  });

  test('is canceled at once', async () => {
    const { app, signingIn } = await start();
    await app.client.session.cancelSignIn();
    expect(await signingIn).toMatchObject({ outcome: 'closed' });
  });
});

/** A service that answers polls from a script, and records their times. */
async function startScripted(metadata: (baseUrl: string) => object, answers: readonly [number, object][] = []) {
  const clock = createManualClock();
  const polls: number[] = [];
  const begun: string[] = [];
  const service = express();
  service.use(express.urlencoded({ extended: false }));
  service.get('/.well-known/openid-configuration', (_request, response) => void response.json(metadata(baseUrl)));
  service.post('/device', (request, response) => {
    begun.push(String(request.headers.authorization));
    // Google's name for the page, and a text for a number.
    response.json({
      device_code: 'the device code',
      user_code: 'ABC-123',
      verification_url: `${baseUrl}/go`,
      expires_in: '1800',
      interval: 5,
    });
  });
  service.post('/token/', (request, response) => {
    // The app also asks for the application token, and first in a type that is not parsed here.
    const { grant_type: grantType } = (request.body ?? {}) as { grant_type?: string };
    if (grantType === undefined) return void response.status(415).end();
    if (grantType !== deviceGrantType) return void response.status(400).json({ error: 'unauthorized_client' });
    polls.push(clock.elapsed() / 1000);
    const [status, body] = answers[polls.length - 1] ?? [400, { error: 'expired_token' }];
    response.status(status).json(body);
  });
  const server = createServer(service);
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const sandbox = await startRealService();
  const app = await startAccess({ sandbox, clock });
  await connectOwn(app, fieldsFor(sandbox, { baseUrl, authUrl: baseUrl, clientId: 'box' }), 'secret of the box');
  return { app, clock, polls, begun, baseUrl };
}

const offer = (baseUrl: string) => ({ issuer: baseUrl, device_authorization_endpoint: `${baseUrl}/device` });

describe('elsewhere', () => {
  test('keeps the service’s pace: slower on request, and after failures', async () => {
    const { app, clock, polls, begun } = await startScripted(offer, [
      [400, { error: 'authorization_pending' }],
      [400, { error: 'slow_down' }],
      [400, { error: 'authorization_pending' }],
      [503, {}],
      [400, { error: 'authorization_pending' }],
      [200, { access_token: 'at-last', token_type: 'Bearer', expires_in: 60 }],
    ]);
    const results: unknown[] = [];
    void app.client.session.signIn({ way: 'device_code' }).then((result) => results.push(result));
    await expect.poll(async () => (await app.client.session.state()).open?.userCode).toBe('ABC-123');
    await expect
      .poll(() => {
        clock.advance(1_000);
        return results;
      })
      .toMatchObject([{ outcome: 'approved' }]);
    const waits = polls.map((at, index) => at - (polls[index - 1] ?? 0));
    // Before each: 5 s, 5 s, after slow_down 10 s, 10 s, after a failure 20 s, 20 s; and what the exchange took.
    const least = [5, 5, 10, 10, 20, 20];
    expect(waits.map((wait, index) => wait >= (least[index] ?? 0))).toEqual(least.map(() => true));
    expect(waits).toHaveLength(6);
    expect(begun).toEqual([`Basic ${Buffer.from('box:secret+of+the+box').toString('base64')}`]);
    expect(JSON.stringify(await app.client.session.flows())).not.toContain('the device code');
  });

  test.each([
    ['without metadata', () => ({})],
    ['whose endpoint is elsewhere', () => ({ device_authorization_endpoint: 'https://elsewhere.example/device' })],
  ])('a service %s is reported as not offering it', async (_name, metadata) => {
    const { app, begun } = await startScripted(metadata);
    expect(await app.client.session.signIn({ way: 'device_code' })).toMatchObject({
      outcome: 'refused',
      error: 'unsupported_grant_type',
      message: expect.stringContaining('does not offer sign-in with a device code'),
    });
    expect(begun).toEqual([]);
  });
});
