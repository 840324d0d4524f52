// The help of `rainbell`, and its response to wrong usage: one clear sentence and exit code 2.
import { readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkCaseIds } from '#contract/app-rpc/check-cases.ts';
import { readDuration, readSince } from '#command-line/terminal/read-time.ts';
import { exitCodeMeanings } from '#command-line/terminal/exit-codes.ts';
import { createOutput } from '#command-line/terminal/output.ts';
import { readArguments } from '#command-line/terminal/arguments.ts';
import { runRainbell, version } from './rainbell-process.ts';

const project = fileURLToPath(new URL('../../', import.meta.url));
const serviceUsage =
  '[--json] [--connection NAME | --base-url URL --client-id ID] [--client-secret-stdin] [--data DIR]';
const overviewUsage = 'Usage: rainbell COMMAND [ARGUMENTS] [OPTIONS] (rainbell --help lists the commands)';
const listenUsage = `Usage: rainbell listen [--filter QUERY] [--print body|headers|all] [--forward-to URL] [--feed] [--port N] [--quiet] ${serviceUsage}`;
const service = ['--base-url', 'https://api.example.com', '--client-id', 'client1'];

test('a file that goes to a terminal, and any JSON, has no control characters', () => {
  const write = (isTTY: boolean) => {
    let text = '';
    const out = Object.assign(
      new Writable({
        write(chunk, _encoding, done) {
          text += String(chunk);
          done();
        },
      }),
      { isTTY },
    );
    const output = createOutput({ out, words: out });
    output.show('a\u001b[2J\r\n');
    output.printJson({ a: '\u009b2J\u202e' });
    return text;
  };
  expect(write(true)).toBe('a\\u001b[2J\n{"a":"\\u009b2J\\u202e"}\n');
  expect(write(false)).toBe('a\u001b[2J\r\n{"a":"\\u009b2J\\u202e"}\n');
});

test('a value may start with a hyphen, as searches and secrets can', () => {
  const options = { query: { value: 'QUERY', words: '' }, json: { words: '' }, help: { words: '' } };
  for (const value of ['-path:/b', '-is:retry', '-header:x=1', '-33.9'])
    expect(readArguments(['--query', value, '--json'], options).text('query')).toBe(value);
  expect(readArguments(['--query', 'x', '-h'], options).isSet('help')).toBe(true);
  expect(() => readArguments(['--query', '--json'], options)).toThrow(/^option '--query' argument is ambiguous$/);
  expect(() => readArguments(['-path:/b'], options)).toThrow(/^unknown option '-p'$/);
});

test('a duration is in seconds or has a unit, and “since” is a time, in UTC if it names no zone, or an age', () => {
  const durations = ['60', '0', '1.5s', '250ms', '2h'].map((text) => readDuration('timeout', text));
  expect(durations).toEqual([60_000, 0, 1500, 250, 7_200_000]);
  for (const text of ['', '-1', '5 m', '25d', '1e3', 'Infinity'])
    expect(() => readDuration('timeout', text)).toThrow('--timeout must be');
  const now = Date.UTC(2026, 10, 21, 12);
  expect(readSince('since', '2026-11-21T08:00:00', now)).toBe(now - 4 * 3_600_000);
  expect(readSince('since', '2026-11-21T08:00:00+01:00', now)).toBe(now - 5 * 3_600_000);
  expect(readSince('since', '90s', now)).toBe(now - 90_000);
});

