// Which callback URLs stopped working when HTTPS was turned on or off.
import { expect, test } from 'vitest';
import { isOldUrl } from '#renderer/features/monitors/table/monitor-rows.ts';

const secure = 'https://127.0.0.1:4545';

test.each([
  ['http://127.0.0.1:4545/hooks/a?x=1', secure, true],
  ['http://localhost:4545/hooks/a', secure, true],
  ['https://[::1]:4545/a', 'http://127.0.0.1:4545/x', true],
  ['https://127.0.0.1:4545/hooks/a', secure, false],
  ['http://127.0.0.1:4545/a', 'http://127.0.0.1:4545', false],
  ['http://127.0.0.1:4546/hooks/a', secure, false],
  ['http://10.0.0.1:4545/a', secure, false],
  ['http://127.0.0.1:4545/a', 'https://10.0.0.1:4545', false],
  ['ftp://127.0.0.1:4545/a', secure, false],
  ['not a URL', secure, false],
  ['https://127.0.0.1:4545/a', '', false],
  [null, secure, false],
])('%s is an old one of the receiver %s: %s', (url, base, isOld) => {
  expect(isOldUrl(url, base)).toBe(isOld);
});
