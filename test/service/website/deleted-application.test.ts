// Deleting an application ends its callbacks at once, also of events that already wait in the process that sends them.
import { expect, it } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { introductionOf } from '#service/app/embedded-service.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { apiCaller, fetchToken, turin } from '#test/service/monitor-service.ts';
import {
  applicationPath,
  createApplication,
  createVisitor,
  credential,
  feedbackOf,
  register,
  textOf,
} from './website-service.ts';
import { startOwnService } from '#test/service/start-own-service.ts';

it('sends nothing more for a deleted application, not even what waited behind a slow callback', async () => {
  const service = await startOwnService(
    {},
    {
      // What is remembered for a moment would be remembered for the whole test.
      clock: { ...systemClock, elapsed: () => 0 },
    },
  );
  const introduction = introductionOf(service);
  let answerFirst = () => {};
  const endpoint = await startCallbackEndpoint((_callback, response, index) => {
    const answer = () => void response.writeHead(204).end();
    if (index === 0) answerFirst = answer;
    else answer();
  });
  const addMonitor = async (clientId: string, clientSecret: string) => {
    const token = await fetchToken(introduction.baseUrl, { clientId, clientSecret });
    const call = apiCaller(introduction.baseUrl, token);
    const created = await call('POST', '/v2/monitors/', {
      monitor_type: 'precipitation',
      callback_uri: endpoint.url,
      geo: turin,
    });
    const { id } = created.json as { id: string };
    return { id, sendTestEvent: () => call('POST', `/v2/monitors/${id}/test-event/`) };
  };

  const visitor = createVisitor(introduction.baseUrl);
  await register(visitor);
  const page = await createApplication(visitor);
  const deleted = await addMonitor(credential(page, 'client_id'), credential(page, 'client_secret'));
  const other = await addMonitor(introduction.clientId, introduction.clientSecret);
  await deleted.sendTestEvent();
  await endpoint.waitFor(1);
  // It waits for the first, because a monitor's callbacks go out one after the other.
  expect((await deleted.sendTestEvent()).status).toBe(202);
  const path = applicationPath(page);
  const confirmation = { confirm: textOf.name };
  expect(feedbackOf(await visitor.send(path, confirmation, `${path}delete/`))).toEqual(['app_deleted']);

  answerFirst();
  await other.sendTestEvent();
  await endpoint.waitFor(2);
  const monitors = endpoint.received.map(({ body }) => (JSON.parse(body) as { id: string }).id);
  expect(monitors).toEqual([deleted.id, other.id]);
});
