// The pages of operators: who sees them, what they change with the operator's password, and the audit log of it, together with that of
// the command line.
import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pino } from 'pino';
import { systemClock } from '#shared/time/clock.ts';
import { createAuditLog } from '#service/accounts/audit-log.ts';
import { openServiceDatabase } from '#service/app/open-service-database.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { operator } from '../oauth/operator-process.ts';
import { basic, postToken } from '../oauth/oauth-service.ts';
import { engines, newDatabase } from '../service/engines.ts';
import { temporaryFolder } from '../service/monitor-service.ts';
import {
  ann,
  createApplication,
  createVisitor,
  credential,
  feedbackOf,
  register,
  startWebsite,
} from './website-service.ts';

const boss = { username: 'boss', email: 'boss@example.org', password: 'the boss is here' };
const paths = ['', 'accounts/', 'applications/', 'limits/', 'providers/', 'audit/', 'outbox/'];

async function start() {
  const service = await startWebsite({ planApproval: 'on' });
  const visitor = createVisitor(service.baseUrl);
  await register(visitor);
  const created = await createApplication(visitor);
  const chief = createVisitor(service.baseUrl);
  await service.oauth.accounts.create({ ...boss, isOperator: true });
  await chief.send('/sign-in/', boss);
  const account = await service.oauth.accounts.findNamed('ann');
  const [clientId, secret] = [credential(created, 'client_id'), credential(created, 'client_secret')];
  const audit = async () =>
    (await service.oauth.auditLog.list(50, 0)).map(({ via, actor, action, target, details, outcome }) =>
      [via, actor, action, target, details, outcome].join(' '),
    );
  return { service, visitor, chief, accountId: account?.id ?? '', clientId, secret, created, audit };
}

describe('the pages', () => {
  it('exist for operators only, and show no secret', async () => {
    const { visitor, chief, accountId, clientId, secret, service } = await start();
    const stored = await service.db.selectFrom('applications').select('secret_hash').execute();
    const passwords = await service.db.selectFrom('accounts').select('password_hash').execute();
    const secrets = [
      secret,
      service.sandbox.clientSecret,
      ...stored.map((row) => row.secret_hash ?? secret),
      ...passwords.map((row) => row.password_hash),
    ];
    for (const path of [...paths, `accounts/${accountId}/`, `applications/${clientId}/`]) {
      expect([path, (await visitor.get(`/operator/${path}`)).status]).toEqual([path, 404]);
      const { status, text } = await chief.get(`/operator/${path}`);
      expect([path, status]).toEqual([path, 200]);
      expect(secrets.filter((one) => text.includes(one))).toEqual([]);
    }
    const { text: providers } = await chief.get('/operator/providers/');
    expect(providers).toContain('open-meteo: it returned 429');
    expect(providers.replaceAll(/<[^>]*>|\s+/g, ' ')).toMatch(/open-meteo\s+today \(UTC\)\s+1,234/);
    expect((await chief.get('/operator/accounts/?search=ANN%40')).text).toContain(`/operator/accounts/${accountId}/`);
    expect((await chief.get('/operator/accounts/?search=%25')).text).toContain('No accounts found');
    expect((await chief.get(`/operator/applications/?search=${clientId}`)).text).toContain('Umbrella');
  });

  it('change an account and an application with the password, and write it down', async () => {
    const { service, chief, visitor, accountId, clientId, secret, audit } = await start();
    const path = `/operator/accounts/${accountId}/`;
    const tokens = async () =>
      (await postToken(service, { grant_type: 'client_credentials' }, { authorization: basic(clientId, secret) }))
        .status;
    expect(await tokens()).toBe(200);
    const change = { state: 'disabled', applications: '3', monitors: '' };
    expect(feedbackOf(await chief.send(path, { ...change, password: 'wrong' }))).toEqual(['credentials_wrong']);
    expect(feedbackOf(await chief.send(path, { ...change, password: '' }))).toEqual(['credentials_missing']);
    const page = await chief.get(path);
    const csrf = /name="csrf" value="([^"]*)"/.exec(page.text)?.[1] ?? '';
    const forged = { ...change, password: boss.password, csrf: csrf.replace(/^./, csrf.startsWith('0') ? '1' : '0') };
    expect((await chief.submitOnly(page, path, forged)).status).toBe(403);
    const own = await visitor.get('/account/');
    const ownCsrf = /name="csrf" value="([^"]*)"/.exec(own.text)?.[1] ?? '';
    const asUser = { ...change, password: ann.password, csrf: ownCsrf };
    expect((await visitor.submitOnly(own, path, asUser)).status).toBe(404);
    expect(await audit()).toEqual([]);
    expect(await tokens()).toBe(200);

    expect(feedbackOf(await chief.send(path, { ...change, password: boss.password }))).toEqual(['operator_saved']);
    expect(await tokens()).toBe(401);
    expect((await visitor.get('/account/')).text).toContain('<h1>Sign in</h1>');
    await chief.send(path, { ...change, state: 'enabled', password: boss.password });
    expect(await tokens()).toBe(200);
    const application = `/operator/applications/${clientId}/`;
    await chief.send(application, { state: 'disabled', password_grant: 'yes', password: boss.password });
    expect(await tokens()).toBe(401);
    service.clock.advance(1);
    expect((await audit()).toSorted()).toEqual(
      [
        'website boss account limits ann {"applications":3,"monitors":null} done',
        'website boss account disable ann {} done',
        'website boss account enable ann {} done',
        `website boss application authorize ${clientId} {} done`,
        `website boss application disable ${clientId} {} done`,
      ].toSorted(),
    );
    expect((await chief.get('/operator/limits/')).text).toContain('>ann</a>');
    const ownPath = `/operator/accounts/${(await service.oauth.accounts.findNamed('boss'))?.id}/`;
    const disabled = await chief.send(ownPath, { state: 'disabled', password: boss.password });
    expect(feedbackOf(disabled)).toEqual(['data_problem']);
  });

  it('decide on a plan that waits', async () => {
    const { service, chief, visitor, accountId, audit } = await start();
    await visitor.send('/contracts/new/', { plan: 'storm' });
    const { id } = await service.db
      .selectFrom('contracts')
      .select('id')
      .where('account_id', '=', accountId)
      .where('state', '=', 'pending')
      .executeTakeFirstOrThrow();
    expect((await chief.get('/operator/limits/')).text).toContain(`/operator/contracts/${id}/`);
    await chief.send(`/operator/contracts/${id}/`, { decision: 'approve', password: boss.password });
    const { state } = await service.db
      .selectFrom('contracts')
      .select('state')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(state).toBe('active');
    expect(await audit()).toEqual([`website boss contract approve ${id} {"username":"ann"} done`]);
    expect((await chief.get('/operator/outbox/')).text).toContain('Storm plan approved');
    const decided = await chief.get(`/operator/contracts/${id}/`);
    expect(decided.status).toBe(404);
    expect(decided.text).toContain('This plan request does not exist, or it has already been decided.');
  });

  it('show long lists in pages of 50', async () => {
    const { service, chief } = await start();
    for (let index = 0; index < 101; index += 1) {
      const entry = { via: 'website', actor: 'boss', action: 'account enable', target: `user-${index}` } as const;
      await service.oauth.auditLog.audited(entry, async () => {});
      service.clock.advance(1);
    }
    const targets = async (page: number) => {
      const { text } = await chief.get(`/operator/audit/?page=${page}`);
      return { rows: [...text.matchAll(/<code>(user-\d+)<\/code>/g)].map(([, name]) => name), text };
    };
    const [first, second, third] = [await targets(1), await targets(2), await targets(3)];
    expect([first, second, third].map(({ rows }) => [rows.length, rows[0]])).toEqual([
      [50, 'user-100'],
      [50, 'user-50'],
      [1, 'user-0'],
    ]);
    expect(first.text).toContain('href="/operator/audit/?page=2"');
    expect(third.text).not.toContain('rel="next"');
  });
});

