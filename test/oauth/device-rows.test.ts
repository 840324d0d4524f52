// The rows that device sign-ins leave, and how they are found, answered, and refused, to the millisecond.
import { expect, onTestFinished, test, vi } from 'vitest';
import { createDeviceRequests } from '#service/oauth/device-requests.ts';
import { anyId, sha256, startWithRows } from './stored-rows.ts';

test('a device sign-in is stored as hashes for 15 minutes', async () => {
  const { rows, oauth, application, now } = await startWithRows();
  const codes = await oauth.deviceRequests.begin(application.id, ['post_metag'], '192.0.2.1');
  expect(codes).toEqual({
    device_code: expect.stringMatching(/^[A-Za-z0-9]{43}$/),
    user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
    expires_in: 900,
    interval: 5,
  });
  expect(await rows('device_requests')).toEqual([
    {
      hash: sha256(codes.device_code),
      user_code_hash: sha256(codes.user_code.replace('-', '')),
      application_id: application.id,
      scope: 'post_metag',
      expires_at: now + 900_000,
      interval_seconds: 5,
      polled_at: null,
      grant_id: null,
      is_denied: 0,
    },
  ]);
  expect(await oauth.deviceRequests.find(` ${codes.user_code.toLowerCase()}.`)).toEqual({
    hash: sha256(codes.device_code),
    userCode: codes.user_code,
    applicationId: application.id,
    clientId: application.clientId,
    scope: ['post_metag'],
  });
});

test('a device code is found and answered once, until it expires', async () => {
  const { rows, oauth, application, clock, now } = await startWithRows();
  const { deviceRequests, accounts } = oauth;
  const account = await accounts.find(application.accountId);
  const begin = async () => {
    const codes = await deviceRequests.begin(application.id, [], '192.0.2.1');
    const device = await deviceRequests.find(codes.user_code);
    return { codes, device: device! };
  };
  const [allowed, denied, late] = [await begin(), await begin(), await begin()];
  expect(await deviceRequests.find(allowed.codes.user_code.slice(0, -1))).toBeUndefined();
  expect(await deviceRequests.find(`${allowed.codes.user_code}B`)).toBeUndefined();
  expect(await deviceRequests.answer(allowed.device, account ?? null)).toBe(true);
  expect(await deviceRequests.answer(denied.device, null)).toBe(true);
  const grant = {
    id: anyId,
    application_id: application.id,
    account_id: application.accountId,
    kind: 'device_code',
    scope: '',
    created_at: now,
    revoked_at: null,
  };
  expect(await rows('grants')).toEqual([grant]);
  const stored = (hash: string, is_denied: number, grant_id: unknown) =>
    expect.objectContaining({ hash, is_denied, grant_id });
  expect(await rows('device_requests')).toEqual(
    expect.arrayContaining([
      stored(allowed.device.hash, 0, anyId),
      stored(denied.device.hash, 1, null),
      stored(late.device.hash, 0, null),
    ]),
  );
  for (const { codes, device } of [allowed, denied]) {
    expect(await deviceRequests.find(codes.user_code)).toBeUndefined();
    for (const answer of [account ?? null, null]) expect(await deviceRequests.answer(device, answer)).toBe(false);
  }
  clock.advance(899.999);
  expect(await deviceRequests.find(late.codes.user_code)).toEqual(late.device);
  clock.advance(0.001);
  expect(await deviceRequests.find(late.codes.user_code)).toBeUndefined();
  expect(await deviceRequests.answer(late.device, null)).toBe(false);
  expect(await rows('grants')).toEqual([grant]);
});

test('the refusals of a device code are those of RFC 8628 section 3.5', async () => {
  const { rows, oauth, application, clock, now } = await startWithRows();
  const { deviceRequests, accounts } = oauth;
  const account = await accounts.find(application.accountId);
  const begin = () => deviceRequests.begin(application.id, [], '192.0.2.1');
  const redeem = (code: string, applicationId = application.id) =>
    deviceRequests
      .redeem(code, applicationId, async (_own, grant) => grant)
      .catch(({ status, code: name, message }: { status: number; code: string; message: string }) => [
        status,
        name,
        message,
      ]);
  const bad = [
    400,
    'invalid_grant',
    'The device_code is unknown, used, or revoked, or belongs to another application; start the sign-in again.',
  ];
  const [waiting, denied, allowed] = [await begin(), await begin(), await begin()];
  expect(await redeem('unknown')).toEqual(bad);
  expect(await redeem(waiting.device_code, 'another application')).toEqual(bad);
  await deviceRequests.answer((await deviceRequests.find(denied.user_code))!, null);
  expect(await redeem(denied.device_code)).toEqual([400, 'access_denied', 'The user denied access.']);
  await deviceRequests.answer((await deviceRequests.find(allowed.user_code))!, account ?? null);
  expect(await redeem(allowed.device_code)).toMatchObject({ kind: 'device_code', revoked_at: null });
  expect(await redeem(allowed.device_code)).toEqual(bad);
  expect(await rows('device_requests')).toHaveLength(2);

  const pending = [400, 'authorization_pending', 'The user has not decided yet; poll again later.'];
  const slow = (seconds: number) => [400, 'slow_down', `Wait at least ${seconds} s between requests.`];
  const polled = () =>
    rows('device_requests').then(
      (all) => all.find((row) => (row as { hash: string }).hash === sha256(waiting.device_code)) as object,
    );
  // After so many seconds, this answer. The interval is 5 s at first, with a second of tolerance, and never above a minute.
  const polls = [
    [0, pending, 5],
    [4, pending, 5],
    [3.999, slow(10), 10],
    [9, pending, 10],
    [0, slow(15), 15],
    [0, slow(20), 20],
    [18.999, slow(25), 25],
    [24, pending, 25],
    ...[30, 35, 40, 45, 50, 55, 60, 60].map((seconds) => [0, slow(seconds), seconds] as const),
  ] as const;
  for (const [seconds, refusal, interval] of polls) {
    clock.advance(seconds);
    expect(await redeem(waiting.device_code)).toEqual(refusal);
    expect(await polled()).toMatchObject({ polled_at: clock.now(), interval_seconds: interval });
  }
  clock.advance((now + 900_000 - 1 - clock.now()) / 1000);
  expect(await redeem(waiting.device_code)).toEqual(pending);
  clock.advance(0.001);
  expect(await redeem(waiting.device_code)).toEqual([
    400,
    'expired_token',
    'The device_code has expired; start the sign-in again.',
  ]);
});

test('an address may begin 60 device sign-ins in ten minutes', async () => {
  // Windows are of the machine's time.
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { db, clock, oauth, application } = await startWithRows();
  const requests = createDeviceRequests({ db, clock, tokens: oauth.tokens });
  for (let count = 0; count < 60; count += 1) await requests.begin(application.id, [], '192.0.2.1');
  const refusal = { code: 'rate_limited', status: 429 };
  await expect(requests.begin(application.id, [], '192.0.2.1')).rejects.toMatchObject(refusal);
  await requests.begin(application.id, [], '192.0.2.2');
  vi.setSystemTime(Date.now() + 600_000);
  await requests.begin(application.id, [], '192.0.2.1');
});
