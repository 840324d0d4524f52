// What "create many" would do with pasted lines and CSV, and that a file which was exported here says nothing new when read again.
import fc from 'fast-check';
import { anyCharacter } from '#test/property-seed.ts';
import { describe, expect, test } from 'vitest';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { planImport, readFileColumns } from '#contract/monitor-files/import-plan.ts';
import { monitorsAsCsv, monitorsAsJson } from '#contract/monitor-files/export-monitors.ts';
import { monitorOf } from './monitor-samples.ts';

const torino = (part: Partial<AppMonitor> = {}): AppMonitor =>
  monitorOf('precipitation_1', { geo: { lat: 45.07, lng: 7.69 }, ...part });

const plan = (text: string, existing: readonly AppMonitor[] = [], monitorLimit: number | null = null) =>
  planImport(text, { existing, monitorLimit });

describe('pasted lines', () => {
  test('are created at this app, or at the callback they name', () => {
    expect(plan('45.07, 7.69\n\n# a comment\n-33.9,18.4,https://example.net/a?b=1\n')).toMatchObject([
      { line: 1, kind: 'create', draft: { geo: { lat: 45.07, lng: 7.69 }, callback: { kind: 'this-app' } } },
      { line: 4, kind: 'create', draft: { callback: { kind: 'address', uri: 'https://example.net/a?b=1' } } },
    ]);
  });

  test('each name their own error, and good lines beside them are kept', () => {
    const rows = plan('91,7\nabc,7\n45,7,ftp://x\n45,7,https://a.example/,b,c,d,e\n45,7');
    expect(rows.map(({ line, kind }) => [line, kind])).toEqual([
      [1, 'error'],
      [2, 'error'],
      [3, 'error'],
      [4, 'error'],
      [5, 'create'],
    ]);
    expect(rows[0]).toMatchObject({ message: expect.stringContaining('Latitude must be from') as string });
    expect(rows[2]).toMatchObject({ message: expect.stringContaining('HTTP') as string });
  });

  test('with decimal commas and semicolons are understood', () => {
    expect(plan('45,07;7,69;https://a.example/')).toMatchObject([{ draft: { geo: { lat: 45.07, lng: 7.69 } } }]);
  });

  test('beyond the plan’s limit are refused before anything is sent', () => {
    const rows = plan('1,1\n2,2\n3,3', [torino()], 3);
    expect(rows.map(({ kind }) => kind)).toEqual(['create', 'create', 'error']);
    expect(rows[2]).toMatchObject({ message: expect.stringContaining('monitor limit (3)') as string });
  });

  test('that say the same twice are created once', () => {
    expect(plan('1,1\n1.0,1.00').map(({ kind }) => kind)).toEqual(['create', 'skip']);
  });

  test('at the place of a monitor whose URL the service does not return are skipped, and say so', () => {
    const shy = torino({ callbackUri: null });
    expect(plan('45.07,7.69', [shy])).toMatchObject([
      { kind: 'skip', message: expect.stringContaining('does not return') as string },
    ]);
  });
});

describe('JSON', () => {
  test('names its entries in errors, and what is not JSON', () => {
    const text =
      '{"monitors":[{"geo":{"lat":1,"lng":2}},{"geo":{"lat":100,"lng":2}},{"geo":{"lat":1,"lng":3},"callback_uri":"ftp://x"}]}';
    expect(plan(text)).toMatchObject([
      { line: 1, kind: 'create', draft: { callback: { kind: 'this-app' } } },
      {
        line: 2,
        kind: 'error',
        message: expect.stringContaining('geo, lat: must be a number between -90 and 90') as string,
      },
      { line: 3, kind: 'error', message: expect.stringContaining('HTTP') as string },
    ]);
    expect(plan('{"monitors":[')).toMatchObject([{ line: 1, message: expect.stringContaining('JSON') as string }]);
    expect(plan('{"other":[]}')).toMatchObject([
      { line: 1, message: expect.stringContaining('contain a list') as string },
    ]);
  });
});

