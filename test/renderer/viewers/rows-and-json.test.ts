// What the viewers of bodies compute, row by row: text, hex, JSON and its tree, and differences.
import { describe, expect, it } from 'vitest';
import { bytesOf, formFields, hexDump, hexLines, textOf } from '#renderer/viewers/body-text.ts';
import { budget } from '#renderer/viewers/budget.ts';
import { type Compared, compareTexts, differencesOf, foldLines } from '#renderer/viewers/differences.ts';
import { jsonLinesOf, jsonLineText } from '#renderer/viewers/json-lines.ts';
import {
  findLines,
  jsonOutlineOf,
  jsonPathOf,
  lineAtOffset,
  lineOfMember,
  memberName,
} from '#renderer/viewers/json-outline.ts';
import { linesOfPath } from '#renderer/viewers/lines-of-path.ts';
import { isJson, JsonTokens } from '#renderer/viewers/json-tokens.ts';
import { layRows, rowBudget, type Rows, textRows } from '#renderer/viewers/rows.ts';
import { viewerTasks } from '#renderer/viewers/tasks.ts';

const unlimited = { rows: Infinity, characters: Infinity };
/** Each row with its kind, if it is not an ordinary line. */
const shown = (rows: Rows) =>
  rows.rows.map(({ kind, text, isContinued }) => {
    const shownKind = isContinued ? 'continued' : kind;
    return shownKind === 'same' ? text : [shownKind, text];
  });
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const x = (length: number) => 'x'.repeat(length);

describe('rows', () => {
  it('continue a long line, without splitting a character', () => {
    const long = budget.rowCharacters;
    expect(shown(textRows(x(long), unlimited))).toEqual([x(long)]);
    expect(shown(textRows(`${x(long)}y`, unlimited))).toEqual([x(long), ['continued', 'y']]);
    expect(shown(textRows(`${x(long - 1)}😀y\nz`, unlimited))).toEqual([x(long - 1), ['continued', '😀y'], 'z']);
    expect(shown(textRows(`${x(long - 2)}😀`, unlimited))).toEqual([`${x(long - 2)}😀`]);
  });

  it('end at LF and CR LF', () => {
    const rows = textRows('a\r\nb\n\nc\rd\n', unlimited);
    expect([shown(rows), rows.isCut]).toEqual([['a', 'b', '', 'c\rd', ''], false]);
  });

  it('stop at their budget', () => {
    const cut = (text: string, rows: number, characters: number) => {
      const found = textRows(text, { rows, characters });
      return [shown(found), found.isCut];
    };
    expect(cut('a\nb\nc', 2, 100)).toEqual([['a', 'b'], true]);
    expect(cut('a\nb', 3, 100)).toEqual([['a', 'b'], false]);
    expect(cut('abc\nd', 9, 3)).toEqual([['abc'], true]);
    expect(cut('abc\nd', 9, 4)).toEqual([['abc', 'd'], false]);
    const long = textRows(x(budget.rowCharacters * 3), { rows: 2, characters: Infinity });
    expect([shown(long), long.isCut]).toEqual([
      [x(budget.rowCharacters), ['continued', x(budget.rowCharacters)]],
      true,
    ]);
    expect(rowBudget(3)).toEqual({ rows: 15_000, characters: 1_200_000 });
  });
});

describe('a body as text or bytes', () => {
  it('is decoded strictly', () => {
    expect(textOf(bytesOf('77u/w6k='))).toBe('\uFEFFé');
    expect(textOf(bytesOf('/w=='))).toBeUndefined();
    expect(textOf(bytesOf('6Q=='), 'latin1')).toBe('é');
    expect(textOf(bytesOf('//5hAA=='), 'utf-16le')).toBe('a');
    expect(textOf(bytesOf('6Q=='), 'no-such-charset')).toBeUndefined();
  });

  it('is dumped as hexdump -C does it, without its bars', () => {
    const bytes = Uint8Array.from([31, 32, 126, 127, 255, 0, ...Buffer.from('ABCDEFGHIJK')]);
    const lines = [
      '00000000  1f 20 7e 7f ff 00 41 42 43 44 45 46 47 48 49 4a  . ~...ABCDEFGHIJ',
      '00000010  4b                                               K',
    ];
    expect(hexDump(bytes)).toBe(lines.join('\n'));
    expect(hexLines(bytes, 1)).toEqual(lines.slice(0, 1));
  });

  it('has the fields of a form, as far as wanted', () => {
    expect(formFields('?a=1&&b=%20+')).toEqual({
      fields: [
        ['?a', '1'],
        ['b', '  '],
      ],
      count: 2,
    });
    const many = formFields('a&'.repeat(2_001));
    expect([many.fields.length, many.count]).toEqual([2_000, 2_001]);
    expect(formFields('')).toEqual({ fields: [], count: 0 });
    expect(formFields('&a')).toEqual({ fields: [['a', '']], count: 1 });
  });
});

