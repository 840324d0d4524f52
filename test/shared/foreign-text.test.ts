// Text of strangers in spreadsheets and terminals. What spreadsheets take for a formula: OWASP, "CSV Injection".
import Papa from 'papaparse';
import { expect, test } from 'vitest';
import { csvCell, unguarded } from '#shared/text/csv-cell.ts';
import { printable, printableLines } from '#shared/text/terminal-text.ts';

const hostile = [
  '=1+1',
  '+cmd',
  '@SUM(A1)',
  '-2+3',
  '＝1+1',
  '＋1',
  '－1+1',
  '＠a',
  '\t=1',
  '\r=1',
  '\n=1+1',
  'a;=1+1',
  'a\t=1+1',
  'a\n=1+1;＝2',
  "'=1",
  "a;''=1",
  '"=1',
];

test.each(hostile)('the cell %j is not a formula with any separator, and can be read back', (text) => {
  const csv = `id,${csvCell(text)},end\r\n`;
  for (const delimiter of [',', ';', '\t']) {
    const cells = Papa.parse<string[]>(csv, { delimiter, quoteChar: delimiter === ',' ? '"' : '\0' }).data.flat();
    expect(cells.filter((cell) => /^[=+\-@＝＋－＠]/.test(cell))).toEqual([]);
  }
  expect(unguarded(Papa.parse<string[]>(csv, { delimiter: ',' }).data[0]?.[1] ?? '')).toBe(text);
});

test('numbers and ordinary text stay as they are', () => {
  const cells = ['-1.5', -1.5, 0, true, null, undefined, 'a; b', 'https://a.example/?b=-1', '2026-11-22T06:10:00Z'];
  expect(cells.map(csvCell).join(',')).toBe('-1.5,-1.5,0,true,,,a; b,https://a.example/?b=-1,2026-11-22T06:10:00Z');
});

test('a terminal receives no control characters and no direction marks', () => {
  const text = 'a\u001b]0;x\u0007\n\u009b2J\u202e\u2066b\r\nc';
  expect(printableLines(text)).toBe('a\\u001b]0;x\\u0007\n\\u009b2J\\u202e\\u2066b\nc');
  expect(JSON.parse(printable(JSON.stringify({ text })))).toEqual({ text });
});
