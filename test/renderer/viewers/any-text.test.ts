// What the viewers compute from texts and bodies of strangers: right for ordinary ones, and bounded for any.
import fc from 'fast-check';
import { anyCharacter } from '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import { hiddenCharactersNote } from '#shared/text/hidden-characters-note.ts';
import { textPieces, visibleText } from '#shared/text/visible-text.ts';
import { formFields } from '#renderer/viewers/body-text.ts';
import { budget } from '#renderer/viewers/budget.ts';
import { compareTexts, type Comparison, differencesOf } from '#renderer/viewers/differences.ts';
import { jsonLinesOf, jsonLineText } from '#renderer/viewers/json-lines.ts';
import { isJson } from '#renderer/viewers/json-tokens.ts';
import { type Rows, textRows } from '#renderer/viewers/rows.ts';

const unlimited = { rows: Infinity, characters: Infinity };

/** Rows as lines again. */
function linesOf(rows: Rows): string[] {
  const lines: string[] = [];
  for (const { text, isContinued } of rows.rows) lines.push(isContinued ? `${lines.pop() ?? ''}${text}` : text);
  return lines;
}

const laidOut = (text: string) => {
  const lines = jsonLinesOf(text);
  return lines?.starts.map((_, line) => jsonLineText(lines, line)).join('\n');
};

describe('JSON layout', () => {
  it('equals JSON.stringify with two spaces, apart from short lists', () => {
    const item = String.raw`\s+(?:"(?:[^"\\]|\\.)*"|[\w.+-]+)`;
    const shortList = new RegExp(String.raw`\[((?:${item},){0,3}${item})\n *\]`, 'g');
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const expected = JSON.stringify(value, null, 2).replaceAll(
          shortList,
          (_, items: string) => `[${items.trim().replaceAll(/,\n */g, ', ')}]`,
        );
        expect(laidOut(JSON.stringify(value, null, space))).toBe(expected);
      }),
    );
  });

  it('looks at each character a bounded number of times, whatever the text', () => {
    for (const text of hostileJson()) {
      expect(isJson(text)).toBe(true);
      const read = countReads(text);
      jsonLinesOf(read.text);
      expect(read.count() / text.length).toBeLessThan(12);
    }
  });
});