/** Each token with its kind, if that is not the token itself. */
const tokensOf = (text: string) => {
  const tokens = new JsonTokens(text);
  const all: string[] = [];
  while (tokens.next() !== 'end') {
    const token = text.slice(tokens.start, tokens.end);
    all.push(token === tokens.kind ? token : `${tokens.kind} ${token}`);
  }
  return all.join(' ');
};

describe('JSON', () => {
  it('is split into tokens as received', () => {
    const text = ' {"a\\\\":\t-1.5e+3 ,"\\"":[true,null,0,9],"é":"\\\\\\""}\r\n';
    expect(tokensOf(text)).toBe(
      String.raw`{ string "a\\" : number -1.5e+3 , string "\"" : [ word true , word null , number 0 , number 9 ] , string "é" : string "\\\"" }`,
    );
    expect(tokensOf('"open')).toBe('string "open');
  });

  it.each([
    [' {"a":1}', true],
    ['-1', true],
    ['"a"', true],
    ['true', true],
    ['false', true],
    ['null', true],
    ['0', true],
    ['9', true],
    ['[1,]', false],
    ['', false],
    ['x', false],
    ['{', false],
    ['\u00a01', false],
  ])('%j is recognized: %s', (text, isValid) => {
    expect(isJson(text)).toBe(isValid);
  });

  const linesOf = (text: string) => {
    const lines = jsonLinesOf(text);
    return lines?.starts.map((_, line) => jsonLineText(lines, line));
  };

  it('keeps lists of up to four short plain values on one line', () => {
    expect(linesOf('[1,"a",null,4]')).toEqual(['[1, "a", null, 4]']);
    expect(linesOf('[1,2,3,4,5]')).toEqual(['[', '  1,', '  2,', '  3,', '  4,', '  5', ']']);
    expect(linesOf('[1,[2]]')).toEqual(['[', '  1,', '  [2]', ']']);
    expect(linesOf('[1,{}]')).toEqual(['[', '  1,', '  {}', ']']);
    const long = (length: number) => `"${x(length - 2)}"`;
    expect(linesOf(`[${long(budget.rowCharacters)}]`)?.[0]).not.toBe('[');
    expect(linesOf(`[${long(budget.rowCharacters + 1)}]`)?.[0]).toBe('[');
    expect(linesOf(`[1,${long(budget.rowCharacters)}]`)?.[0]).toBe('[');
    expect(linesOf('[ ]')).toEqual(['[]']);
    expect(linesOf('{"a":[1],"b":[[]]}')).toEqual(['{', '  "a": [1],', '  "b": [', '    []', '  ]', '}']);
  });

  it('is not laid out if it is too deep or too long', () => {
    const deep = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(linesOf(deep(budget.depth))).toHaveLength(2 * budget.depth - 1);
    expect(linesOf(deep(budget.depth + 1))).toBeUndefined();
    const long = (lines: number) => JSON.stringify(Array.from({ length: lines - 2 }, () => 1));
    expect(linesOf(long(budget.jsonLines))).toHaveLength(budget.jsonLines);
    expect(linesOf(long(budget.jsonLines + 1))).toBeUndefined();
  });

  it('stops growing its indentation', () => {
    const lines = linesOf(`${'['.repeat(25)}${']'.repeat(25)}`) ?? [];
    const indents = lines.slice(0, 25).map((line) => line.search(/\S/));
    expect(indents).toEqual(Array.from({ length: 25 }, (_, level) => 2 * Math.min(level, 20)));
  });
});