const point = { type: 'Point', coordinates: [7.69, 45.07, 239] };
const feature = { type: 'Feature', properties: { name: 'Torino', population: 1 }, geometry: point };

test.each<[what: string, value: object, name: string]>([
  ['a response of the service', { objects: [{ id: 'x', geo: point }], meta: {} }, ''],
  ['GeoJSON', { type: 'FeatureCollection', features: [feature] }, 'Torino'],
])('%s is read', (_what, value, name) => {
  expect(plan(JSON.stringify(value))).toMatchObject([
    { kind: 'create', draft: { geo: { lat: 45.07, lng: 7.69 } }, notes: { name } },
  ]);
});

test.each([
  ['sep=;\r\nlat;lng;name\r\n45,07;7,69;Torino', ';'],
  ['sep=,\nname,lat,lng\nTorino,45.07,7.69', ','],
  ['"sep=\t"\nname\tlat\tlng\nTorino\t45.07\t7.69', 'tab'],
  ['sep=|\rname|lat|lng\rTorino|45.07|7.69', '|'],
])('a file that names its delimiter %j is read', (text) => {
  expect(plan(text)).toMatchObject([
    { line: 3, kind: 'create', draft: { geo: { lat: 45.07, lng: 7.69 } }, notes: { name: 'Torino' } },
  ]);
  expect(
    readFileColumns(text)
      ?.map(({ column }) => column)
      .toSorted(),
  ).toEqual(['lat', 'lng', 'name']);
});

