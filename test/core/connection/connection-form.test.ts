// Which fields of a connection are accepted. RFC 6749 appendix A: client ID and secret are printable ASCII, a scope token is that
// without `"` and `\`; §3.1.2: no fragment in a redirect URL; RFC 8252 §7.1: a private scheme has a dot.
import { describe, expect, test } from 'vitest';
import type { ConnectionFields } from '#contract/app-rpc/connections.ts';
import { checkFields, tidyFields } from '#core/connection/connection-rules.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import { goodFields as good } from '#test/core/connection-double.ts';

const fieldRefused = (changes: Partial<ConnectionFields>): unknown => {
  try {
    checkFields({ ...good, ...changes });
    return undefined;
  } catch (error) {
    if (error instanceof AppFailure && error.code === 'INVALID_INPUT' && error.message !== '')
      return error.details.field;
    throw error;
  }
};

const urls = {
  accepted: [
    'https://api.example.com',
    'https://api.example.com:8443/v2',
    'http://127.0.0.1:8420',
    'http://localhost',
    'http://[::1]:1',
  ],
  refused: [
    '',
    'api.example.com',
    'http://api.example.com',
    'ftp://127.0.0.1',
    'https://user@api.example.com',
    'https://:secret@api.example.com',
    'https://api.example.com/?a=1',
    'https://api.example.com/?',
    'https://api.example.com/#a',
    'https://api.example.com/#',
  ],
};

describe('a connection', () => {
  test('with all fields is accepted', () => {
    expect(fieldRefused({})).toBeUndefined();
  });

  test.each<[keyof ConnectionFields, readonly (string | null)[], readonly (string | null)[]]>([
    ['name', ['A'], ['']],
    ['baseUrl', urls.accepted, urls.refused],
    ['authUrl', urls.accepted, urls.refused],
    ['clientId', ['a', ' ', '~', 'a b'], ['', 'ü', 'a\tb', '\x7F', 'a\n']],
    [
      'redirectUri',
      [
        '',
        'https://app.example/a?b=c',
        'http://127.0.0.1:8490/callback',
        'http://localhost/',
        'com.example.app:/done',
        'com.example-2+x.app:/done',
      ],
      [
        'nonsense',
        'https://app.example/a b',
        'https://app.example/\u0085',
        'https://app.example/#a',
        'https://app.example/#',
        'https://user@app.example/',
        'https://:secret@app.example/',
        'http://app.example/',
        'example:/done',
        'com.:/done',
      ],
    ],
    ['scope', ['', 'a', 'a b', '!#[]~'], ['"a"', 'a\\b', 'ü', 'a\x7F']],
    ['caPem', [null], ['nonsense', '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----']],
    [
      'proxyUrl',
      [null, 'http://proxy.example:3128', 'https://proxy.example', 'http://proxy.example:3128/'],
      [
        'proxy.example:3128',
        'socks5://proxy.example',
        'http://user@proxy.example',
        'http://:secret@proxy.example',
        'http://proxy.example/path',
        'http://proxy.example/?a',
        'http://proxy.example/#a',
      ],
    ],
  ])('is checked for its %s', (field, accepted, refused) => {
    expect(accepted.map((value) => [value, fieldRefused({ [field]: value })])).toEqual(
      accepted.map((value) => [value, undefined]),
    );
    expect(refused.map((value) => [value, fieldRefused({ [field]: value })])).toEqual(
      refused.map((value) => [value, field]),
    );
  });

  test('needs no sign-in URL without a redirect URL', () => {
    expect(fieldRefused({ authUrl: '', redirectUri: '' })).toBeUndefined();
    expect(fieldRefused({ authUrl: '', redirectUri: 'https://app.example/' })).toBe('authUrl');
    expect(fieldRefused({ authUrl: 'nonsense', redirectUri: '' })).toBe('authUrl');
  });

  test('is refused for the first wrong field of the form', () => {
    const wrong = { name: '', baseUrl: '', clientId: '', proxyUrl: 'a' };
    expect(fieldRefused(wrong)).toBe('name');
    expect(fieldRefused({ ...wrong, name: 'A' })).toBe('baseUrl');
  });

  test('loses spaces around its fields, slashes after addresses, and what is empty', () => {
    const fields = {
      ...good,
      name: ' Team ',
      baseUrl: ' https://api.example.com// ',
      authUrl: ' https://example.com/auth/ ',
      clientId: ' client ',
      redirectUri: ' https://app.example/done/ ',
      scope: ' post_metag \t other ',
      caPem: ' pem ',
      proxyUrl: ' http://proxy.example ',
    };
    const tidy = {
      ...good,
      redirectUri: 'https://app.example/done/',
      scope: 'post_metag other',
      caPem: 'pem',
      proxyUrl: 'http://proxy.example',
    };
    expect(tidyFields(fields)).toStrictEqual(tidy);
    expect(tidyFields(tidy)).toStrictEqual(tidy);
    expect(tidyFields({ ...good, caPem: ' ', proxyUrl: '' })).toStrictEqual(good);
    expect(tidyFields(good)).toStrictEqual(good);
  });

  test('has a secret of printable characters, which is checked with the other fields', () => {
    for (const secret of ['a', ' hush hush\r\n', '~', null]) expect(() => checkFields(good, secret)).not.toThrow();
    const cases = { '': /is empty/, ' ': /is empty/, ü: /invalid character/, 'a\tb': /invalid/, 'a\x7Fb': /invalid/ };
    for (const [secret, clientSecret] of Object.entries(cases))
      expect(() => checkFields({ ...good, clientId: '' }, secret)).toThrow(
        expect.objectContaining({
          details: {
            field: 'clientId',
            problems: { clientId: expect.any(String), clientSecret: expect.stringMatching(clientSecret) },
          },
        }),
      );
  });
});