describe('the outline of JSON', () => {
  const text = '{"a":{"b":[{"c":1},{"C":"x"}]},"d":[1,2],"e":{}}';
  // 0 {, 1 a {, 2 b [, 3 {, 4 c, 5 }, 6 {, 7 C, 8 }, 9 ], 10 }, 11 d, 12 e, 13 }
  const outline = jsonOutlineOf(text)!;
  const many = JSON.stringify(Array.from({ length: 1_001 }, () => 1));

  it('has what folds, what is around, and the places in lists', () => {
    expect(outline.count).toBe(14);
    expect([...outline.foldEnd]).toEqual([13, 10, 9, 5, -1, -1, 8, -1, -1, -1, -1, -1, -1, -1]);
    expect([...outline.parent]).toEqual([-1, 0, 1, 2, 3, 2, 2, 6, 2, 1, 0, 0, 0, -1]);
    expect([...outline.ordinal]).toEqual([-1, -1, -1, 0, -1, -1, 1, -1, -1, -1, -1, -1, -1, -1]);
    expect(jsonOutlineOf('{')).toBeUndefined();
    expect(jsonOutlineOf(`${'['.repeat(300)}1${']'.repeat(300)}`)).toBeUndefined();
  });

  it('names members, and finds lines', () => {
    expect([1, 3, 4].map((line) => memberName(outline, line))).toEqual(['a', undefined, 'c']);
    expect([0, 4, 5, text.indexOf('"c"'), text.length].map((at) => lineAtOffset(outline, at))).toEqual([
      0, 1, 1, 4, 13,
    ]);
    const members = [['a', 'b'], ['e'], ['a', 'x']].map((names) => lineOfMember(outline, 0, names));
    expect([...members, lineOfMember(outline, 12, ['c'])]).toEqual([2, 12, 1, 12]);
    expect(findLines(outline, 'C"')).toEqual([4, 7]);
    expect(findLines(outline, '}')).toEqual([12]);
    expect(findLines(jsonOutlineOf(many)!, '1')).toHaveLength(1_000);
  });

  it.each([
    ['$.e', [12]],
    ["$['d','a']", [1, 11]],
    // Items of a short list have no lines.
    ['$.d[0]', [11]],
    ['$..c', [4]],
    ['$.a.b[1]', [6]],
    ['$.a.b[*].C', [7]],
    ['$.x', []],
    // Filters, slices, and functions of RFC 9535.
    ["$.a.b[?@.C == 'x']", [6]],
    ['$.a.b[?@["c"] >= 1 && !@.C]', [3]],
    ["$..[?search(@.C, '^(x|y)$')]", [6]],
    ['$.a.b[-1].C', [7]],
    ['$.a.b[0:1]', [3]],
    ['$.a[?count(@.*) > 1]', [2]],
    ['$[', null],
  ])('leads from %s to lines, in their order', (path, lines) => {
    expect(linesOfPath(text, path)).toEqual(lines);
  });

  it('leads from a path to at most a thousand lines, and to none of what is not JSON', () => {
    expect(linesOfPath('{', '$')).toBeNull();
    expect(linesOfPath(many, '$[*]')).toEqual(Array.from({ length: 1_000 }, (_, index) => index + 1));
  });

  it('has a path for each line, which leads to the same line, whatever its names', () => {
    expect([0, 2, 6, 7].map((line) => jsonPathOf(outline, line))).toEqual(['$', '$.a.b', '$.a.b[1]', '$.a.b[1].C']);
    const names = ['plain', 'a b', "it's", '"', '\\', '\\"', '\n', '\u0007', '', '0', 'ü', '雨', '$', "']"];
    const odd = JSON.stringify(Object.fromEntries(names.map((name, index) => [name, { value: index }])));
    const lines = jsonOutlineOf(odd)!;
    for (const name of names) {
      const line = lineOfMember(lines, 0, [name, 'value']);
      expect([name, linesOfPath(odd, jsonPathOf(lines, line))]).toEqual([name, [line]]);
    }
    expect(jsonPathOf(lines, lineOfMember(lines, 0, ['a b']))).toBe("$['a b']");
  });
});