describe('CSV', () => {
  test('with a header in any order and case, quotes and line ends inside is read; lines are counted as editors do', () => {
    const text = '\uFEFFNote,Longitude,LAT,Name\r\n"two\nlines",7.69,45.07,"Torino, office"\r\n,x,1,\r\n';
    expect(plan(text)).toMatchObject([
      { line: 2, kind: 'create', notes: { name: 'Torino, office', note: 'two\nlines' } },
      { line: 4, kind: 'error' },
    ]);
  });

  test('with a quote that is never closed is refused, with the line of the quote', () => {
    const text = 'name,lat,lng\n"first",1,1\n"second,2,2\nthird,3,3\n';
    expect(plan(text)).toMatchObject([{ line: 3, kind: 'error', message: expect.stringContaining('quote') as string }]);
    expect(plan('name,lat,lng\n"a ""quoted"" name",1,1\n').map(({ kind }) => kind)).toEqual(['create']);
  });

  test('separates tags by semicolons or commas', () => {
    expect(plan('lat,lng,tags\n1,1,cust 7; eu\n2,2,"cust 7, eu"')).toMatchObject([
      { notes: { tags: ['cust 7', 'eu'] } },
      { notes: { tags: ['cust 7', 'eu'] } },
    ]);
  });

  test('with other headings is read by the columns that were chosen', () => {
    const text = 'Ort;Breite;Länge;Ziel\nTorino;45,07;7,69;https://a.example/\nBergen;60,39;5,32;\n';
    expect(readFileColumns(text)).toEqual([
      { heading: 'Ort', samples: ['Torino', 'Bergen'], column: null },
      { heading: 'Breite', samples: ['45,07', '60,39'], column: null },
      { heading: 'Länge', samples: ['7,69', '5,32'], column: null },
      { heading: 'Ziel', samples: ['https://a.example/', ''], column: null },
    ]);
    expect(plan(text)).toMatchObject([{ line: 1, kind: 'error' }]);
    const columns = ['name', 'lat', 'lng', 'callback_uri'] as const;
    expect(planImport(text, { existing: [], monitorLimit: null, columns })).toMatchObject([
      {
        line: 2,
        draft: { geo: { lat: 45.07, lng: 7.69 }, callback: { uri: 'https://a.example/' } },
        notes: { name: 'Torino' },
      },
      { line: 3, draft: { geo: { lat: 60.39, lng: 5.32 }, callback: { kind: 'this-app' } }, notes: { name: 'Bergen' } },
    ]);
    expect(readFileColumns('45,7\n46,8')).toBeNull();
  });

  test('never gives a spreadsheet a formula, and keeps coordinates plain numbers', () => {
    const csv = monitorsAsCsv([
      torino({
        name: '=HYPERLINK("http://evil")',
        note: '@SUM(A1)',
        tags: ['+cmd'],
        geo: { lat: -1.5, lng: -1e-7 },
      }),
    ]);
    expect(csv).toContain('"\'=HYPERLINK(""http://evil"")"');
    expect(csv).toContain(',-1.5,-0.0000001,');
    expect(csv).not.toMatch(/(^|,)"?[=+@]/m);
  });

  test('that was exported here plans nothing when it is read again, whatever was written into it', () => {
    const text = fc.string({ unit: anyCharacter, maxLength: 30 });
    const degrees = (limit: number) =>
      fc.oneof(
        fc.constantFrom(0, -0, limit, -limit),
        fc.integer({ min: -limit * 1e7, max: limit * 1e7 }).map((value) => value / 1e7),
      );
    const monitors = fc.array(
      fc.record({ name: text, note: text, tag: text, lat: degrees(90), lng: degrees(180), toThisApp: fc.boolean() }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(monitors, (records) => {
        const all = records.map(({ name, note, tag, lat, lng, toThisApp }, index) =>
          torino({
            id: `precipitation_${index}`,
            name,
            note,
            toThisApp,
            tags: [tag],
            geo: { lat, lng },
            callbackUri: `http://127.0.0.1:4545/hooks/${index}`,
          }),
        );
        const rows = plan(monitorsAsCsv(all), all);
        expect(rows.map(({ kind }) => kind)).toEqual(all.map(() => 'skip'));
        expect(JSON.parse(monitorsAsJson(all))).toMatchObject({ monitors: all.map(({ id }) => ({ id })) });
      }),
    );
  });

  test.each([
    ['CSV', (monitors: readonly AppMonitor[]) => monitorsAsCsv(monitors)],
    ['JSON', (monitors: readonly AppMonitor[]) => monitorsAsJson(monitors)],
  ])('as %s that was exported here gives the same monitors elsewhere', (_name, write) => {
    // What the app stores: without spaces at both ends, and without empty tags.
    const text = fc.string({ unit: fc.constantFrom(...Array.from('ab=+-@\'";,\\\t#é\n ')), maxLength: 8 });
    const word = text.map((value) => value.trim());
    const tag = word.filter((value) => value !== '');
    const monitors = fc.array(
      fc.record({
        name: word,
        note: text,
        tags: fc.uniqueArray(tag, { maxLength: 3 }),
        lat: fc.integer({ min: 1, max: 89 }),
      }),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(monitors, (records) => {
        const all = records.map((record, index) =>
          torino({ ...record, id: `precipitation_${index}`, geo: { lat: record.lat, lng: index / 7 } }),
        );
        const rows = plan(write(all));
        expect(rows.map((row) => (row.kind === 'create' ? { ...row.draft, ...row.notes } : row))).toEqual(
          all.map(({ geo, name, tags, note, callbackUri }) => ({
            geo,
            callback: { kind: 'address', uri: callbackUri },
            name,
            tags,
            note,
          })),
        );
      }),
    );
  });

  test('of any bytes is read without a throw', () => {
    const cell = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom('lat', 'lng', '"', ',', ';', '\t', '1', '-0', '\n'),
    );
    fc.assert(
      fc.property(fc.array(cell, { maxLength: 40 }), (cells) => {
        const rows = plan(cells.join(''));
        expect(rows.filter((row) => row.kind !== 'create' && row.message === '')).toEqual([]);
        const places = rows.flatMap((row) => (row.kind === 'create' ? [row.draft.geo] : []));
        expect(places.filter(({ lat, lng }) => !(Math.abs(lat) <= 90 && Math.abs(lng) <= 180))).toEqual([]);
      }),
    );
  });
});
