// The one-line notation of a rule's responses. The dialog: receiver-dialogs.test.tsx.
import { describe, expect, it } from 'vitest';
import { readSteps, writeSteps } from '#renderer/features/rules/step-notation.ts';

const plain = { body: '', headers: [] as [string, string][] };

describe('a sequence of answers in one line', () => {
  it('is read and written back the same', () => {
    const text = '500, 503 after 2 s, close, reset after 250 ms, hold, hold for 300 s, 200';
    const read = readSteps(text, plain);
    expect(read.ok && writeSteps(read.steps)).toBe(text);
  });

  it.each([
    ['', 'at least one response'],
    ['200, maybe', '“maybe” is not a response'],
    ['700', '200 to 599'],
    ['200 after 61 s', 'at most 60 s'],
    ['hold for 11 min', '1 s to 10 min'],
  ])('such as "%s" is refused with words', (text, words) => {
    const read = readSteps(text, plain);
    expect(read.ok ? 'accepted' : read.problem).toContain(words);
  });
});