const side = (part: Partial<Compared> = {}): Compared => ({
  method: 'POST',
  target: '/',
  headers: [],
  answeredStatus: 200,
  bodyBase64: '',
  ...part,
});
const differences = (older: Partial<Compared>, newer: Partial<Compared>) => {
  const found = differencesOf(side(older), side(newer));
  return {
    lines: found.lines.map(({ kind, text }) => `${{ same: ' ', gone: '-', new: '+', folded: '' }[kind]}${text}`),
    differing: found.differing,
    isCoarse: found.isCoarse,
    isOnlyWhiteSpace: found.isOnlyWhiteSpace,
  };
};

describe('differences', () => {
  it('are in the request, its headers, its response, and its body', () => {
    expect(
      differences(
        { headers: [['A', '1']], answeredStatus: 200, bodyBase64: base64('x\ny') },
        { method: 'PUT', headers: [['A', '1']], answeredStatus: 500, bodyBase64: base64('x\nz') },
      ),
    ).toEqual({
      lines: ['-POST /', '+PUT /', ' A: 1', '-Response: HTTP 200', '+Response: HTTP 500', ' ', ' x', '-y', '+z'],
      differing: 6,
      isCoarse: false,
      isOnlyWhiteSpace: false,
    });
    expect(differences({}, {})).toEqual({
      lines: [' POST /', ' Response: HTTP 200', ' ', ' '],
      differing: 0,
      isCoarse: false,
      isOnlyWhiteSpace: false,
    });
  });

  it('of JSON ignore white space; bytes are compared as a hex dump', () => {
    expect(differences({ bodyBase64: base64('{"a":1}') }, { bodyBase64: base64('{ "a": 1 }') })).toMatchObject({
      lines: [' POST /', ' Response: HTTP 200', ' ', ' {', '   "a": 1', ' }'],
      isOnlyWhiteSpace: true,
    });
    expect(
      differences({ bodyBase64: base64(Buffer.of(255)) }, { bodyBase64: base64(Buffer.of(254)) }).lines.slice(3),
    ).toEqual([
      '-00000000  ff                                               .',
      '+00000000  fe                                               .',
    ]);
    expect(
      differences({ bodyBase64: base64(Buffer.of(255)) }, { bodyBase64: base64('{"a":1}') }).lines.slice(3),
    ).toEqual(['-00000000  ff                                               .', '+{', '+  "a": 1', '+}']);
    // The same members one level deeper, and white space within a string.
    const deeper = differences(
      { bodyBase64: base64('{"a":{"b":1,"c":"x y"}}') },
      { bodyBase64: base64('{"b":1,"c":"xy"}') },
    );
    expect(deeper.lines.filter((line) => line.startsWith('+'))).toEqual(['+  "b": 1,', '+  "c": "xy"']);
    const repeated = '{"a":[1],"b":[1]}';
    expect(
      differences({ bodyBase64: base64(repeated) }, { bodyBase64: base64('{"a":[1],"c":0,"b":[1]}') }).lines.slice(3),
    ).toEqual([' {', '   "a": [1],', '+  "c": 0,', '   "b": [1]', ' }']);
  });

  it('are shown as rows, folded if wanted, within the budget', () => {
    const older = Array.from({ length: 30 }, (_, index) => `line ${index}`);
    // Unchanged are 0 to 9, 11 to 21 (of which 5 are far from both), and 23 to 29 (4 are far).
    const { lines: comparison } = compareTexts(older, older.with(10, 'x').with(22, 'y'));
    const near = (from: number, to: number) => older.slice(from, to);
    expect(shown(layRows(foldLines(comparison), unlimited))).toEqual([
      ['folded', '7 unchanged lines'],
      ...near(7, 10),
      ['gone', 'line 10'],
      ['new', 'x'],
      ...near(11, 14),
      ['folded', '5 unchanged lines'],
      ...near(19, 22),
      ['gone', 'line 22'],
      ['new', 'y'],
      ...near(23, 26),
      ['folded', '4 unchanged lines'],
    ]);
    const { lines: short } = compareTexts(older, older.with(10, 'x').with(21, 'y'));
    expect(shown(layRows(foldLines(short), unlimited)).filter((row) => row[0] === 'folded')).toHaveLength(2);
    const { lines: first } = compareTexts(['a', 'b'], ['b']);
    expect(shown(layRows(foldLines(first), unlimited))).toEqual([['gone', 'a'], 'b']);
    const cut = layRows(comparison, { rows: 2, characters: 1_000 });
    expect([shown(cut), cut.isCut]).toEqual([['line 0', 'line 1'], true]);
  });
});

