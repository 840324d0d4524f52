// A search's count and the actions on all of its matches, in the app's store over a real core: both are of the same callbacks,
// whether the list is loaded or not, and whatever arrives meanwhile.
import { expect, test } from 'vitest';
import { createAppStore } from '#renderer/app/app-store.ts';
import { startWithReceiver } from '#test/core/callbacks/callback-harness.ts';

async function start() {
  const { client, post } = await startWithReceiver();
  const { getState } = createAppStore(client);
  const receive = async (method: string, count: number) => {
    for (let index = 0; index < count; index += 1) {
      // In order, so that their IDs are.
      await post('/hooks', '', {}, method);
    }
  };
  /** What the bar's Delete button sends. */
  const deleteAll = () => {
    const { filter, throughId } = getState().callbackSearch;
    return client.callbacks.delete({ choice: { kind: 'query', ...filter, throughId } });
  };
  return { client, getState, receive, deleteAll };
}

test('a search before the list is loaded counts what its actions apply to', async () => {
  const { getState, receive, deleteAll } = await start();
  await receive('PUT', 3);
  await receive('POST', 2);
  await getState().callbackSearch.search('method:PUT');
  await expect.poll(() => getState().callbackSearch.found).toBe(3);
  // It is not counted yet, so it stays.
  await receive('PUT', 1);
  expect(await deleteAll()).toMatchObject({ count: 3 });
});

test('a search counts what arrives, and its actions apply to that too', async () => {
  const { getState, receive, deleteAll } = await start();
  await getState().callbackSearch.search('method:PUT');
  await expect.poll(() => getState().callbackSearch.found).toBe(0);
  await receive('PUT', 2);
  await getState().callbacks.loadNew();
  await getState().callbackSearch.loadNew();
  expect(getState().callbackSearch.found).toBe(2);
  await receive('PUT', 1);
  expect(await deleteAll()).toMatchObject({ count: 2 });
});

test('a list in another order has its rows before the whole list is loaded', async () => {
  const { getState, receive, deleteAll } = await start();
  await receive('PUT', 3);
  await getState().callbackSearch.show({ query: 'method:PUT', order: 'oldest' });
  const { found, log } = getState().callbackSearch;
  expect([found, log.older.length]).toEqual([3, 3]);
  expect(await deleteAll()).toMatchObject({ count: 3 });
});

test('all that are selected are counted as they were when they were selected', async () => {
  const { getState, receive, client } = await start();
  await receive('PUT', 3);
  await getState().callbacks.loadNew();
  await getState().callbackSelection.selectAll(getState().callbacks.newestId());
  await receive('PUT', 1);
  await getState().callbacks.loadNew();
  const { allCount, allThroughId } = getState().callbackSelection;
  expect([allCount, allThroughId]).toEqual([3, 3]);
  const choice = { kind: 'query', query: '', throughId: 3 } as const;
  expect(await client.callbacks.delete({ choice })).toMatchObject({ count: 3 });
});

test('what changes leaves the rows of a search in place, and of the selection what still matches', async () => {
  const { client, getState, receive } = await start();
  await receive('PUT', 3);
  await getState().callbackSearch.search('method:PUT');
  await expect.poll(() => getState().callbackSearch.found).toBe(3);
  const { log } = getState().callbackSearch;
  getState().callbackSelection.selectMany([1, 2]);
  await client.callbacks.delete({ choice: { kind: 'ids', ids: [1] } });
  const again = getState().callbackSearch.refresh();
  const { log: shown, found, throughId } = getState().callbackSearch;
  expect([shown === log, found, throughId]).toEqual([true, 3, 3]);
  await again;
  expect(getState().callbackSearch.log.older.map(({ id }) => id)).toEqual([3, 2]);
  expect([...getState().callbackSelection.selected]).toEqual([2]);
  await expect.poll(() => getState().callbackSearch.found).toBe(2);
});

test('the screens get a notice that callbacks were deleted', async () => {
  const { client, receive } = await start();
  await receive('PUT', 1);
  const notices = await client.app.notices();
  await client.callbacks.delete({ choice: { kind: 'ids', ids: [1] } });
  let version = 0;
  for await (const notice of notices) {
    if (notice.topic === 'callback-changes') ({ version } = notice);
    if (version > 0) break;
  }
  expect(version).toBe(1);
});
