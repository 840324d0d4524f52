// All 27 feedback messages (docs/interface.md §7.3), each reached by a real form.
import { expect, test } from 'vitest';
import { sql } from 'kysely';
import { bannerOf, successes, type SuccessId, type WarningId, warnings } from '#service/website/layout/feedback.ts';
import type { DialogPage } from '#test/service/oauth/dialog-browser.ts';
import {
  ann,
  applicationPath,
  bob,
  createApplication,
  createVisitor,
  feedbackOf,
  register,
  startForAnn,
  startWebsite,
  textOf,
  type Values,
} from './website-service.ts';

/** The page of the form, and what is typed into it; empty texts clear a field. */
type Row = readonly [id: FeedbackId, form: string, input: Values];

type FeedbackId = WarningId | SuccessId;

const newApplication: Values = { ...textOf, plan: 'drizzle', terms: 'yes' };
const newPath = '/applications/new/';

/** Bob has an account. */
const ofAnyone: readonly Row[] = [
  ['credentials_wrong', '/sign-in/', { username: 'ann', password: 'wrong' }],
  ['credentials_missing', '/sign-in/', { username: 'ann', password: '' }],
  ['identity_problem', '/register/', { ...ann, username: 'a b' }],
  ['data_problem', '/register/', { ...ann, password: 'short' }],
  ['email_taken', '/register/', { ...ann, email: 'BOB@example.org' }],
  ['username_taken', '/register/', { ...ann, username: 'Bob' }],
  ['registration_incomplete', '/register/', { ...ann, email: '' }],
  ['email_invalid', '/launch/', { email: 'nobody' }],
  ['launch_registered', '/launch/', { email: 'ann@example.org' }],
  ['contact_incomplete', '/contact/', { email: 'ann@example.org', message: '' }],
  ['form_corrupted', '/contact/', { email: 'a@example.org', message: 'x', csrf: 'made up' }],
  ['email_sent', '/contact/', { email: 'ann@example.org', message: 'How are you?' }],
  ['thanks_sent', '/thanks/', { message: 'Thank you!' }],
];

/** In this order, of one account. */
const ofAccount: readonly Row[] = [
  ['app_name_and_description_missing', newPath, { ...newApplication, name: '', description: ' ' }],
  ['terms_not_accepted', newPath, { ...newApplication, terms: '' }],
  ['app_name_missing', newPath, { ...newApplication, name: '' }],
  ['app_description_missing', newPath, { ...newApplication, description: '' }],
  ['plan_missing', newPath, { ...newApplication, plan: '' }],
  ['contract_problem', '/plans/', { plan: 'in-house' }],
  ['usage_sent', '/usage/', {}],
  ['contract_created', '/plans/', { plan: 'shower' }],
  ['plan_subscribed', '/plans/', { plan: 'shower' }],
  ['app_created', newPath, newApplication],
];

/** While the database refuses to write to a table, as with a full disk or a broken file. */
const ofBroken: readonly (readonly [FeedbackId, change: string, form: string, input: Values])[] = [
  ['email_update_failed', 'update on accounts', '/account/', { email: 'new@example.org', password: ann.password }],
  ['saving_failed', 'insert on applications', newPath, newApplication],
  ['app_contract_failed', 'insert on contracts', newPath, newApplication],
  ['contract_problem', 'insert on contracts', '/plans/', { plan: 'storm' }],
];

function expectMessage(page: DialogPage, id: FeedbackId): void {
  const { kind, text } = bannerOf(id);
  expect(feedbackOf(page)).toEqual([id]);
  expect(page.text).toContain(text);
  expect(page.text).toContain(kind === 'warning' ? 'role="alert"' : 'role="status"');
  expect(page.status).toBe(kind === 'success' ? 200 : id === 'form_corrupted' ? 403 : 422);
}

test('each message of a form that needs no account is reached by it', async () => {
  const { baseUrl } = await startWebsite();
  const visitor = createVisitor(baseUrl);
  await register(createVisitor(baseUrl), bob);
  for (const [id, form, input] of ofAnyone) expectMessage(await visitor.send(form, input), id);
});

test('each message of an account’s forms is reached by them', async () => {
  const { visitor } = await startForAnn();
  for (const [id, form, input] of ofAccount) expectMessage(await visitor.send(form, input), id);
  const path = applicationPath(await createApplication(visitor));
  const page = await visitor.send(path, { name: 'Parasol' });
  expectMessage(page, 'app_edited');
  expect(page.text).toContain('Parasol');
});

test.each(ofBroken)('the message %s is reached while the database refuses each %s', async (id, change, form, input) => {
  const { visitor, db } = await startForAnn();
  await sql.raw(`create trigger broken before ${change} begin select raise(abort, 'disk full'); end`).execute(db);
  expectMessage(await visitor.send(form, input), id);
});

test('these are all messages: 20 warnings and 7 successes', () => {
  const reached = new Set([...ofAnyone, ...ofAccount, ...ofBroken].map(([id]) => id).concat('app_edited'));
  expect(reached).toEqual(new Set([...Object.keys(warnings), ...Object.keys(successes)]));
  expect([Object.keys(warnings).length, Object.keys(successes).length]).toEqual([20, 7]);
});

test('a refused form leaves the other forms of its page as they are', async () => {
  const { visitor } = await startForAnn();
  const change = { current_password: 'wrong', new_password: 'another long password' };
  const page = await visitor.send('/account/', change, '/account/password/');
  expectMessage(page, 'credentials_wrong');
  expect(page.text).toMatch(/name="email"\s+type="email"\s+value="ann@example.org"/);
  expect(page.text).toContain('id="current_password-problem"');
});