describe('the viewers’ tasks', () => {
  const layOut = (source: { text: string } | { base64: string; charset?: string }, more = {}) => {
    const found = viewerTasks.layout({ source, portions: 1, ...more });
    return 'rows' in found ? { ...found, rows: shown(found.rows) } : { rows: undefined, count: found.outline.count };
  };

  it('lay out JSON, text, and bytes, after a head', () => {
    expect(layOut({ text: '[[1],[]]' }).count).toBe(4);
    expect(layOut({ base64: base64('[[1]]') }).count).toBe(3);
    expect(layOut({ text: '[' })).toEqual({ rows: ['['], isUnformatted: false });
    expect(layOut({ text: `${'['.repeat(300)}${']'.repeat(300)}` })).toMatchObject({ isUnformatted: true });
    expect(layOut({ text: '[[1]]' }, { as: 'text' }).rows).toEqual(['[[1]]']);
    expect(layOut({ text: 'a' }, { as: 'hex' }).rows).toEqual([expect.stringMatching(/^00000000 {2}61 .* a$/)]);
    expect(layOut({ base64: '/w==' }).rows).toEqual([expect.stringMatching(/^00000000 {2}ff /)]);
    expect(layOut({ base64: '6Q==', charset: 'latin1' }).rows).toEqual(['é']);
    expect(layOut({ text: '[[1]]' }, { head: 'POST /\n\n' }).rows).toEqual(['POST /', '', '[[1]]']);
    expect(layOut({ base64: '/w==' }, { head: 'POST /\n\n' }).rows).toEqual([
      'POST /',
      '',
      expect.stringMatching(/^00000000 {2}ff /),
    ]);
  });

  it('read parts, of which long ones are cut', () => {
    const part = (body: Buffer) => Buffer.concat([Buffer.from('--b\r\nX-A: 1\r\n\r\n'), body, Buffer.from('\r\n')]);
    const bodies = [
      Buffer.from(x(2_000)),
      Buffer.from(x(2_001)),
      Buffer.alloc(2_000, 255),
      Buffer.alloc(2_001, 255),
      Buffer.from('hi'),
    ];
    const source = { base64: Buffer.concat([...bodies.map(part), Buffer.from('--b--')]).toString('base64') };
    const { parts } = viewerTasks.body({ source, contentType: 'multipart/mixed; boundary=b' });
    expect(parts?.count).toBe(5);
    expect(parts?.parts.map(({ sizeBytes, isCut, text }) => [sizeBytes, isCut, text.slice(0, 13)])).toEqual([
      [2_000, false, x(13)],
      [2_001, true, x(13)],
      [2_000, false, '00000000  ff '],
      [2_001, true, '00000000  ff '],
      [2, false, 'hi'],
    ]);
    expect(viewerTasks.body({ source, contentType: 'text/plain' }).parts).toBeUndefined();
  });

  it('fold differences only in long comparisons', () => {
    // Three lines of the head, and the changed line twice.
    const body = (length: number, last: string) =>
      side({ bodyBase64: base64([...Array.from({ length: length - 5 }, (_, index) => `${index}`), last].join('\n')) });
    const run = (length: number, last: string) => {
      const found = viewerTasks.differences({ older: body(length, 'a'), newer: body(length, last), portions: 1 });
      return [found.rows.rows.length, found.differing];
    };
    expect(run(200, 'b')).toEqual([200, 2]);
    expect(run(201, 'b')).toEqual([6, 2]);
    expect(run(300, 'a')).toEqual([299, 0]);
  });
});
