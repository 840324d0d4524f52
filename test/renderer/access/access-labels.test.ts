// How long a token still lives.
import { expect, it } from 'vitest';
import { formatCountdown } from '#renderer/features/access/access-labels.ts';

const second = 1000;
const hour = 3600 * second;

it.each([
  [-1, '0:00'],
  [59 * 60 * second + 7 * second, '59:07'],
  [hour + 2 * 60 * second + 45 * second, '1:02:45'],
  [48 * hour - 1, '47:59:59'],
  [48 * hour, '2 d 0 h'],
  [51 * hour, '2 d 3 h'],
])('counts %i ms down as %s', (ms, text) => {
  expect(formatCountdown(ms)).toBe(text);
});
