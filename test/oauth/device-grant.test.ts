// The device authorization grant (RFC 8628) over real HTTP: the device's requests, and its user's pages.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as openid from 'openid-client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { deviceGrantType } from '#contract/service-api/oauth.ts';
import {
  ann,
  createVisitor,
  feedbackOf,
  register,
  startWebsite,
  type Visitor,
  type WebsiteService,
} from '../website/website-service.ts';
import { basic, postToken } from './oauth-service.ts';
import { registerApplication, type Registered } from './registered-application.ts';

type Codes = { device_code: string; user_code: string; verification_uri: string; interval: number };

async function post(
  service: WebsiteService,
  { clientId, clientSecret }: Registered,
  form: Record<string, string> = {},
) {
  const response = await fetch(`${service.baseUrl}/token/device/`, {
    method: 'POST',
    headers: clientSecret === '' ? {} : { authorization: basic(clientId, clientSecret) },
    body: new URLSearchParams({ ...(clientSecret === '' ? { client_id: clientId } : {}), ...form }),
  });
  return {
    status: response.status,
    headers: response.headers,
    json: (await response.json()) as Record<string, unknown>,
  };
}

async function begin(service: WebsiteService, application: Registered, form: Record<string, string> = {}) {
  const { status, json } = await post(service, application, form);
  expect(status).toBe(200);
  return json as unknown as Codes;
}

function poll(service: WebsiteService, { clientId, clientSecret }: Registered, deviceCode: string) {
  const form = { grant_type: deviceGrantType, device_code: deviceCode };
  if (clientSecret === '') return postToken(service, { ...form, client_id: clientId });
  return postToken(service, form, { authorization: basic(clientId, clientSecret) });
}

/** The user enters the code and answers. */
async function answer(visitor: Visitor, userCode: string, decision: 'approve' | 'deny') {
  const question = await visitor.send('/device/', { user_code: userCode });
  return visitor.submitOnly(question, '/device/', { decision });
}

async function start(wishes: Parameters<typeof registerApplication>[1] = {}) {
  const service = await startWebsite();
  const application = await registerApplication(service, wishes);
  const visitor = createVisitor(service.baseUrl);
  await register(visitor);
  return { service, application, visitor };
}

const probe = async ({ baseUrl }: WebsiteService, token: unknown) => {
  const response = await fetch(`${baseUrl}/v2/probe`, { headers: { authorization: `Bearer ${String(token)}` } });
  return { status: response.status, json: (await response.json()) as { access?: { kind: string; scope: string[] } } };
};

