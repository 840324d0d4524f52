// `npm run service` as a user or a script starts it: what it prints, what it refuses and in which words, how it ends.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Migration } from 'kysely/migration';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { serviceIntroductionSchema } from '#contract/service-api/sandbox.ts';
import { migrations, openServiceDatabase } from '#service/app/open-service-database.ts';
import { readInvocation } from '#service/config/config.ts';
import { settings } from '#service/config/settings.ts';
import { copiedFile, listCopies } from '#shared/node/database-copies.ts';
import { runServiceProcess, startServiceProcess } from '#test/stories/service-process.ts';
import { startOwnService } from '#test/service/start-own-service.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { listen } from '#test/setup/listen.ts';
import { describeFailure, StartError } from '#service/errors/start-error.ts';

describe('the settings', () => {
  it('are all listed by --help, with their unit and flag', () => {
    const help = readInvocation(['--help'], {});
    const output = help.kind === 'help' ? help.text : '';
    for (const row of Object.values(settings)) {
      expect(output).toContain(row.environment);
      expect(output).toContain(row.meaning);
      expect(output).toMatch('flag' in row ? new RegExp(`--${row.flag}[ ,]`) : row.environment);
    }
  });

  it.each<[string[], Record<string, string>, string]>([
    [['--port', '65536'], {}, '--port must be a whole number'],
    [['--provider', 'sun'], {}, '--provider must be one of auto, open-meteo, met-norway, simulation'],
    [['--clock', 'yesterday'], {}, '--clock must be a time like'],
    [[], { RAINBELL_TRUSTED_PROXIES: 'proxy.lan' }, 'RAINBELL_TRUSTED_PROXIES must be addresses or ranges'],
    [['--colour', 'red'], {}, "Unknown option '--colour'"],
    [['now'], {}, "Unexpected argument 'now'"],
    [['--host', '-x'], {}, "To specify an option argument starting with a dash use '--host=-XYZ'. Run with --help"],
    [[], { RAINBELL_ACCESS_LOG: 'x' }, 'RAINBELL_ACCESS_LOG must be on or off. It was "x".'],
    [[], { RAINBELL_OPEN_METEO_URL: 'nowhere' }, 'RAINBELL_OPEN_METEO_URL must be an http or https URL'],
  ])('refuse %j with %j in a sentence', (flags, environment, words) => {
    expect(() => readInvocation(flags, environment)).toThrow(words);
  });

  it('may have a time without a zone, which is UTC', () => {
    const invocation = readInvocation(['--clock', '2026-03-01T12:00:00'], {});
    expect(invocation).toMatchObject({ config: { clockStart: '2026-03-01T12:00:00Z' } });
  });

  it.each<[string[], Record<string, string>, string]>([
    [['--port', 'abc'], {}, '--port must be a whole number'],
    [['--allow-lan'], { RAINBELL_REGISTRATION: 'open' }, 'RAINBELL_REGISTRATION=open and --allow-lan'],
  ])('that are wrong (%j with %j) end the service with exit code 2', async (flags, environment, words) => {
    const { code, output, complaints } = await runServiceProcess(flags, environment);
    expect([code, output]).toEqual([2, '']);
    expect(complaints).toContain(words);
    expect(complaints).not.toMatch(/\n\s+at /);
  });
});

describe('a secret in a file', () => {
  const secret = 'geheim-genug-und-lang';
  const file = (text: string) => {
    const path = join(temporaryFolder(), 'secret');
    writeFileSync(path, text);
    return path;
  };
  const read = (environment: Record<string, string>) => () => readInvocation([], environment);

  it('reaches the service, without the end of line', () => {
    const url = `postgres://me:${secret}@127.0.0.1:9/x`;
    expect(read({ RAINBELL_DATABASE_FILE: file(`${url}\n`) })()).toMatchObject({ config: { databaseUrl: url } });
  });

  it.each([
    ['RAINBELL_DATABASE', `mysql://${secret}/y`, 'RAINBELL_DATABASE must be a URL like postgres://'],
    ['RAINBELL_SMTP_URL', `http://${secret}`, 'RAINBELL_SMTP_URL must be a URL like smtp://'],
    ['RAINBELL_SECRET_KEY', 'short', 'RAINBELL_SECRET_KEY'],
  ])('is read as %s, and not shown if it is wrong', (name, value, words) => {
    const wrong = read({ [`${name}_FILE`]: file(`${value}\n`) });
    expect(wrong).toThrow(words);
    expect(wrong).not.toThrow(value);
  });

  it('has a file that can be read and is not empty, and no second value', () => {
    const [empty, missing] = [file('\n'), join(temporaryFolder(), 'missing')];
    expect(read({ RAINBELL_SECRET_KEY_FILE: empty })).toThrow(`${empty} is empty`);
    expect(read({ RAINBELL_SECRET_KEY_FILE: missing })).toThrow(`${missing} cannot be read`);
    expect(read({ RAINBELL_SECRET_KEY_FILE: empty, RAINBELL_SECRET_KEY: secret })).toThrow('are both set');
  });
});

