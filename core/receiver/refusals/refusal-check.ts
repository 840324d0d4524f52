// What a refused request shows instead of checks.
import { plural } from '#shared/text/plural.ts';
import type { CallbackRefusal, RefusalReason } from '#contract/app-rpc/callback-outcome.ts';
import type { CallbackCheck } from '#contract/app-rpc/callbacks.ts';

const sentences: Readonly<Record<RefusalReason, string>> = {
  'head-too-long':
    'The request line and headers are longer than the receiver accepts. The settings can allow up to 256 KB.',
  malformed: 'The request is not valid HTTP.',
  'unexpected-expectation': 'The Expect header asks for something other than 100-continue.',
  connect: 'CONNECT is for proxies.',
  'no-token': 'The path does not start with the token that other computers need.',
  'http-on-https': 'The sender used http, but the receiver expects https.',
  'tls-on-http': 'The sender used https, but the receiver expects http.',
  'tls-handshake': 'The TLS handshake failed, for instance because the sender does not trust the certificate.',
  pipelining:
    'The sender sent more than 4 requests without waiting for a response. At most 32 are counted per connection.',
  timeout: 'The request was not complete in time.',
  unfinished: 'The connection ended before the request was complete.',
  'too-many': 'Too many callbacks were waiting for the disk.',
};

export function refusalCheck({ reason, count }: CallbackRefusal, status: number): CallbackCheck {
  const response = status === 0 ? 'Refused without a response.' : `Refused with ${status}.`;
  const more = plural(count - 1, [
    '# similar request was refused soon afterwards.',
    '# similar requests were refused soon afterwards.',
  ]);
  const message = [response, sentences[reason], ...(count > 1 ? [more] : [])].join(' ');
  return { check: 'request', verdict: 'error', message };
}
