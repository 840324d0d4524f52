// The texts that the service seals and signs: refresh tokens, and authorization requests.
import { createCipheriv, createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { jumpMs } from '#shared/time/clock.ts';
import { signatureOf } from '#service/secrets/stored-keys.ts';
import { createPendingRequests } from '#service/oauth/pending-request.ts';
import { openRefreshToken, refreshTokenKey, sealRefreshToken } from '#service/oauth/sealed-refresh-token.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

describe('a sealed refresh token', () => {
  const signingKey = Buffer.alloc(32, 7);
  const key = refreshTokenKey(signingKey);
  const content = { grantId: 'grant', family: 'family', expiresAt: 1_790_000_000_000 };

  /** As earlier versions wrote them: IV of 12 bytes, tag of 16, text, all in base64url after "cc.". */
  function sealedText(text: string): string {
    const own = createSecretKey(
      createHmac('sha256', signingKey).update('refresh token of client credentials').digest(),
    );
    const iv = randomBytes(12);
    const cipher = createCipheriv('aes-256-gcm', own, iv);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `cc.${Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')}`;
  }

  test('is opened with the same key only, and each has another text', () => {
    const [one, other] = [sealRefreshToken(key, content), sealRefreshToken(key, content)];
    expect(one).not.toBe(other);
    // Base64url of 12 + 16 bytes, and of the JSON text, without padding.
    const bytes = 28 + JSON.stringify(['grant', 'family', 1_790_000_000_000]).length;
    expect(one).toMatch(new RegExp(`^cc\\.[\\w-]{${Math.ceil((bytes * 4) / 3)}}$`));
    expect(openRefreshToken(key, one)).toEqual(content);
    expect(openRefreshToken(refreshTokenKey(Buffer.alloc(32, 8)), one)).toBeUndefined();
    expect(one).not.toContain('grant');
  });

  test('of earlier versions is opened', () => {
    expect(openRefreshToken(key, sealedText('["grant","family",1790000000000]'))).toEqual(content);
  });

  test('with a changed byte, cut short, or with another prefix is refused', () => {
    const token = sealRefreshToken(key, content);
    const bytes = Buffer.from(token.slice(3), 'base64url');
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes);
      changed[index]! ^= 1;
      for (const wrong of [changed, bytes.subarray(0, index)]) {
        expect(openRefreshToken(key, `cc.${wrong.toString('base64url')}`)).toBeUndefined();
      }
    }
    for (const wrong of [
      token.slice(3),
      `dd.${token.slice(3)}`,
      sealedText('x'),
      sealedText('["grant","family","never"]'),
    ]) {
      expect(openRefreshToken(key, wrong)).toBeUndefined();
    }
  });
});

describe('a pending authorization request', () => {
  const key = Buffer.alloc(32, 1);
  const halfHourMs = 1_800_000;

  function start() {
    const clock = createManualClock();
    return { clock, requests: createPendingRequests({ key, clock }) };
  }

  test('is read for half an hour by its session, with a new ID each time', () => {
    const { clock, requests } = start();
    const began = clock.now();
    const token = requests.issue('client_id=a&state=é', 'session');
    const expected = {
      id: expect.stringMatching(/^[A-Za-z0-9]{20}$/),
      expiresAt: began + halfHourMs,
      query: 'client_id=a&state=é',
    };
    expect(requests.read(token, 'session')).toEqual(expected);
    expect(requests.read(token, 'other')).toBeUndefined();
    expect(requests.read(requests.issue('q', 's'), 's')?.id).not.toBe(requests.read(token, 'session')?.id);
    clock.advance(halfHourMs - 1);
    expect(requests.read(token, 'session')).toEqual(expected);
    clock.advance(1);
    expect(requests.read(token, 'session')).toBeUndefined();
  });

  test('is refused if it was issued further in the future than a clock may jump unnoticed', () => {
    const { clock, requests } = start();
    const token = requests.issue('q', 's');
    clock.jump(-jumpMs);
    expect(requests.read(token, 's')).toMatchObject({ query: 'q' });
    clock.jump(-1);
    expect(requests.read(token, 's')).toBeUndefined();
  });

  test('is refused with a changed signature, text, or session, and if it is not a token', () => {
    const { requests } = start();
    const token = requests.issue('q', 's');
    const [payload = '', signature = ''] = token.split('.');
    const other = requests.issue('p', 's');
    for (const wrong of ['', '.', payload, `${payload}.`, `.${signature}`, `${other.split('.')[0]}.${signature}`]) {
      expect(requests.read(wrong, 's')).toBeUndefined();
    }
    // A signature for something else does not open it either.
    const forged = `${payload}.${signatureOf(key, 'session', `s\n${payload}`)}`;
    expect(requests.read(forged, 's')).toBeUndefined();
    // The session and the text are told apart.
    const shifted = `${payload.slice(1)}.${signature}`;
    expect(requests.read(shifted, `s\n${payload.slice(0, 1)}`)).toBeUndefined();
  });
});
