// A machine that sleeps and wakes, as near as a test comes to it: the whole app is stopped by the system and let go on.
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startReceivingApp } from './started-processes.ts';

const sent = 20;

test('callbacks that arrive while the machine sleeps are stored once it wakes, and shown on the screen', async () => {
  const { app, client, send } = await startReceivingApp(temporaryFolder());
  const notices = await client.app.notices();

  app.child.kill('SIGSTOP');
  onTestFinished(() => void app.child.kill('SIGCONT'));
  const answers = Array.from({ length: sent }, (_, index) => send(JSON.stringify({ index })));
  // The app is asleep, so these requests stay open.
  const isAnswered = await Promise.race([Promise.any(answers).then(() => true), aSecondOfTheMachine()]);
  expect(isAnswered).toBe(false);

  app.child.kill('SIGCONT');
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array(sent).fill(200));
  expect((await client.callbacks.list({})).items).toHaveLength(sent);
  for await (const notice of notices) if (notice.topic === 'callbacks' && notice.newestId === sent) break;
  expect((await client.forecast.get({ lat: 45.07, lng: 7.69 })).points.length).toBeGreaterThan(70);
});

/** A stopped process has no event to wait for, so this one wait is by the clock. */
function aSecondOfTheMachine(): Promise<false> {
  return new Promise((resolve) => void setTimeout(() => resolve(false), 1_000));
}
