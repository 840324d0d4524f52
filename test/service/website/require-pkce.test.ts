// The choice "Require PKCE" of an application: preselected for a new public one, saved, changed later, and kept when another
// field of the form is wrong.
import { expect, test } from 'vitest';
import { applicationPath, createApplication, feedbackOf, startForAnn } from './website-service.ts';

async function start() {
  const { db, visitor } = await startForAnn();
  const settings = async () => {
    const rows = await db.selectFrom('applications').select('requires_pkce').where('name', '=', 'Umbrella').execute();
    return rows.map(({ requires_pkce }) => requires_pkce);
  };
  return { visitor, settings };
}

const box = /<input\s+type="checkbox"\s+name="require_pkce"\s+value="yes"\s+(checked)?/;
const isChecked = (text: string) => box.exec(text)?.[1] === 'checked';

test('a new public client has “Require PKCE” preselected, and unchecked it stays when the form comes back', async () => {
  const { visitor, settings } = await start();
  expect(isChecked((await visitor.get('/applications/new/')).text)).toBe(true);
  await createApplication(visitor, { kind: 'public' });
  expect(await settings()).toEqual([1]);
  const page = await createApplication(visitor, { kind: 'public', require_pkce: 'no', name: '' });
  expect(feedbackOf(page)).toEqual(['app_name_missing']);
  expect(isChecked(page.text)).toBe(false);
  await createApplication(visitor, { kind: 'public', require_pkce: 'no' });
  expect(new Set(await settings())).toEqual(new Set([0, 1]));
});

test('a confidential client does not require PKCE until its owner turns it on', async () => {
  const { visitor, settings } = await start();
  const path = applicationPath(await createApplication(visitor, { kind: 'confidential' }));
  expect(await settings()).toEqual([0]);
  expect(feedbackOf(await visitor.send(path, { require_pkce: 'yes' }))).toEqual(['app_edited']);
  expect(await settings()).toEqual([1]);
  expect(isChecked((await visitor.get(path)).text)).toBe(true);
});