describe('a machine that does not allow it', () => {
  it('a taken port, on which the service ends with exit code 1 and without a stack trace', async () => {
    const other = createServer();
    const port = await listen(other);
    const { code, output, complaints } = await runServiceProcess(['--port', `${port}`, '--data', temporaryFolder()]);
    expect([code, output]).toEqual([1, '']);
    expect(complaints).toContain(`Port ${port} on 127.0.0.1 is already taken`);
    expect(complaints).not.toMatch(/\n\s+at /);
  });

  it('an address of another machine', async () => {
    await expect(startOwnService({ host: '192.0.2.1' })).rejects.toThrow('cannot listen on 192.0.2.1');
  });

  it('a PostgreSQL that does not answer, without saying the password', async () => {
    const databaseUrl = 'postgres://me:geheim@127.0.0.1:9/x';
    await expect(startOwnService({ databaseUrl, databaseWaitSeconds: 0 })).rejects.toThrow(
      'postgres://me@127.0.0.1:9/x cannot be reached (ECONNREFUSED)',
    );
  });
});

describe('an older database', () => {
  it('is copied aside before it is changed', async () => {
    const folder = temporaryFolder();
    const file = join(folder, 'service.sqlite');
    const log = pino({ level: 'silent' });
    const old = await openServiceDatabase({ file, clock: systemClock, log });
    await old.close();
    const removal: Migration = { up: (db) => db.schema.dropTable('events').execute() };
    const later = { ...migrations, '9999-without-events': removal };
    const renewed = await openServiceDatabase({ file, clock: systemClock, log, migrations: later });
    await renewed.close();
    const [made, ...others] = listCopies(file);
    expect(others).toEqual([]);
    const copy = new DatabaseSync(copiedFile(file, made?.name ?? ''));
    expect(copy.prepare("SELECT name FROM sqlite_master WHERE name IN ('monitors', 'events')").all()).toHaveLength(2);
    copy.close();
  });
});

describe('a service that runs', () => {
  it('prints one line for programs, the same after a restart, and ends cleanly on either signal', async () => {
    const flags = ['--data', temporaryFolder(), '--provider', 'simulation'];
    const first = await startServiceProcess(flags);
    expect(await first.stop()).toBe(0);
    const second = await startServiceProcess(flags);
    onTestFinished(async () => void (await second.stop()));
    const { baseUrl: _, authUrl: __, ...credentials } = first.introduction;
    expect(second.introduction).toMatchObject(credentials);
    expect(Object.keys(second.introduction).toSorted()).toEqual(
      Object.keys(serviceIntroductionSchema.shape).toSorted(),
    );
    expect(second.introduction.authUrl).toBe(second.introduction.baseUrl);
    const ended = once(second.child, 'exit');
    second.child.kill('SIGINT');
    expect(await ended).toEqual([0, null]);
  });
});

it.each([
  [{}, false],
  [{ role: 'api' }, true],
  [{ role: 'sweeper' }, false],
  [{ role: 'api', host: '127.0.0.1' }, false],
] as const)('a service on all addresses, or as %j says, warns of unknown proxies: %j', async (part, isWarned) => {
  let log = '';
  const parts = { log: pino({}, { write: (line: string) => void (log += line) }) };
  await startOwnService({ host: '0.0.0.0', ...part }, parts);
  expect(log.includes('RAINBELL_TRUSTED_PROXIES is not set')).toBe(isWarned);
});

const fullDisk = Object.assign(new Error('write'), { code: 'ENOSPC' });

it.each([
  [new StartError('settings', 'RAINBELL_PORT is wrong.'), 'The service failed', 'RAINBELL_PORT is wrong.'],
  [new StartError('settings', 'RAINBELL_PORT is wrong.'), undefined, 'RAINBELL_PORT is wrong.'],
  [fullDisk, 'The service failed', 'The service failed: the disk is full. Free some space on that disk.'],
  [fullDisk, undefined, 'the disk is full. Free some space on that disk.'],
  [new Error('boom'), 'The service failed', 'The service failed: boom'],
  [new Error('boom'), undefined, 'boom'],
  ['boom', undefined, 'boom'],
])('a failure (%s), introduced by “%s”, is described as “%s”', (error, what, described) => {
  expect(describeFailure(error, what)).toBe(described);
});