/** Each is quadratic for a layout that looks back or ahead without a limit. */
function hostileJson(): string[] {
  return [
    '['.repeat(20_000) + ']'.repeat(20_000),
    `[${'[1,2],'.repeat(20_000)}0]`,
    `[${'1,'.repeat(50_000)}1]`,
    JSON.stringify('"\\'.repeat(30_000)),
    `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
    `[${' '.repeat(100_000)}1]`,
  ];
}

/** A text that counts how many of its characters are read. */
function countReads(text: string): { text: string; count: () => number } {
  let count = 0;
  const counted = new Proxy(Object(text) as object, {
    get(_target, name) {
      if (name === 'length') return text.length;
      const own = (text as unknown as Record<PropertyKey, unknown>)[name];
      if (typeof own !== 'function') return own;
      return (...args: unknown[]) => {
        const result: unknown = (own as (...rest: unknown[]) => unknown).apply(text, args);
        if (name === 'slice' && typeof result === 'string') count += result.length;
        else if (name === 'indexOf')
          count += (result as number) < 0 ? text.length : (result as number) - Number(args[1]);
        else count += 1;
        return result;
      };
    },
  });
  return { text: counted as unknown as string, count: () => count };
}

describe('text as rows', () => {
  it('holds all of the text, in short rows, without splitting a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), fc.nat(60), (part, times) => {
        const text = part.repeat(times);
        const rows = textRows(text, unlimited);
        expect(linesOf(rows)).toEqual(text.split(/\r?\n/));
        const shown = rows.rows.map((row) => row.text);
        expect(Math.max(...shown.map(({ length }) => length))).toBeLessThanOrEqual(budget.rowCharacters);
        expect(shown.every((row) => row.isWellFormed())).toBe(text.isWellFormed());
      }),
    );
  });
});

describe('the fields of a form', () => {
  it('are those that URLSearchParams finds', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('a', '=', '&', '%41', '+', 'ü', '?'), maxLength: 30 }), (text) => {
        expect(formFields(text).fields).toEqual([...new URLSearchParams(`&${text}`)]);
      }),
    );
  });
});

describe('comparing lines', () => {
  const applied = (lines: Comparison['lines'], side: 'gone' | 'new') =>
    lines.filter(({ kind }) => kind === 'same' || kind === side).map(({ text }) => text);
  const request = { method: 'POST', target: '/', headers: [], answeredStatus: 200 };
  const compareBodies = (older: string, newer: string) => {
    const [olderBase64, newerBase64] = [older, newer].map((text) => Buffer.from(text).toString('base64'));
    return differencesOf({ ...request, bodyBase64: olderBase64 ?? '' }, { ...request, bodyBase64: newerBase64 ?? '' });
  };

  it('gives both sides back, whatever they are', () => {
    const side = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 });
    fc.assert(
      fc.property(side, side, (older, newer) => {
        const { lines, isCoarse } = compareTexts(older, newer);
        expect(applied(lines, 'gone')).toEqual(older);
        expect(applied(lines, 'new')).toEqual(newer);
        expect(isCoarse).toBe(false);
      }),
    );
  });

  it('shows what lies between the common ends as replaced, and says so, when nothing else is affordable', () => {
    const older = Array.from({ length: 40_000 }, (_, index) => `a${index % 7}`);
    const newer = Array.from({ length: 40_000 }, (_, index) => `b${index % 5}`);
    const { lines, isCoarse } = compareTexts(['first', ...older, 'last'], ['first', ...newer, 'last']);
    expect(isCoarse).toBe(true);
    expect(lines).toHaveLength(80_002);
    expect(lines.filter(({ kind }) => kind === 'same').map(({ text }) => text)).toEqual(['first', 'last']);
    expect(applied(lines, 'new')).toEqual(['first', ...newer, 'last']);
    // Lines that only one side has are exact, however many.
    expect(compareTexts([], older).isCoarse).toBe(false);
  });

  it('finds a difference in levels that the viewer does not lay out', () => {
    const deep = (core: string) => `${'['.repeat(400)}${core}${']'.repeat(400)}`;
    expect(compareBodies(deep('1'), deep('2')).differing).toBe(2);
  });

  it('finds the same lines in JSON bodies as in their layouts', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom(undefined, 2, '\t'),
        (one, other, space) => {
          const [older, newer] = [JSON.stringify([one, { other }]), JSON.stringify([one, other], null, space)];
          const lines = compareBodies(older, newer).lines.slice(3);
          expect(applied(lines, 'gone').join('\n')).toBe(laidOut(older));
          expect(applied(lines, 'new').join('\n')).toBe(laidOut(newer));
        },
      ),
    );
  });
});

describe('text from elsewhere', () => {
  it.each([
    ['a bidirectional override', 'annex\u202Etxt.exe', 'annex\\u202Etxt.exe'],
    ['isolates and marks', '\u2066a\u2069\u200E\u061C', '\\u2066a\\u2069\\u200E\\u061C'],
    ['a byte order mark', '\uFEFF{}', '\\uFEFF{}'],
    ['zero width', 'a\u200Bb\u200Cc\u2060', 'a\\u200Bb\\u200Cc\\u2060'],
    ['controls', 'a\0b\u001B[31mc\u0085\r\n', 'a\\u0000b\\u001B[31mc\\u0085\\r\n'],
    ['a run', '\0'.repeat(50), '\\u0000×50'],
    ['tags', 'a\u{E0041}\u{E0042}', 'a\\u{E0041}\\u{E0042}'],
    ['half a character', 'a\uD800', 'a\\uD800'],
    ['piled marks', `e${'\u0301'.repeat(108)}`, `e${'\u0301'.repeat(8)}\\u0301×100`],
    ['line separators', 'a\u2028b', 'a\\u2028b'],
    ['selectors that hide data', 'a\uFE01\u{E0101}\uFE0F', 'a\\uFE01\\u{E0101}\\uFE0F'],
  ])('shows %s as escapes', (_name, text, shown) => {
    expect(visibleText(text, 1_000)).toBe(shown);
    expect(hiddenCharactersNote(text)).toContain('hidden characters');
  });

  it.each(['plain\ttext\n', '👨‍👩‍👧 ❤️ 🏳️‍🌈 👍🏽', 'क्षत्रिय', 'שָׁלוֹם', 'tiếng Việt', 'สวัสดี', 'é', '東京 123 €'])(
    'leaves %j',
    (text) => {
      expect(visibleText(text)).toBe(text);
      expect(hiddenCharactersNote(text)).toBeUndefined();
    },
  );

  it('loses nothing: the pieces cover the text in order', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const pieces = textPieces(text);
        const whole = pieces.map(({ kind, text: own, at }, index) =>
          kind === 'plain' ? own : text.slice(at, pieces[index + 1]?.at),
        );
        expect(whole.join('')).toBe(text);
      }),
    );
  });

  it('is cut if it is long', () => {
    expect(visibleText('x'.repeat(1_000), 10)).toBe(`${'x'.repeat(10)}…`);
    expect(visibleText('a😀', 2)).toBe('a…');
  });
});
