// The exact refusals of an access token: https://www.rfc-editor.org/rfc/rfc6750#section-3
import { expect, test } from 'vitest';
import { startWithClient } from './posting-client.ts';

test('each refusal of an access token is that of RFC 6750 section 3', async () => {
  const { baseUrl, authorization, post } = await startWithClient();
  const issued = await post({ form: { grant_type: 'client_credentials' }, authorization });
  const token = String(issued.json['access_token']);
  const probe = async (header?: string, query = '') => {
    const response = await fetch(
      `${baseUrl}/v2/probe${query}`,
      header === undefined ? {} : { headers: { authorization: header } },
    );
    const json = (await response.json()) as Record<string, unknown>;
    const { error, error_description: words } = json;
    return response.ok ? response.status : [response.status, error, words, response.headers.get('www-authenticate')];
  };
  const invalid = (words: string) => [
    401,
    'invalid_token',
    words,
    `Bearer realm="Rainbell", error="invalid_token", error_description="${words}"`,
  ];
  const none = 'Send an access token: Authorization: Bearer ACCESS_TOKEN. Get one with POST /token/.';
  expect(await probe()).toEqual([401, 'invalid_token', none, 'Bearer realm="Rainbell"']);
  for (const header of [
    'Bearer',
    'Bearer ',
    `Basic ${token}`,
    `Bearer ${token} x`,
    'Bearer a b',
    'Bearer =',
    `xBearer ${token}`,
  ]) {
    expect(await probe(header)).toEqual(invalid('The Authorization header must be: Bearer ACCESS_TOKEN.'));
  }
  const unknown = invalid('The access token is unknown, expired, or revoked; get a new one at /token/.');
  expect(await probe('Bearer x')).toEqual(unknown);
  for (const header of [`Bearer ${token}`, `bearer   ${token}`, `BEARER ${token}`])
    expect(await probe(header)).toBe(200);
  expect(await probe(`Bearer ${token}`, '?other=1')).toBe(200);
  for (const query of ['?access_token=x', '?a=1&access_token']) {
    expect(await probe(`Bearer ${token}`, query)).toEqual([
      400,
      'invalid_request',
      'Send the access token in the Authorization header, not in the URL.',
      'Bearer realm="Rainbell", error="invalid_request"',
    ]);
  }
});
