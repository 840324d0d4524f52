// Every sender's rule against requests whose signatures were computed elsewhere, and the traps of such rules.
import { createHmac } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { diagnoseSender } from '#core/senders/diagnose-sender.ts';
import { readSenderRequest, type SenderRequest } from '#core/senders/sender-request.ts';
import { senderOf, senderRows } from '#core/senders/sender-rows.ts';
import type { SenderProfile } from '#core/senders/sender-profile.ts';
import { recognizeSender, verifySender } from '#core/senders/verify-sender.ts';
import { clockOf, invalidVectors, requestOf, type Vector, vectors } from './sender-vectors.ts';

const rowOf = (id: string): SenderProfile => {
  const row = senderOf(id);
  if (!row) throw new Error(`no row ${id}`);
  return row;
};
const vectorOf = (sender: string, scheme?: string): Vector => {
  const found = vectors.find((one) => one.sender === sender && (scheme === undefined || one.scheme === scheme));
  if (!found) throw new Error(`no vector of ${sender}`);
  return found;
};
const verify = (sender: string, request: SenderRequest, secrets: string[], receivedAt = 1_760_000_000_000) =>
  verifySender(rowOf(sender), request, { secrets, receivedAt });
const external = ['paypal', 'aws-sns', 'plaid'];

test.each(vectors.map((vector) => [`${vector.sender} ${vector.scheme}`, vector] as const))(
  'recognizes and verifies %s',
  (_, vector) => {
    const request = requestOf(vector);
    expect(recognizeSender(senderRows, readSenderRequest(request))?.id).toBe(vector.sender);
    const { state } = verify(vector.sender, request, [vector.secret], clockOf(vector));
    expect(state).toBe(external.includes(vector.sender) ? 'unchecked' : 'verified');
  },
);

test('verifies at least 38 senders', () => {
  const verified = new Set(vectors.map(({ sender }) => sender).filter((sender) => !external.includes(sender)));
  expect(verified.size).toBeGreaterThanOrEqual(38);
  expect(senderRows.filter(({ schemes, id }) => schemes.length > 0 && !verified.has(id)).map(({ id }) => id)).toEqual(
    external,
  );
});

test.each(
  vectors
    .filter(({ sender }) => !external.includes(sender))
    .map((vector) => [`${vector.sender} ${vector.scheme}`, vector] as const),
)('does not verify %s with another secret, a changed signature, or without one', (_, vector) => {
  const request = requestOf(vector);
  const state = (changed: SenderRequest, secrets: string[]) =>
    verify(vector.sender, changed, secrets, clockOf(vector)).state;
  expect(state(request, [`${vector.secret}x`])).not.toBe('verified');
  expect(state(request, [])).toBe('no-secret');
  const flipped = (text: string) =>
    text.replaceAll(/[A-Za-z0-9+/_-]{18,}={0,2}/g, (one) => `${one.startsWith('0') ? '1' : '0'}${one.slice(1)}`);
  const headers = request.headers.map(([name, value]): [string, string] => [name, flipped(value)]);
  const forged = { ...request, headers, body: Buffer.from(flipped(request.body.toString())) };
  expect(state(forged, [vector.secret])).not.toBe('verified');
  expect(state({ ...request, headers: [], body: Buffer.from('{}') }, [vector.secret])).not.toBe('verified');
});

