// Which callback URLs stopped working when HTTPS was turned on or off.
import { expect, test } from 'vitest';
import { currentUrl } from '#renderer/features/monitors/current-url.ts';

test.each([
  ['http://127.0.0.1:4545/hooks/a?x=1', 'https://127.0.0.1:4545/hooks/a?x=1'],
  ['http://localhost:4545/hooks/a', 'https://127.0.0.1:4545/hooks/a'],
  ['https://127.0.0.1:4545/hooks/a', undefined],
  ['http://127.0.0.1:4546/hooks/a', undefined],
  ['http://example.org:4545/hooks/a', undefined],
  ['not a URL', undefined],
  [null, undefined],
])('with HTTPS on, %s becomes %s', (uri, current) => {
  expect(currentUrl(uri, 'https://127.0.0.1:4545')).toBe(current);
});

test('with HTTPS off again, the URL becomes http', () => {
  expect(currentUrl('https://127.0.0.1:4545/a', 'http://127.0.0.1:4545')).toBe('http://127.0.0.1:4545/a');
  expect(currentUrl('https://127.0.0.1:4545/a', '')).toBeUndefined();
});

test.each([
  ['http://127.0.0.1:1/a?b=1', 'https://localhost:1', 'https://localhost:1/a?b=1'],
  ['https://[::1]:1/a', 'http://127.0.0.1:1/x', 'http://127.0.0.1:1/a'],
  ['http://127.0.0.1:1/a', 'http://127.0.0.1:1', undefined],
  ['http://127.0.0.1:2/a', 'https://127.0.0.1:1', undefined],
  ['http://10.0.0.1:1/a', 'https://127.0.0.1:1', undefined],
  ['http://127.0.0.1:1/a', 'https://10.0.0.1:1', undefined],
  ['ftp://127.0.0.1:1/a', 'https://127.0.0.1:1', undefined],
  ['nonsense', 'https://127.0.0.1:1', undefined],
  ['http://127.0.0.1:1/a', '', undefined],
  [null, 'https://127.0.0.1:1', undefined],
])('the receiver’s URL for %s at %s is %s', (url, base, current) => {
  expect(currentUrl(url, base)).toBe(current);
});
