// Which callback URLs stopped working when HTTPS was turned on or off.
import { expect, test } from 'vitest';
import { currentUrl } from '#renderer/features/monitors/current-url.ts';

const secure = 'https://127.0.0.1:4545';

test.each([
  ['http://127.0.0.1:4545/hooks/a?x=1', secure, 'https://127.0.0.1:4545/hooks/a?x=1'],
  ['http://localhost:4545/hooks/a', secure, 'https://127.0.0.1:4545/hooks/a'],
  ['https://[::1]:4545/a', 'http://127.0.0.1:4545/x', 'http://127.0.0.1:4545/a'],
  ['https://127.0.0.1:4545/hooks/a', secure, undefined],
  ['http://127.0.0.1:4545/a', 'http://127.0.0.1:4545', undefined],
  ['http://127.0.0.1:4546/hooks/a', secure, undefined],
  ['http://10.0.0.1:4545/a', secure, undefined],
  ['http://127.0.0.1:4545/a', 'https://10.0.0.1:4545', undefined],
  ['ftp://127.0.0.1:4545/a', secure, undefined],
  ['not a URL', secure, undefined],
  ['https://127.0.0.1:4545/a', '', undefined],
  [null, secure, undefined],
])('of %s at the receiver %s becomes %s', (url, base, current) => {
  expect(currentUrl(url, base)).toBe(current);
});