describe('a request with one fault', () => {
  /** What the doctor proves, or the only thing that it can say. */
  const expected: Record<string, readonly string[]> = {
    'body re-serialised by JSON.stringify(JSON.parse())': ['json-escapes'],
    'body pretty-printed with 2 spaces, tokens kept': ['json-reserialized'],
    'body parsed and re-written in JavaScript (big integer changed)': [],
    'body compacted (sender used a space after the colon)': ['json-reserialized'],
    'secret used without base64 decoding by the tester: secret given as decoded text': ['secret-hex'],
    'secret of another endpoint': [],
    'secret has a trailing newline': ['secret-trimmed'],
    'timestamp 1 h outside tolerance, signature itself correct': [],
    'timestamp header replaced (milliseconds)': ['milliseconds'],
    'trailing slash added to the notification URL': ['url-changed'],
    'URL has a query string that the sender did not sign': ['url-changed'],
    'final CRLF stripped': ['newline-removed'],
    '\\u escapes decoded to UTF-8': ['json-escapes'],
    'checked as if the form body were signed (GitHub rule)': ['other-sender'],
    'signature of another key (Discord sends such probes on purpose): must answer 401': [],
  };

  test.each(invalidVectors.filter(({ valid }) => !valid).map((vector) => [vector.cause ?? '', vector] as const))(
    '%s',
    (cause, vector) => {
      const request = requestOf(vector);
      const { state } = verify(vector.sender, request, [vector.secret], clockOf(vector));
      expect(['invalid', 'stale']).toContain(state);
      const { fits } = readSenderRequest(request);
      const others = senderRows.filter(({ match }) => fits(match));
      const found = diagnoseSender(
        rowOf(vector.sender),
        request,
        [{ secret: vector.secret, origin: 'current' }],
        others,
      );
      expect(found.causes).toEqual(expected[cause]);
      expect(found.verifies).toBe((expected[cause] ?? []).length > 0 || state === 'stale');
    },
  );

  test('a big integer is a guess, a body that is not signed is valid', () => {
    const [rounded] = invalidVectors.filter(({ cause }) => cause?.includes('big integer'));
    const found =
      rounded && diagnoseSender(rowOf('shopify'), requestOf(rounded), [{ secret: rounded.secret, origin: 'current' }]);
    expect(found?.guesses).toEqual([expect.stringContaining('2^53')]);
    const [mailgun] = invalidVectors.filter(({ valid }) => valid);
    expect(mailgun && verify('mailgun', requestOf(mailgun), [mailgun.secret])).toMatchObject({
      state: 'verified',
      proven: 'timestamp and token, not the body',
    });
  });

  test('the right secret among others is named by its place', () => {
    const stripe = vectorOf('stripe');
    expect(verify('stripe', requestOf(stripe), ['whsec_live', stripe.secret])).toMatchObject({ secretIndex: 1 });
    const wrong = [
      { secret: 'whsec_live', origin: 'current' },
      { secret: stripe.secret, origin: 'other-endpoint' },
    ] as const;
    expect(diagnoseSender(rowOf('stripe'), requestOf(stripe), wrong).causes).toEqual(['other-endpoint']);
  });
});

