// What the address at the end of a dialog says (docs/tokens.md T2), without any network.
import { expect, test } from 'vitest';
import { readRedirect } from '#core/session/authorization-response.ts';

const place = 'http://127.0.0.1:7777/callback';
const here = 'https://weather.example';
const issuer = { accepted: [here], isRequired: false };
const forCode = { state: 's', responseType: 'code', issuer } as const;
const forToken = { state: 's', responseType: 'token', issuer } as const;
const withIss = { ...forCode, issuer: { ...issuer, isRequired: true } } as const;
const unusable = (words: string) => ({ kind: 'unusable', message: expect.stringContaining(words) });
const foreign = unusable('not from https://weather.example');
const missing = unusable('metadata says that it sends that parameter');
const deviatingFrom = (section: string) => ({ deviations: section === '' ? [] : [{ section }] });
const code = (section = '') => ({ kind: 'code', ...deviatingFrom(section) });
const denied = (section = '') => ({ kind: 'error', error: 'access_denied', ...deviatingFrom(section) });
const token = { kind: 'token', members: { access_token: 't' } };

test.each([
  ['a code in the query', '?state=s&code=c', forCode, code()],
  ['a code in the fragment, named', '#state=s&code=c', forCode, code('RFC 6749 §4.1.2')],
  ['a token in the fragment', '#state=s&access_token=t&expires_in=60', forToken, token],
  ['a token in the query, refused', '?state=s&access_token=t', forToken, unusable('query')],
  ['an id_token alone', '#state=s&id_token=i', forToken, unusable('id_token')],
  ['a token where a code was asked for', '#state=s&access_token=t', forCode, unusable('')],
  ['a code where a token was asked for', '?state=s&code=c', forToken, unusable('')],
  ['nothing', '?state=s', forCode, unusable('')],
  ['an error in the fragment', '#state=s&error=access_denied', forToken, denied()],
  ['an error in the query, named', '?state=s&error=access_denied', forToken, denied('RFC 6749 §4.2.2.1')],
  ['two codes', '?state=s&code=c&code=d', forCode, unusable('more than once')],
  ['state in query and fragment', '?state=s&code=c#state=s', forCode, { kind: 'wrong-state' }],
  ['our own iss', `?state=s&code=c&iss=${here}`, withIss, { kind: 'code' }],
  ['our own iss in the fragment', `#state=s&access_token=t&iss=${here}`, forToken, { kind: 'token' }],
  ['a foreign iss', '?state=s&code=c&iss=https://evil.example', forCode, foreign],
  ['a foreign iss in the fragment', '#state=s&access_token=t&iss=https://evil.example', forToken, foreign],
  ['an iss that only begins like ours', `?state=s&code=c&iss=${here}.evil.example`, forCode, foreign],
  ['an error with a foreign iss', '?state=s&error=access_denied&iss=https://evil.example', forCode, foreign],
  ['no iss where it is promised', '?state=s&code=c', withIss, missing],
  ['an error without the iss that is promised', '?state=s&error=access_denied', withIss, missing],
  ['two iss', `?state=s&code=c&iss=${here}&iss=${here}`, forCode, unusable('')],
  ['a foreign iss and a wrong state', '?state=x&code=c&iss=https://evil.example', forCode, { kind: 'wrong-state' }],
  ['an error without our state', '?error=access_denied', forCode, { kind: 'wrong-state' }],
])('%s', (_what, url, expected, answer) => {
  expect(readRedirect(`${place}${url}`, expected)).toMatchObject(answer);
});