describe('the audit log', () => {
  it.each(engines)('%s: refuses changes, keeps failures, and deletes old entries', async (engine) => {
    const folder = await temporaryFolder();
    const clock = createManualClock();
    const location = await newDatabase(engine, folder);
    const { db, close } = await openServiceDatabase({
      ...location,
      clock: systemClock,
      log: pino({ level: 'silent' }),
    });
    onTestFinished(() => close());
    const log = createAuditLog({ db, clock, days: 2 });
    const entry = { via: 'website', actor: 'boss', action: 'account disable', target: 'ann' } as const;
    await expect(log.audited(entry, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
    await log.audited({ ...entry, details: { text: 'x'.repeat(2_000) } }, async () => {});
    await expect(sql`update audit_log set actor = 'nobody'`.execute(db)).rejects.toThrow(
      'the audit log is append-only',
    );
    const outcomes = async () => (await log.list(10, 0)).map(({ outcome }) => outcome).toSorted();
    expect(await outcomes()).toEqual(['done', 'failed']);
    await log.forgetOld();
    expect(await outcomes()).toHaveLength(2);
    clock.advance(2 * 86_400_000 + 1);
    await log.forgetOld();
    expect(await outcomes()).toEqual([]);
  });

  it('has every command, without its standard input and output', async () => {
    const folder = await temporaryFolder();
    const create = 'account create --username dora --email dora@example.org --password-stdin';
    await operator(folder, create, 'a long password\n');
    expect((await operator(folder, 'account grant dora')).output).toContain('can now use the operator pages');
    const rotated = await operator(folder, '--json account rotate dora');
    const { password } = JSON.parse(rotated.output) as { password: string };
    expect((await operator(folder, 'account disable nobody')).code).toBe(1);
    expect(await operator(folder, 'account withdraw dora')).toMatchObject({ code: 0 });
    const { output } = await operator(folder, '--json audit list');
    const rows = JSON.parse(output) as { action: string; target: string; outcome: string; via: string }[];
    expect(rows.toReversed().map(({ via, action, target, outcome }) => [via, action, target, outcome])).toEqual([
      ['command line', 'account create', 'dora', 'done'],
      ['command line', 'account grant', 'dora', 'done'],
      ['command line', 'account rotate', 'dora', 'done'],
      ['command line', 'account disable', 'nobody', 'failed'],
      ['command line', 'account withdraw', 'dora', 'done'],
    ]);
    const exported: unknown = JSON.parse((await operator(folder, 'account export dora')).output);
    expect(exported).toMatchObject({ account: { username: 'dora', is_operator: 0 } });
    expect([output.includes(password), output.includes('a long password')]).toEqual([false, false]);
  });
});