describe('rainbell with a wrong command line', () => {
  test('as a process prints one sentence on stderr and exits with 2', async () => {
    const { code, out, words } = await runRainbell(['wait', '--count', '0']);
    expect({ code, out, words }).toEqual({
      code: 2,
      out: '',
      words: 'error: --count must be a whole number from 1 to 10000, not “0”.\n',
    });
    const piped = await runRainbell(['monitors', 'list', ...service, '--client-secret-stdin'], { input: '' });
    expect(piped).toEqual({
      code: 2,
      out: '',
      words: 'error: Standard input is empty. Pipe the secret into this command.\n',
    });
  });

  test.each<[string[], string]>([
    [['help', 'lisen'], `unknown command “lisen”\n${overviewUsage}`],
    [['lisen'], `unknown command “lisen”\n${overviewUsage}`],
    [
      ['monitors'],
      'Choose one of: rainbell monitors list, rainbell monitors create, rainbell monitors update, rainbell monitors delete, rainbell monitors plan, rainbell monitors apply, rainbell monitors import, rainbell monitors export.',
    ],
    [['listen', '--colour'], `unknown option '--colour'\n${listenUsage}`],
    [['listen', '--client-id', 'a'], '--client-id selects the feed’s service: add --feed, or omit --client-id.'],
    [
      ['listen', '--filter', 'status:nothing'],
      '--filter: “status:nothing” at character 1: “status:” must be followed by a status such as 503, a class such as 5xx, or closed.',
    ],
    [
      ['listen', '--forward-to', 'http://user:pw@localhost:3000'],
      '--forward-to must be a full http:// or https:// URL without a query, a username, or a password.',
    ],
    [['listen', '--port', '70000'], '--port must be a whole number from 0 to 65535, not “70000”.'],
    [['listen', '--data', ''], '--data must name a folder.'],
    [['wait', '--monitor', ' '], '--monitor must be a monitor’s ID, such as precipitation_12.'],
    [
      ['wait', '--secret', 'a'],
      'A secret can’t be passed as an argument, because other programs could read it. This command doesn’t use a secret.',
    ],
    [
      ['signature', '1', '--webhook-secret', 'a'],
      'A secret can’t be passed as an argument, because other programs could read it. Set RAINBELL_WEBHOOK_SECRET, or pipe it in with --webhook-secret-stdin.',
    ],
    [
      ['wait', '--monitor', 'a', '--timeout', 'soon'],
      '--timeout must be seconds, or a duration such as 90s, 5m, or 2h, up to 24d, not “soon”.',
    ],
    [
      ['wait', '--monitor', 'a', '--since', 'noon'],
      '--since must be “now”, a time such as 2026-11-21T08:00:00Z, a day such as sat, or how long ago, such as 90s or 5m, not “noon”.',
    ],
    [
      ['check', 'http://127.0.0.1:1/', '--only', 'sametwice', '--yes'],
      `unknown case “sametwice” in --only. The cases are ${checkCaseIds.join(', ')}.`,
    ],
    [['forecast', '45'], `missing LNG\nUsage: rainbell forecast LAT LNG ${serviceUsage}`],
    [['forecast', '-91', '7'], 'LAT must be decimal degrees from -90 to 90, not “-91”.'],
    [
      ['rain'],
      `specify either --monitor ID or --location LAT,LNG\nUsage: rainbell rain (--monitor ID | --location LAT,LNG) [--mm N] [--kind KIND] [--minutes N | --series FILE] [--skip-cool-down] ${serviceUsage}`,
    ],
    [
      ['rain', '--location', '45.07'],
      '--location must be latitude and longitude in degrees, such as 45.07,7.69, not “45.07”.',
    ],
    [
      ['monitors', 'update', 'a'],
      `missing --location LAT,LNG, --callback URL, --this-app, --pause, or --resume\nUsage: rainbell monitors update ID [--location LAT,LNG] [--callback URL | --this-app [--port N]] [--pause | --resume] ${serviceUsage}`,
    ],
    [
      ['monitors', 'list', '--client-id', 'a'],
      '--base-url and --client-id belong together; omit both to use the sandbox on this computer.',
    ],
    [
      ['monitors', 'list', ...service],
      'The client secret is missing: set RAINBELL_CLIENT_SECRET, or pipe it in with --client-secret-stdin. For a public client, sign in with rainbell login.',
    ],
    [
      ['monitors', 'create', '45', '7', ...service],
      'A remote service can’t reach this computer: use --callback with a URL that it can reach.',
    ],
    [
      ['monitors', 'create', '45', '7', '--port', '1', '--callback', 'https://example.com'],
      '--callback and --port can’t be used together: the port is part of the callback URL.',
    ],
  ])('%j', async (args, sentence) => {
    expect(await runRainbell(args)).toEqual({ code: 2, out: '', words: `error: ${sentence}\n` });
  });

  test.each([
    [['monitors', 'list', ...service, '--client-secret', 'tops3cret']],
    [['monitors', 'list', ...service, '--secret=tops3cret']],
    [['monitors', 'list', ...service, 'tops3cret']],
    [['monitors', 'list', '--base-url', 'https://user:tops3cret@example.com', '--client-id', 'a']],
  ])('repeats no secret that was typed in the wrong place: %j', async (args) => {
    const { code, out, words } = await runRainbell(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(words).not.toContain('tops3cret');
    expect(words.split('\n').filter((line) => line.startsWith('error: '))).toHaveLength(1);
  });

  test('sends a secret to another machine encrypted or not at all', async () => {
    const args = ['forecast', '45', '7', '--base-url', 'http://192.0.2.1', '--client-id', 'a'];
    const { code, words } = await runRainbell(args, { environment: { RAINBELL_CLIENT_SECRET: 'tops3cret' } });
    expect(code).toBe(2);
    expect(words).toMatch(/^error: The base URL must start with https:\/\/ .*\.\n$/);
  });
});

describe('rainbell prints its help', () => {
  const sections = ['Usage', 'Options', 'Examples', 'Exit codes'];
  const ofCallbacks = ['listen', 'wait', 'tunnel', 'replay', 'signature', 'verify', 'export', 'check', 'dev'];
  const ofMonitors = ['list', 'create', 'update', 'delete', 'plan', 'apply', 'import', 'export'];
  const ofService = [
    'forecast',
    'rain',
    'test-event',
    'why',
    'events',
    'service',
    'check-providers',
    'login',
    'logout',
  ];
  const commands = [...ofCallbacks, ...ofMonitors.map((name) => `monitors ${name}`), ...ofService, 'mcp'];

  test('names every command and exit code in its overview', async () => {
    const { code, out, words } = await runRainbell(['--help']);
    expect({ code, words }).toEqual({ code: 0, words: '' });
    for (const name of commands) expect(out).toContain(`\n  ${name}`);
    for (const [exitCode, meaning] of exitCodeMeanings)
      expect(out).toMatch(new RegExp(`  ${exitCode} +${meaning.slice(0, 20)}`));
    expect((await runRainbell([])).out).toBe(out);
    // Names and summaries fit a terminal of 80 columns side by side.
    expect(Math.max(...out.split('\n').map((line) => line.search(/(?<=\S {2,})\S/)))).toBeLessThan(32);
  });

  test.each([
    [['--version'], `rainbell ${version}\n`],
    [['-V'], `rainbell ${version}\n`],
    [['-h'], expect.stringContaining('\n  listen')],
    [['wait', '-h'], expect.stringMatching(/^Usage: rainbell wait /)],
    [['help', 'wait'], expect.stringMatching(/^Usage: rainbell wait /)],
    [['help', 'monitors', 'create'], expect.stringMatching(/^Usage: rainbell monitors create /)],
  ])('takes the short forms, and help before a command: %j', async (args, out) => {
    expect(await runRainbell(args)).toEqual({ code: 0, out, words: '' });
  });

  test.each(commands)(
    '%s --help prints its usage, options, examples, and exit codes, whatever else is given',
    async (name) => {
      const { code, out } = await runRainbell([...name.split(' '), 'a', 'b', 'c', '--help']);
      expect(code).toBe(0);
      expect(out).toMatch(new RegExp(`^Usage: rainbell ${name} `));
      // What it prints is for programs already, or can be.
      expect(out).toMatch(/--json|--format|--junit|--with|mcp/);
      const headings = [...out.matchAll(/^([A-Z][a-z ]+):/gm)].map(([, heading]) => heading);
      expect(headings.filter((heading) => sections.includes(heading ?? ''))).toEqual(sections);
      for (const [, example] of out.matchAll(/^ {2}(rainbell .*)/gm))
        expect(example).toMatch(new RegExp(`^rainbell ${name}( |$)`));
    },
  );

  test('has its exit codes in docs/command-line.md as they are', () => {
    const text = readFileSync(`${project}docs/command-line.md`, 'utf8');
    const rows = [...text.matchAll(/^\| (\d+) \| (.+) \|$/gm)].map(([, code, words]) => [Number(code), words]);
    expect(rows).toEqual(exitCodeMeanings);
  });

  test('has every option that docs/command-line*.md names', async () => {
    const text = ['', '-formats', '-scripts']
      .map((page) => readFileSync(`${project}docs/command-line${page}.md`, 'utf8'))
      .join('');
    const helps = await Promise.all(
      commands.map(async (name) => (await runRainbell([...name.split(' '), '--help'])).out),
    );
    const flagsIn = (words: string) => new Set(words.match(/--[a-z]+(-[a-z]+)*/g) ?? []);
    // Of npm, and of `npm run headless`.
    const known = flagsIn(`${helps.join('\n')} --silent --version`);
    expect([...flagsIn(text)].filter((flag) => !known.has(flag))).toEqual([]);
  });
});
