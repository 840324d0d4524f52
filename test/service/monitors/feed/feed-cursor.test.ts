// The cursor of the feed: what it holds, and which texts are not one.
import { describe, expect, it } from 'vitest';
import { formatFeedCursor, parseFeedCursor } from '#service/monitors/feed/feed.ts';

const hourMs = 3_600_000;
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('a feed cursor', () => {
  it('returns the position and event, and the full hour of its time', () => {
    const text = formatFeedCursor({ position: 12, id: 'evt_a', completeAt: 5 * hourMs + 1 });
    expect(text).toBe(encode([1, 12, 'evt_a', 5 * hourMs]));
    expect(parseFeedCursor(text)).toEqual({ position: 12, id: 'evt_a', completeAt: 5 * hourMs });
    expect(parseFeedCursor(formatFeedCursor({ position: 0, id: '', completeAt: 6 * hourMs - 1 })).completeAt).toBe(
      5 * hourMs,
    );
    expect(parseFeedCursor(formatFeedCursor({ position: 0, id: '', completeAt: -1 })).completeAt).toBe(0);
  });

  it.each([
    [1, 0, 'x'.repeat(64), 0],
    [1, 0, '', 0],
  ])('accepts limits: %s', (...parts) => {
    expect(parseFeedCursor(encode(parts)).id).toBe(parts[2]);
  });

  it.each([
    ['no base64', '???'],
    ['no JSON', Buffer.from('[1,').toString('base64url')],
    ['another version', encode([2, 0, '', 0])],
    ['a negative position', encode([1, -1, '', 0])],
    ['a fraction', encode([1, 0.5, '', 0])],
    ['a long ID', encode([1, 0, 'x'.repeat(65), 0])],
    ['a negative time', encode([1, 0, '', -1])],
    ['a fifth part', encode([1, 0, '', 0, 0])],
    ['a missing part', encode([1, 0, ''])],
    ['an empty text', ''],
    // Still valid JSON, but 303 characters.
    ['a long text', Buffer.from(JSON.stringify([1, 0, '', 0]).padEnd(227)).toString('base64url')],
  ])('rejects %s', (_name, text) => {
    expect(() => parseFeedCursor(text)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });

  it('accepts 300 characters', () => {
    const text = Buffer.from(JSON.stringify([1, 3, '', 0]).padEnd(225)).toString('base64url');
    expect(text).toHaveLength(300);
    expect(parseFeedCursor(text).position).toBe(3);
  });
});