describe('a device', () => {
  test('gets tokens once its user has entered the code and allowed it, and only once', async () => {
    const { service, application, visitor } = await start();
    const codes = await begin(service, application, { scope: 'post_metag' });
    expect(codes).toMatchObject({
      device_code: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
      user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
      verification_uri: `${service.baseUrl}/device/`,
      verification_uri_complete: `${service.baseUrl}/device/?user_code=${codes.user_code}`,
      expires_in: 900,
      interval: 5,
    });
    const waiting = await poll(service, application, codes.device_code);
    expect([waiting.status, waiting.answer['error']]).toEqual([400, 'authorization_pending']);

    // As people type it.
    const question = await visitor.send('/device/', {
      user_code: ` ${codes.user_code.toLowerCase().replace('-', ' ')}`,
    });
    expect(question.text).toContain(codes.user_code);
    expect(question.text).toContain('Umbrella');
    expect(question.text).toContain('Post weather reports on your behalf');
    const done = await visitor.submitOnly(question, '/device/', { decision: 'approve' });
    expect(done.text).toContain('Device connected');

    const { status, answer: token } = await poll(service, application, codes.device_code);
    expect([status, token['token_type'], token['expires_in']]).toEqual([200, 'bearer', 3600]);
    expect((await probe(service, token['access_token'])).json.access).toMatchObject({
      kind: 'device_code',
      scope: ['post_metag'],
    });
    const refresh = { grant_type: 'refresh_token', refresh_token: String(token['refresh_token']) };
    const authorization = basic(application.clientId, application.clientSecret);
    expect((await postToken(service, refresh, { authorization })).status).toBe(200);
    const again = await poll(service, application, codes.device_code);
    expect([again.status, again.answer['error']]).toEqual([400, 'invalid_grant']);
    expect((await visitor.get('/account/')).text).toContain('Umbrella');
  });

  test('of several polls at once, one gets the tokens', async () => {
    const { service, application, visitor } = await start();
    const { device_code: code, user_code: userCode } = await begin(service, application);
    await answer(visitor, userCode, 'approve');
    const polls = await Promise.all(Array.from({ length: 5 }, () => poll(service, application, code)));
    expect(polls.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(polls.filter(({ answer: token }) => token['error'] === 'invalid_grant')).toHaveLength(4);
  });

  test('that is a public client sends its ID, and gets another refresh token each time', async () => {
    const { service, application, visitor } = await start({ isPublic: true });
    const { device_code: code, user_code: userCode } = await begin(service, application);
    await answer(visitor, userCode, 'approve');
    const { answer: token } = await poll(service, application, code);
    const form = { grant_type: 'refresh_token', refresh_token: String(token['refresh_token']) };
    const next = await postToken(service, { ...form, client_id: application.clientId });
    expect(next.answer['refresh_token']).not.toBe(token['refresh_token']);
  });

  test('learns that the user denied, that the code expired, or that it belongs to another client', async () => {
    const { service, application, visitor } = await start();
    const errorOf = async (code: string, by = application) => (await poll(service, by, code)).answer['error'];
    const denied = await begin(service, application);
    expect((await answer(visitor, denied.user_code, 'deny')).text).toContain('Access denied');
    const refusal = await poll(service, application, denied.device_code);
    expect([refusal.status, refusal.answer['error']]).toEqual([400, 'access_denied']);

    const other = await registerApplication(service, { name: 'Other' });
    const codes = await begin(service, application);
    expect(await errorOf(codes.device_code, other)).toBe('invalid_grant');
    expect(await errorOf('unknown')).toBe('invalid_grant');
    service.clock.advance(901);
    expect(await errorOf(codes.device_code)).toBe('expired_token');
    const late = await visitor.send('/device/', { user_code: codes.user_code });
    expect([late.status, feedbackOf(late)]).toEqual([422, ['data_problem']]);
  });

  test('that polls too fast has to wait 5 s longer each time', async () => {
    const { service, application } = await start();
    const { device_code: code } = await begin(service, application);
    const error = async (seconds: number) => {
      service.clock.advance(seconds);
      return (await poll(service, application, code)).answer['error'];
    };
    expect(await error(0)).toBe('authorization_pending');
    expect(await error(5)).toBe('authorization_pending');
    expect(await error(3)).toBe('slow_down');
    expect(await error(5)).toBe('slow_down');
    expect(await error(15)).toBe('authorization_pending');
    // A clock that is set back locks no one out.
    service.clock.jump(-3_600);
    expect(await error(0)).toBe('authorization_pending');
  });

  test('gets nothing if the permission was withdrawn before its request', async () => {
    const { service, application, visitor } = await start();
    const { device_code: code, user_code: userCode } = await begin(service, application);
    await answer(visitor, userCode, 'approve');
    await visitor.send('/account/', {}, `/account/permissions/${application.id}/withdraw/`);
    expect((await poll(service, application, code)).answer['error']).toBe('invalid_grant');
  });

  test('is refused with a wrong secret, an unknown scope, or after too many requests from its address', async () => {
    const { service, application } = await start();
    expect(await post(service, { ...application, clientSecret: 'wrong' })).toMatchObject({ status: 401 });
    expect((await post(service, application, { scope: 'everything' })).json['error']).toBe('invalid_scope');
    const statuses = [];
    for (let count = 0; count < 61; count += 1) statuses.push((await post(service, application)).status);
    expect(statuses.slice(59)).toEqual([200, 429]);
    expect((await post(service, application)).headers.get('retry-after')).toMatch(/^\d+$/);
  });

  test('leaves no code in clear at rest', async () => {
    const { service, application } = await start();
    const codes = await begin(service, application);
    const files = await readdir(service.folder);
    const texts = await Promise.all(files.map((file) => readFile(join(service.folder, file), 'latin1')));
    const all = [...texts, ...service.lines].join('\n');
    expect(all).toContain(application.clientId);
    const shown = [codes.device_code, codes.user_code, codes.user_code.replace('-', '')];
    expect(shown.filter((code) => all.includes(code))).toEqual([]);
  });

  test('that runs openid-client signs in by the metadata', async () => {
    const { service, application, visitor } = await start();
    const { clientId, clientSecret } = application;
    const config = await openid.discovery(new URL(service.baseUrl), clientId, clientSecret, undefined, {
      algorithm: 'oauth2',
      execute: [openid.allowInsecureRequests],
    });
    const codes = await openid.initiateDeviceAuthorization(config, { scope: 'post_metag' });
    await answer(visitor, codes.user_code, 'approve');
    // The library waits for the interval first.
    const token = await openid.pollDeviceAuthorizationGrant(config, { ...codes, interval: 0 });
    expect((await probe(service, token.access_token)).status).toBe(200);
  });
});

describe('the page', () => {
  test('asks to sign in first, and keeps the code of the link', async () => {
    const service = await startWebsite();
    const application = await registerApplication(service);
    await service.oauth.accounts.create(ann);
    const { user_code: code } = await begin(service, application);
    const visitor = createVisitor(service.baseUrl);
    const page = await visitor.get(`/device/?user_code=${code}`);
    expect(page.text).toContain('<h1>Sign in</h1>');
    const entered = await visitor.send(
      `/sign-in/?to=${encodeURIComponent(`/device/?user_code=${code}`)}`,
      ann,
      '/sign-in/',
    );
    expect(entered.text).toContain(`value="${code}"`);
  });

  test('finds no code that was answered, and none can be guessed', async () => {
    // Windows are of the machine's time.
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const { service, application, visitor } = await start();
    const { user_code: code } = await begin(service, application);
    await answer(visitor, code, 'approve');
    const again = await visitor.send('/device/', { user_code: code });
    expect([again.status, feedbackOf(again)]).toEqual([422, ['data_problem']]);
    expect(again.text).toContain('This code is incorrect, has already been used, or has expired.');
    const next = await begin(service, application);
    for (let guess = 1; guess < 20; guess += 1) await visitor.send('/device/', { user_code: 'BBBB-BBBB' });
    // Also the right one, or guessing would only need patience.
    const limited = await visitor.send('/device/', { user_code: next.user_code });
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    vi.setSystemTime(Date.now() + 600_000);
    expect((await visitor.send('/device/', { user_code: next.user_code })).text).toContain('Umbrella');
  });

  test('accepts no answer from another site', async () => {
    const { service, application, visitor } = await start();
    const { device_code: code, user_code: userCode } = await begin(service, application);
    const question = await visitor.send('/device/', { user_code: userCode });
    const forged = await visitor.submitOnly(question, '/device/', { decision: 'approve', csrf: 'forged' });
    expect(forged.status).toBe(403);
    expect((await poll(service, application, code)).answer['error']).toBe('authorization_pending');
  });
});
