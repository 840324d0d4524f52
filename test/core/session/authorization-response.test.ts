// What the address at the end of a dialog says (docs/tokens.md T2), without any network.
import { expect, test } from 'vitest';
import { readRedirect } from '#core/session/authorization-response.ts';

const place = 'http://127.0.0.1:7777/callback';
const here = 'https://weather.example';
const issuer = { accepted: [here], isRequired: false };
const forCode = { state: 's', responseType: 'code', issuer } as const;
const forToken = { state: 's', responseType: 'token', issuer } as const;
const withIss = { ...forCode, issuer: { ...issuer, isRequired: true } } as const;
const foreign = { kind: 'unusable', message: expect.stringContaining('not from https://weather.example') };
const missing = { kind: 'unusable', message: expect.stringContaining('metadata says that it sends that parameter') };

test.each([
  ['a code in the query', `${place}?state=s&code=c`, forCode, { kind: 'code', deviations: [] }],
  [
    'a code in the fragment, named',
    `${place}#state=s&code=c`,
    forCode,
    { kind: 'code', deviations: [{ section: 'RFC 6749 §4.1.2' }] },
  ],
  [
    'a token in the fragment',
    `${place}#state=s&access_token=t&expires_in=60`,
    forToken,
    { kind: 'token', members: { access_token: 't' } },
  ],
  [
    'a token in the query, refused',
    `${place}?state=s&access_token=t`,
    forToken,
    { kind: 'unusable', message: expect.stringContaining('query') },
  ],
  [
    'an id_token alone',
    `${place}#state=s&id_token=i`,
    forToken,
    { kind: 'unusable', message: expect.stringContaining('id_token') },
  ],
  ['a token where a code was asked for', `${place}#state=s&access_token=t`, forCode, { kind: 'unusable' }],
  ['a code where a token was asked for', `${place}?state=s&code=c`, forToken, { kind: 'unusable' }],
  ['nothing', `${place}?state=s`, forCode, { kind: 'unusable' }],
  [
    'an error in the fragment',
    `${place}#state=s&error=access_denied`,
    forToken,
    { kind: 'error', error: 'access_denied', deviations: [] },
  ],
  [
    'an error in the query for the implicit flow, named',
    `${place}?state=s&error=access_denied`,
    forToken,
    { kind: 'error', deviations: [{ section: 'RFC 6749 §4.2.2.1' }] },
  ],
  [
    'two codes',
    `${place}?state=s&code=c&code=d`,
    forCode,
    { kind: 'unusable', message: expect.stringContaining('more than once') },
  ],
  ['state in query and fragment', `${place}?state=s&code=c#state=s`, forCode, { kind: 'wrong-state' }],
  ['our own iss', `${place}?state=s&code=c&iss=${here}`, withIss, { kind: 'code' }],
  ['our own iss in the fragment', `${place}#state=s&access_token=t&iss=${here}`, forToken, { kind: 'token' }],
  ['a foreign iss', `${place}?state=s&code=c&iss=https://evil.example`, forCode, foreign],
  ['a foreign iss in the fragment', `${place}#state=s&access_token=t&iss=https://evil.example`, forToken, foreign],
  ['an iss that only begins like ours', `${place}?state=s&code=c&iss=${here}.evil.example`, forCode, foreign],
  ['an error with a foreign iss', `${place}?state=s&error=access_denied&iss=https://evil.example`, forCode, foreign],
  ['no iss where it is promised', `${place}?state=s&code=c`, withIss, missing],
  ['an error without the iss that is promised', `${place}?state=s&error=access_denied`, withIss, missing],
  ['two iss', `${place}?state=s&code=c&iss=${here}&iss=${here}`, forCode, { kind: 'unusable' }],
  [
    'a foreign iss and a wrong state',
    `${place}?state=x&code=c&iss=https://evil.example`,
    forCode,
    { kind: 'wrong-state' },
  ],
  ['an error without our state', `${place}?error=access_denied`, forCode, { kind: 'wrong-state' }],
] as const)('%s', (_what, url, expected, answer) => {
  expect(readRedirect(url, expected)).toMatchObject(answer);
});
