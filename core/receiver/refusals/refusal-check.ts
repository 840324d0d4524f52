// What a refused request shows instead of checks.
import { plural } from '@rainbell/shared';
import type { CallbackCheck, CallbackRefusal, RefusalReason } from '@rainbell/contract/app-rpc';

const sentences: Readonly<Record<RefusalReason, string>> = {
  'head-too-long':
    'The request line and headers are longer than the receiver accepts. Raise the limit in Settings, up to 256 KB.',
  malformed: 'The request is not valid HTTP.',
  'unknown-method': 'The receiver does not support this method.',
  'bad-target': 'The path contains a character that must be percent-encoded.',
  'bad-header':
    'A header line is not valid: it has a control character, a space before its colon, or continues the line before it.',
  'bad-length': 'Content-Length is not valid, sent twice, or sent together with Transfer-Encoding.',
  'unexpected-expectation': 'The Expect header has a value other than 100-continue.',
  connect: 'CONNECT requests are only for proxies.',
  'no-token': 'The path does not start with the token required for requests from other computers.',
  'http-on-https': 'The sender used http, but the receiver expects https.',
  'tls-on-http': 'The sender used https, but the receiver expects http.',
  'tls-handshake': 'The TLS handshake failed, possibly because the sender does not trust the certificate.',
  pipelining:
    'The sender sent more than 4 requests without waiting for a response. Rainbell lists at most 32 such requests per connection.',
  timeout: 'The request did not finish in time.',
  unfinished: 'The connection ended before the request was complete.',
  'too-many': 'Too many callbacks were waiting to be stored.',
};

export function refusalCheck({ reason, count }: CallbackRefusal, status: number): CallbackCheck {
  const response = status === 0 ? 'Refused without a response.' : `Refused with ${status}.`;
  const more = plural(count - 1, [
    '# similar request was refused soon afterward.',
    '# similar requests were refused soon afterward.',
  ]);
  const message = [response, sentences[reason], ...(count > 1 ? [more] : [])].join(' ');
  return { check: 'request', verdict: 'error', message };
}
