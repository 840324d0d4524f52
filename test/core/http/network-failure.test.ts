import { expect, it } from 'vitest';
import { networkFailure } from '#core/http/network-failure.ts';

const host = 'weather.example.test';

it.each([
  ['ECONNREFUSED', `Nothing is responding at ${host}`],
  ['ENOTFOUND', 'could not be resolved'],
  ['EHOSTUNREACH', 'could not be reached (EHOSTUNREACH)'],
  ['EPIPE', 'closed the connection before its response was complete'],
  ['CERT_SIGNATURE_FAILURE', 'certificate could not be verified (CERT_SIGNATURE_FAILURE)'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate could not be verified (UNABLE_TO_VERIFY_LEAF_SIGNATURE)'],
  // Node's code for https: at a port that has only HTTP.
  ['EPROTO', 'If it has no HTTPS, use http:// in the URL.'],
  ['HPE_INVALID_CONSTANT', 'is not HTTP'],
  ['EMFILE', `The request to ${host} failed (EMFILE)`],
])('names the cause of %s', (code, words) => {
  const error = Object.assign(new Error('failed'), { code });
  expect(networkFailure(error, `https://${host}/v2/`, undefined).message).toContain(words);
});
