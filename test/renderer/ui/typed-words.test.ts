// What people type and copy: coordinates, addresses, the monitor form, curl, CSV, JSON laid out, bytes.
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import '#test/property-seed.ts';
import { describe, expect, it } from 'vitest';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import {
  addNewer,
  addOlder,
  emptyLog,
  newestId,
  rowAt,
  rowCount,
} from '#renderer/features/callbacks/common/callback-log.ts';
import { forecastCsv, forecastFileName } from '#renderer/features/forecast/forecast-csv.ts';
import { changesOf, formOf, readForm } from '#renderer/features/monitors/common/monitor-form.ts';
import { parseDegrees } from '#shared/text/coordinate-text.ts';
import { parseCallbackAddress } from '#shared/network/parse-callback-address.ts';
import { formatDuration, formatSize } from '#renderer/ui/text/durations.ts';
import { bytesOf, hexDump, textOf } from '#renderer/viewers/body-text.ts';
import { requestCode } from '#renderer/viewers/request-code.ts';
import { pointsOf } from '../forecast/forecast-points.ts';

describe('coordinates', () => {
  it('are read with a comma, a true minus or a degree sign, up to the very ends', () => {
    const read = (text: string) => parseDegrees(text, 'lng');
    expect(['7,69', '−180', '180°', ' 0.5 ', '-0'].map(read)).toEqual(
      [7.69, -180, 180, 0.5, 0].map((value) => ({ ok: true, value })),
    );
  });

  it('that are missing, words or out of range are refused with the rule, and swapped ones are suspected', () => {
    const problem = (text: string) => {
      const read = parseDegrees(text, 'lat');
      return read.ok ? 'accepted' : read.problem;
    };
    expect([problem(''), problem('north'), problem('1e3'), problem('120.5'), problem('200')]).toEqual([
      'Latitude is missing. Enter a number from −90 to 90.',
      'Latitude must be a decimal number such as 45.07.',
      'Latitude must be a decimal number such as 45.07.',
      'Latitude must be from −90 to 90. Are latitude and longitude swapped?',
      'Latitude must be from −90 to 90.',
    ]);
  });
});

describe('a callback address', () => {
  it.each([
    ['', 'Enter a URL'],
    ['example.net/rain', 'starts with https'],
    ['ftp://example.net/', 'only over HTTP or HTTPS'],
    ['https://user:secret@example.net/', 'username or password'],
    [`https://example.net/${'a'.repeat(2048)}`, 'at most 2048'],
  ])('such as "%.24s" is refused with words', (text, words) => {
    const read = parseCallbackAddress(text);
    expect(read.ok ? 'accepted' : read.problem).toContain(words);
  });

  it('is taken as it is typed', () => {
    expect(parseCallbackAddress(' https://example.net/rain?x=1 ')).toEqual({
      ok: true,
      value: 'https://example.net/rain?x=1',
    });
  });
});

describe('the monitor form', () => {
  const monitor: AppMonitor = {
    id: 'precipitation_1',
    monitorType: 'precipitation',
    callbackUri: 'https://example.net/rain',
    toThisApp: false,
    geo: { lat: 45.07, lng: 7.69 },
    uri: null,
    lastCallback: null,
    name: '',
    tags: [],
    note: '',
    deletion: null,
  };
  const changes = (of: AppMonitor, part: object) => {
    const read = readForm({ ...formOf(of), ...part });
    return read.ok ? changesOf(of, read.value) : read.problems;
  };

  it('sends nothing when nothing changed, and only the changed fields otherwise', () => {
    expect(changes(monitor, {})).toEqual({});
    expect(changes(monitor, { lat: '46' })).toEqual({ geo: { lat: 46, lng: 7.69 } });
    expect(changes(monitor, { target: 'this-app' })).toEqual({ callback: { kind: 'this-app' } });
    expect(changes(monitor, { address: 'https://example.net/other' })).toEqual({
      callback: { kind: 'address', uri: 'https://example.net/other' },
    });
  });

  it('does not change a URL that the service did not return', () => {
    const silent = { ...monitor, callbackUri: null };
    expect(formOf(silent).target).toBe('keep');
    expect(changes(silent, { lng: '8' })).toEqual({ geo: { lat: 45.07, lng: 8 } });
  });

  it('names each field that is wrong', () => {
    expect(Object.keys(changes(monitor, { lat: '91', lng: 'x', address: 'nowhere' }))).toEqual([
      'lat',
      'lng',
      'address',
    ]);
  });

  it('reads every coordinate back as it was', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -90, max: 90, noNaN: true }),
        fc.integer({ min: -180, max: 180 }),
        (latitude, lng) => {
          const lat = Number(latitude.toFixed(7)) + 0;
          expect(changes({ ...monitor, geo: { lat: lat === 0 ? 0 : lat, lng } }, {})).toEqual({});
        },
      ),
    );
  });
});