describe('one fault in any sender’s request', () => {
  type Fault = (request: SenderRequest, secret: string) => [SenderRequest, string] | undefined;
  const signature = /[A-Za-z0-9+/_-]{27,}={0,2}/g;
  const isDigits = (text: string) => /^[0-9a-f]+$/i.test(text);
  const withSignature =
    (change: (text: string) => string): Fault =>
    (request, secret) => {
      const isSignature = (name: string) => /sign|mac|trello/i.test(name) && !/timestamp|version|settings/i.test(name);
      const headers = request.headers.map(([name, value]): [string, string] => [
        name,
        isSignature(name) ? value.replaceAll(signature, change) : value,
      ]);
      return headers.join() === request.headers.join() ? undefined : [{ ...request, headers }, secret];
    };
  const faults: [string, Fault][] = [
    ['a line break after the secret', (request, secret) => [request, `${secret}\n`]],
    ['quotes around the secret', (request, secret) => [request, `"${secret}"`]],
    [
      'a line break after the body',
      (request, secret) => [{ ...request, body: Buffer.concat([request.body, Buffer.from('\n')]) }, secret],
    ],
    ['http for https', (request, secret) => [{ ...request, url: request.url.replace('https:', 'http:') }, secret]],
    ['a slash after the URL', (request, secret) => [{ ...request, url: request.url.replace(/[?#]|$/, '/$&') }, secret]],
    [
      'base64 for digits, or the reverse',
      withSignature((text) =>
        isDigits(text) ? Buffer.from(text, 'hex').toString('base64') : Buffer.from(text, 'base64').toString('hex'),
      ),
    ],
    ['quotes around the signature', withSignature((text) => `"${text}"`)],
  ];

  test.each(faults)('%s is harmless or named', (_, fault) => {
    const open: string[] = [];
    for (const vector of vectors.filter(({ sender }) => !external.includes(sender))) {
      const [request, secret] = fault(requestOf(vector), vector.secret) ?? [requestOf(vector), vector.secret];
      if (verify(vector.sender, request, [secret], clockOf(vector)).state === 'verified') continue;
      const { causes } = diagnoseSender(rowOf(vector.sender), request, [{ secret, origin: 'current' }]);
      if (causes.length === 0) open.push(`${vector.sender} ${vector.scheme}`);
    }
    // Its right signature is in a second header.
    expect(open.filter((name) => name !== 'docusign second key')).toEqual([]);
  });

  test.each([
    ['half of the signature', withSignature((text) => text.slice(0, text.length >> 1))],
    ['zeros', withSignature((text) => '0'.repeat(text.length))],
    ['a cut signature', withSignature((text) => text.slice(0, -4))],
    ['lower case for upper case', withSignature((text) => (isDigits(text) ? `${text}0` : text.toLowerCase()))],
  ] satisfies [string, Fault][])('%s is never right, and no cause is named', (_, fault) => {
    for (const vector of vectors.filter(({ sender }) => !external.includes(sender))) {
      const [request] = fault(requestOf(vector), vector.secret) ?? [];
      if (!request) continue;
      expect(verify(vector.sender, request, [vector.secret], clockOf(vector)).state).not.toBe('verified');
      const { secret } = vector;
      expect(diagnoseSender(rowOf(vector.sender), request, [{ secret, origin: 'current' }]).verifies).toBe(false);
    }
  });
});

test.each([
  ['stripe', 'body and time'],
  ['github', 'body'],
  ['square', 'URL and body'],
  ['telegram', 'token only'],
  ['adyen', '8 fields of each item'],
])('says that %s signs: %s', (sender, proven) => {
  const vector = vectorOf(sender);
  expect(verify(sender, requestOf(vector), [vector.secret], clockOf(vector))).toMatchObject({ proven });
});

describe('no item, no fallback, strict decoding', () => {
  const secret = 'synthetic-test-secret-not-real-0001';
  const changed = (vector: Vector, headers: Record<string, string>, body = vector.body) =>
    requestOf({ ...vector, headers: { ...vector.headers, ...headers }, body });

  test.each(['adyen', 'microsoft-graph'])('zero items of %s are not valid', (sender) => {
    const { secret: key, ...vector } = vectorOf(sender);
    for (const body of ['{"notificationItems":[],"value":[]}', '{}', '', '[]']) {
      expect(verify(sender, requestOf({ ...vector, body }), [key]).state).toBe('unsigned');
    }
  });

  test('a wrong header of Adyen is not rescued by its items, nor one wrong item by others', () => {
    const adyen = vectorOf('adyen', 'items');
    expect(
      verify('adyen', changed(adyen, { hmacsignature: Buffer.alloc(32).toString('base64') }), [adyen.secret]).state,
    ).toBe('invalid');
    const second = adyen.body.replace('"pspReference":"8"', '"pspReference":"9"');
    expect(verify('adyen', changed(adyen, {}, second), [adyen.secret]).state).toBe('invalid');
    const unsigned = adyen.body.replace(/,"additionalData":\{[^}]*\}\}\}\]/, '}}]');
    expect(unsigned).not.toBe(adyen.body);
    expect(verify('adyen', changed(adyen, {}, unsigned), [adyen.secret]).state).toBe('unsigned');
  });

  test('a right token does not rescue a wrong signature of GitLab', () => {
    const signing = vectorOf('gitlab', 'signing');
    const wrong = changed(signing, {
      'x-gitlab-token': secret,
      'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
    });
    for (const secrets of [[secret], [signing.secret], [signing.secret, secret]])
      expect(verify('gitlab', wrong, secrets).state).not.toBe('verified');
  });

  test.each([
    ['forgejo', 'x-forgejo-signature', '0'.repeat(64)],
    ['gitea', 'x-gitea-signature', '0'.repeat(64)],
    ['github', 'x-hub-signature-256', `sha256=${'0'.repeat(64)}`],
    ['github', 'x-hub-signature-256', 'sha1=00'],
    ['github', 'x-hub-signature-256', ''],
    ['meta', 'x-hub-signature-256', `sha256=${'0'.repeat(64)}`],
    ['hubspot', 'x-hubspot-signature-v3', Buffer.alloc(32).toString('base64')],
  ])('other headers of %s do not rescue a wrong %s', (sender, name, value) => {
    const vector =
      sender === 'github'
        ? vectors.find(
            ({ headers }) =>
              'x-hub-signature' in headers && headers['x-github-event'] === 'ping' && !('x-gitea-event' in headers),
          )
        : vectorOf(sender);
    if (!vector) throw new Error('no vector');
    expect(verify(sender, requestOf(vector), [vector.secret]).state).toBe('verified');
    expect(verify(sender, changed(vector, { [name]: value }), [vector.secret]).state).not.toBe('verified');
  });

  test.each([
    ['a quote behind it', (hex: string) => `${hex}"`],
    ['a line end behind it', (hex: string) => `${hex}\n`],
    ['a bad digit', (hex: string) => `${hex.slice(0, 32)}zz${hex.slice(34)}`],
    ['half of it', (hex: string) => hex.slice(0, 32)],
    ['more than it', (hex: string) => `${hex}00`],
  ])('hexadecimal digits with %s are not valid', (_, change) => {
    const dropbox = vectorOf('dropbox');
    const right = dropbox.headers['x-dropbox-signature'] ?? '';
    expect(verify('dropbox', changed(dropbox, { 'x-dropbox-signature': change(right) }), [dropbox.secret]).state).toBe(
      'invalid',
    );
    expect(
      verify('dropbox', changed(dropbox, { 'x-dropbox-signature': right.toUpperCase() }), [dropbox.secret]).state,
    ).toBe('verified');
  });

  test('base64 may lack its padding, and nothing else', () => {
    const shopify = vectorOf('shopify');
    const right = shopify.headers['x-shopify-hmac-sha256'] ?? '';
    const state = (value: string) =>
      verify('shopify', changed(shopify, { 'x-shopify-hmac-sha256': value }), [shopify.secret]).state;
    expect(state(right.replace(/=+$/, ''))).toBe('verified');
    expect([`${right}"`, ` ${right}`, right.slice(0, 20), `${right}AAAA`].map(state)).toEqual(
      Array.from({ length: 4 }, () => 'invalid'),
    );
  });

  test('a key in hexadecimal digits with spaces is not a shorter key', () => {
    const adyen = vectorOf('adyen', 'header');
    const spaced = `${adyen.secret.slice(0, 20)} ${adyen.secret.slice(20)}`;
    expect(verify('adyen', requestOf(adyen), [spaced])).toEqual({ state: 'no-secret', isUnusable: true });
    const short = createHmac('sha256', Buffer.from(adyen.secret.slice(0, 20), 'hex'))
      .update(adyen.body)
      .digest('base64');
    expect(verify('adyen', changed(adyen, { hmacsignature: short }), [spaced]).state).toBe('no-secret');
  });

  test('the body of Twilio’s JSON must have the hash that the URL has', () => {
    const twilio = vectorOf('twilio', 'json');
    expect(
      verify('twilio', changed(twilio, {}, twilio.body.replace('delivered', 'failed')), [twilio.secret]).state,
    ).toBe('invalid');
  });
});

test('numbers keep their digits', () => {
  const body = '{"id":820982911946154508,"n":1.0}';
  const { read } = readSenderRequest(requestOf({ ...vectorOf('stripe'), body }));
  expect([read('json:id'), read('json:n')]).toEqual(['820982911946154508', '1']);
});

describe('the time of arrival decides', () => {
  test.each([
    ['stripe', 300, false],
    ['paddle', 5, false],
    ['slack', 300, true],
    ['linear', 60, true],
    ['calendly', 180, true],
    ['workos', 180, true],
    ['zoom', 300, true],
    ['zendesk', 300, true],
  ])('%s tolerates %i s', (sender, tolerance, isBothWays) => {
    const vector = vectorOf(sender);
    const state = (seconds: number) =>
      verify(sender, requestOf(vector), [vector.secret], clockOf(vector) + seconds * 1000).state;
    expect([state(tolerance), state(tolerance + 1)]).toEqual(['verified', 'stale']);
    expect(state(-tolerance - 1)).toBe(isBothWays ? 'stale' : 'verified');
  });

  test('a time that is not signed does not protect', () => {
    const sentry = vectorOf('sentry');
    expect(verify('sentry', requestOf(sentry), [sentry.secret], 0)).toMatchObject({
      state: 'verified',
      proven: 'body',
    });
  });
});

test.each([
  ['http://a.example/x', 'http://a.example:80/x', 'http://a.example/x'],
  ['HTTPS://a.example?x', 'HTTPS://a.example:443?x', 'HTTPS://a.example?x'],
  ['https://a.example:8443/x', 'https://a.example:8443/x', 'https://a.example/x'],
])('the URL %s has its port in %s, and none in %s', (url, withPort, withoutPort) => {
  const { render } = readSenderRequest({ method: 'POST', url, headers: [], body: Buffer.alloc(0) });
  const text = (template: string) => {
    const rendered = render(template);
    return 'bytes' in rendered ? rendered.bytes.toString() : rendered.missing;
  };
  expect([text('{url:port}'), text('{url:noport}')]).toEqual([withPort, withoutPort]);
});
