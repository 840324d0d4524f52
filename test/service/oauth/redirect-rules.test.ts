// Which redirect addresses may be registered (RFC 6749 §3.1.2, RFC 8252), and which a request may name.
import { expect, test } from 'vitest';
import { isRegisteredRedirect, redirectProblem } from '#service/accounts/redirect-rules.ts';

test.each([
  'https://app.example.org/callback',
  'https://app.example.org/callback?from=rainbell',
  'http://127.0.0.1/callback',
  'http://127.0.0.1:7777/callback',
  'http://[::1]/callback',
  'http://localhost:3000/cb',
  'org.example.app:/callback',
  'org.example.app://callback',
])('%s may be registered', (uri) => {
  expect(redirectProblem(uri)).toBeUndefined();
});

test.each([
  '/callback',
  'callback',
  'https://',
  'https://app.example.org/#done',
  'https://app.example.org/#',
  'https://user:secret@app.example.org/',
  'https://user@app.example.org/',
  'http://app.example.org/callback',
  'http://127.0.0.1.evil.test/',
  'http://127.1/callback\n',
  'javascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'myapp:/callback',
  'https://app.example.org/a b',
  'https://app.example.org/"x',
  'https://äpp.example.org/',
  `https://app.example.org/${'x'.repeat(2000)}`,
])('%j is refused with a sentence', (uri) => {
  expect(redirectProblem(uri)).toMatch(/\.$/);
});

const registered = [
  'https://app.example.org/callback',
  'http://127.0.0.1/cb?x=1',
  'http://[::1]:80/cb',
  'http://localhost:3000/cb',
];

test.each([
  ['https://app.example.org/callback', true],
  ['http://127.0.0.1:5000/cb?x=1', true],
  ['http://127.0.0.1/cb?x=1', true],
  ['http://[::1]:9999/cb', true],
  ['https://app.example.org/callback/', false],
  ['https://APP.example.org/callback', false],
  ['https://app.example.org:443/callback', false],
  ['https://app.example.org/callback?x', false],
  ['http://127.0.0.1:5000/cb?x=2', false],
  ['http://127.0.0.1:5000@evil.test/cb?x=1', false],
  ['http://127.0.0.1:99999/cb?x=1', false],
  ['http://127.0.0.1.evil.test/cb?x=1', false],
  ['https://127.0.0.1:5000/cb?x=1', false],
  ['http://localhost:3001/cb', false],
  ['http://127.1/cb?x=1', false],
])('asked for %s: %s', (asked, isRight) => {
  expect(isRegisteredRedirect(asked, registered)).toBe(isRight);
});