describe('curl', () => {
  it('carries quotes and blanks through a real shell as they are', () => {
    const command = requestCode('cURL', {
      method: 'GET',
      url: "http://127.0.0.1/a?b='c d'&e=$HOME",
      headers: [
        ['X-Odd', "it's `fine`"],
        ['accept', 'application/json'],
      ],
    });
    expect(command).toContain(" -H 'accept: application/json'");
    const printed = execFileSync('sh', ['-c', command.replace(/^curl/, `printf '%s\\n'`)], { encoding: 'utf8' });
    expect(printed.split('\n').slice(0, 3)).toEqual(["http://127.0.0.1/a?b='c d'&e=$HOME", '-H', "X-Odd: it's `fine`"]);
  });
});

describe('the token in a curl command', () => {
  const request = {
    method: 'GET',
    url: 'http://127.0.0.1/v2/weather/',
    headers: [
      ['authorization', 'Bearer ••••••••'],
      ['accept-encoding', 'gzip'],
    ] satisfies [string, string][],
  };
  const printed = (command: string) =>
    execFileSync('sh', ['-c', command.replace(/^curl/, `printf '%s\\n'`)], {
      encoding: 'utf8',
      env: { ...process.env, ACCESS_TOKEN: 'of the shell' },
    }).split('\n');

  it('is the shell’s variable, and the response is decoded', () => {
    expect(printed(requestCode('cURL', request))).toContain('authorization: Bearer of the shell');
    expect(printed(requestCode('cURL', request)).at(-2)).toBe('--compressed');
  });
});

describe('CSV', () => {
  it('quotes what needs quotes and disarms what a spreadsheet would run', () => {
    const points = pointsOf(Date.parse('2026-11-21T00:00:00Z'), ['=HYPERLINK("x")'], (point) => ({
      ...point,
      location: { locality: 'Torino, "centro"', country: 'Italy' },
      sources: ['a', 'b'],
      measured: { temperature: 280 },
    }));
    const [head, line] = forecastCsv({ points }).split('\r\n');
    expect(head?.split(',').slice(0, 3)).toEqual(['timestamp', 'status', 'is_day']);
    expect(line).toContain(`2026-11-21T00:00:00,"'=HYPERLINK(""x"")",1,10,45,7,1,"Torino, ""centro""",Italy,`);
    expect(line).toContain(',a b,280,,');
  });

  it('is named by place and time', () => {
    expect(forecastFileName('São Paulo', '2026-11-21T02:54:18.123Z')).toBe('rainbell-sao-paulo-2026-11-21T0254Z');
  });
});

describe('bodies', () => {
  it('that are not UTF-8 are told apart and shown as bytes', () => {
    const bytes = bytesOf(btoa('\xff\x00Ab'));
    expect(textOf(bytes)).toBeUndefined();
    expect(hexDump(bytes)).toBe('00000000  ff 00 41 62                                      ..Ab');
  });
});

describe('the log of callbacks', () => {
  const row = (id: number) => ({
    id,
    receivedAt: '2026-11-21T00:00:00.000Z',
    method: 'POST',
    target: '/',
    remoteAddress: '127.0.0.1',
    sizeBytes: 0,
    answeredStatus: 200,
    outcome: { kind: 'answered' as const, at: '2026-11-21T00:00:00.000Z', afterMs: 0, bytesSent: 0 },
    refusal: null,
    monitorId: null,
    isMonitorOwn: false,
    verdict: 'ok' as const,
    verdictName: 'request' as const,
    kind: 'other' as const,
    hasNote: false,
    isImported: false,
    isByFeed: false,
  });

  it('grows at both ends without doubling what it knows', () => {
    const log = emptyLog();
    addOlder(log, [row(5), row(4)]);
    expect(addNewer(log, [row(7), row(6), row(5)])).toBe(2);
    addOlder(log, [row(4), row(3)]);
    expect(Array.from({ length: rowCount(log) }, (_, index) => rowAt(log, index)?.id)).toEqual([7, 6, 5, 4, 3]);
    expect(newestId(log)).toBe(7);
  });
});

describe('durations and sizes', () => {
  it('are written the way people say them', () => {
    const minute = 60_000;
    expect([30_000, 12 * minute, 400 * minute, 1440 * minute, 3000 * minute].map(formatDuration)).toEqual([
      '30 s',
      '12 min',
      '6 h 40 min',
      '24 h',
      '2 d 2 h',
    ]);
    expect([312, 24_600, 3_100_000].map(formatSize)).toEqual(['312 B', '24.6 kB', '3.1 MB']);
  });
});
