// All 27 feedback messages (docs/interface.md §7.3), each reached by a real form. The table names the form and what is
// typed into it; `first` prepares the state.
import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { bannerOf, successes, type SuccessId, type WarningId, warnings } from '#service/website/layout/feedback.ts';
import type { DialogPage } from '#test/service/oauth/dialog-browser.ts';
import {
  ann,
  applicationPath,
  createApplication,
  createVisitor,
  feedbackOf,
  register,
  startWebsite,
  textOf,
  type Values,
  type Visitor,
  type WebsiteService,
} from './website-service.ts';

type Row = {
  /** The page of the form. */
  form: string;
  /** What is typed; empty texts clear a field. */
  input: Values;
  first?: (visitor: Visitor, service: WebsiteService) => Promise<unknown>;
  /** If it is not the path of the page. */
  action?: string;
};

const isSignedIn = (visitor: Visitor) => register(visitor);
const hasContract = async (visitor: Visitor) => {
  await register(visitor);
  await visitor.send('/plans/', { plan: 'drizzle' });
};
const bob = { username: 'bob', email: 'bob@example.org', password: 'another long password' };
const bobExists = async (_visitor: Visitor, { baseUrl }: WebsiteService) => register(createVisitor(baseUrl), bob);
/** The database refuses to write to a table: a full disk, a broken file. */
const cannotWrite =
  (table: string, change = 'insert') =>
  async (visitor: Visitor, { db }: WebsiteService) => {
    await register(visitor);
    await sql
      .raw(`create trigger broken_${change} before ${change} on ${table} begin select raise(abort, 'disk full'); end`)
      .execute(db);
  };
const newApplication: Values = { ...textOf, plan: 'drizzle', terms: 'yes' };

type FeedbackId = WarningId | SuccessId;

const rows: Readonly<Record<Exclude<FeedbackId, 'app_edited'>, Row>> = {
  credentials_wrong: { form: '/sign-in/', input: { username: 'ann', password: 'wrong' } },
  credentials_missing: { form: '/sign-in/', input: { username: 'ann', password: '' } },
  identity_problem: { form: '/register/', input: { ...ann, username: 'a b' } },
  data_problem: { form: '/register/', input: { ...ann, password: 'short' } },
  email_taken: { form: '/register/', input: { ...ann, email: 'BOB@example.org' }, first: bobExists },
  username_taken: { form: '/register/', input: { ...ann, username: 'Bob' }, first: bobExists },
  email_invalid: { form: '/launch/', input: { email: 'nobody' } },
  contact_incomplete: { form: '/contact/', input: { email: 'ann@example.org', message: '' } },
  app_name_and_description_missing: {
    form: '/applications/new/',
    input: { ...newApplication, name: '', description: ' ' },
    first: isSignedIn,
  },
  registration_incomplete: { form: '/register/', input: { ...ann, email: '' } },
  email_update_failed: {
    form: '/account/',
    input: { email: 'new@example.org', password: ann.password },
    first: cannotWrite('accounts', 'update'),
  },
  terms_not_accepted: { form: '/applications/new/', input: { ...newApplication, terms: '' }, first: isSignedIn },
  app_name_missing: { form: '/applications/new/', input: { ...newApplication, name: '' }, first: isSignedIn },
  app_description_missing: {
    form: '/applications/new/',
    input: { ...newApplication, description: '' },
    first: isSignedIn,
  },
  saving_failed: { form: '/applications/new/', input: newApplication, first: cannotWrite('applications') },
  app_contract_failed: { form: '/applications/new/', input: newApplication, first: cannotWrite('contracts') },
  form_corrupted: { form: '/contact/', input: { email: 'a@example.org', message: 'x', csrf: 'made up' } },
  contract_problem: { form: '/plans/', input: { plan: 'in-house' }, first: isSignedIn },
  plan_subscribed: { form: '/plans/', input: { plan: 'drizzle' }, first: hasContract },
  plan_missing: { form: '/applications/new/', input: { ...newApplication, plan: '' }, first: isSignedIn },
  email_sent: { form: '/contact/', input: { email: 'ann@example.org', message: 'How are you?' } },
  thanks_sent: { form: '/thanks/', input: { message: 'Thank you!' } },
  app_created: { form: '/applications/new/', input: newApplication, first: isSignedIn },
  usage_sent: { form: '/usage/', input: {}, first: isSignedIn },
  launch_registered: { form: '/launch/', input: { email: 'ann@example.org' } },
  contract_created: { form: '/plans/', input: { plan: 'shower' }, first: isSignedIn },
};

function expectMessage(page: DialogPage, id: FeedbackId): void {
  const { kind, text } = bannerOf(id);
  expect(feedbackOf(page)).toEqual([id]);
  expect(page.text).toContain(text);
  expect(page.text).toContain(kind === 'warning' ? 'role="alert"' : 'role="status"');
  expect(page.status).toBe(kind === 'success' ? 200 : id === 'form_corrupted' ? 403 : 422);
}

test.each(Object.entries(rows) as [FeedbackId, Row][])('the message %s is reached by its form', async (id, row) => {
  const service = await startWebsite();
  const visitor = createVisitor(service.baseUrl);
  await row.first?.(visitor, service);
  const page = await visitor.send(row.form, row.input, row.action);
  expectMessage(page, id);
});

test('the message app_edited is reached by the form of an application', async () => {
  const { baseUrl } = await startWebsite();
  const visitor = createVisitor(baseUrl);
  await register(visitor);
  const path = applicationPath(await createApplication(visitor));
  const page = await visitor.send(path, { name: 'Parasol' });
  expectMessage(page, 'app_edited');
  expect(page.text).toContain('Parasol');
});

test('a form that was opened before another user saved does not overwrite what they saved', async () => {
  const { baseUrl } = await startWebsite();
  const visitor = createVisitor(baseUrl);
  await register(visitor);
  const path = applicationPath(await createApplication(visitor));
  const old = await visitor.get(path);
  await visitor.send(path, { name: 'Parasol' });
  const page = await visitor.submitOnly(old, path, { name: 'Mine', description: 'x', redirect_uris: '' });
  expect(feedbackOf(page)).toEqual(['saving_failed']);
  expect((await visitor.get(path)).text).toContain('Parasol');
});

test('a failed contract is a warning of its own', async () => {
  const service = await startWebsite();
  const visitor = createVisitor(service.baseUrl);
  await cannotWrite('contracts')(visitor, service);
  expectMessage(await visitor.send('/plans/', { plan: 'storm' }), 'contract_problem');
});

test('a refused form leaves the other forms of its page as they are', async () => {
  const { baseUrl } = await startWebsite();
  const visitor = createVisitor(baseUrl);
  await register(visitor);
  const change = { current_password: 'wrong', new_password: 'another long password' };
  const page = await visitor.send('/account/', change, '/account/password/');
  expectMessage(page, 'credentials_wrong');
  expect(page.text).toMatch(/name="email"\s+type="email"\s+value="ann@example.org"/);
  expect(page.text).toContain('id="current_password-problem"');
});

test('there are 27 messages: 20 warnings and 7 successes', () => {
  expect(Object.keys(warnings)).toHaveLength(20);
  expect(Object.keys(successes)).toHaveLength(7);
});
