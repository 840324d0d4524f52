// Callbacks of monitors that were made after the app fetched the list: by the command line, the website, or another computer.
import { expect, test } from 'vitest';
import { startFakeService } from '../fake-service.ts';
import { monitorBody, startWithReceiver } from './callback-harness.ts';

test('a callback of an unknown monitor leads to one fetch, and says "deleted" only after it', async () => {
  let list: object[] = [];
  const asked = [Promise.resolve()];
  const service = await startFakeService({
    'GET /v2/monitors/': async () => {
      await asked.at(-1);
      return { body: { objects: list, meta: {} } };
    },
  });
  const { core, client, statusWhere, baseUrl, post } = await startWithReceiver();
  core.connectSandbox(service.introduction);
  await statusWhere(({ token }) => token.state === 'valid');
  await client.monitors.list();
  const requests = () => service.requestsTo('GET /v2/monitors/').length;
  const registered = async (id: number) =>
    (await client.callbacks.get({ id })).checks.find(({ check }) => check === 'registered');
  const verdicts = async () => (await client.callbacks.list({})).items.map(({ verdictName }) => verdictName);

  const held = Promise.withResolvers<void>();
  asked.push(held.promise);
  list = [monitorBody('precipitation_7', `${baseUrl}/hooks/7`)];
  const send = (id: string, path: string, uri = `${baseUrl}${path}`) =>
    post(path, JSON.stringify(monitorBody(id, uri)), {
      'content-type': 'application/json',
      'user-agent': 'Rainbell/1.0',
    });
  // Neither signed nor at the path in its body: anyone can send it.
  await send('precipitation_5', '/other', `${baseUrl}/hooks/5`);
  await expect.poll(verdicts).toEqual(['unknown']);
  expect(requests()).toBe(1);
  await send('precipitation_7', '/hooks/7');
  await send('precipitation_9', '/hooks/9');
  await expect.poll(verdicts).toEqual(['unknown', 'unknown', 'unknown']);
  expect(await registered(2)).toEqual({
    check: 'registered',
    verdict: 'unknown',
    message: 'precipitation_7 is not in the list of monitors, which was fetched before this callback arrived.',
  });
  held.resolve();
  await expect.poll(verdicts).toEqual(['request', 'unsigned', 'request']);
  expect(requests()).toBe(2);
  expect(await registered(2)).toMatchObject({ verdict: 'ok' });
  expect((await registered(3))?.message).toContain('It may have been deleted.');
});
