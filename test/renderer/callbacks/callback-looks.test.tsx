// The states of the callbacks screen, laid out soundly in small and wide windows: nothing yet, outcomes and refusals, bodies that are odd,
// a long path.
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { settle } from '../filled-app.ts';
import { findLayoutProblems } from '../layout-problems.ts';
import { expectShown } from '../open-app.ts';
import { openCallbacks } from './stored-callbacks.ts';

const sizes = [
  [1920, 1080],
  [1440, 900],
  [1024, 768],
  [640, 800],
  [853, 533],
] as const;

type Changes = NonNullable<Parameters<typeof openCallbacks>[0]>[number];

const decoded = { coding: 'gzip', bodyBase64: btoa('{"id":"precipitation_2"}'), sizeBytes: 24, problem: null };
const at = new Date().toISOString();

const looks: Readonly<Record<string, Changes>> = {
  'an event': { target: '/hooks/rain', kind: 'event', monitorId: 'precipitation_1', isMonitorOwn: true },
  'an encoded body': { target: '/hooks/gzip', decoded },
  'a broken encoding': {
    target: '/hooks/broken-gzip',
    decoded: { ...decoded, bodyBase64: '', sizeBytes: 0, problem: 'It ends too early.' },
  },
  'bytes that are not text': { target: '/hooks/bytes', bodyBase64: btoa('\xFF\xFE\0\x01\x02') },
  'an empty body': { target: '/hooks/none', body: '' },
  'a long path and ID': {
    target: `/hooks/${'a-very-long-path/'.repeat(12)}?name=${'%C3%BC'.repeat(40)}`,
    kind: 'event',
    monitorId: 'x'.repeat(200),
  },
  'a refused request': {
    target: '/long',
    kind: 'refused',
    verdict: 'error',
    verdictName: 'refused',
    answeredStatus: 431,
    outcome: { kind: 'refused', at, afterMs: 1, bytesSent: 0 },
    refusal: { reason: 'head-too-long', count: 3, lastAt: at },
    head: null,
  },
  'an ended connection': {
    target: '/half',
    truncated: true,
    outcome: { kind: 'closed', at, afterMs: 2, bytesSent: 0 },
  },
};

it('the callbacks are laid out soundly in every state', async () => {
  const found: Record<string, readonly string[]> = {};
  const look = async (name: string) => {
    for (const [width, height] of sizes) {
      await page.viewport(width, height);
      await settle();
      const problems = findLayoutProblems();
      if (problems.length > 0) found[`${name} at ${width}x${height}`] = problems;
    }
    await page.viewport(1440, 900);
  };
  openCallbacks();
  await expectShown(page.getByRole('heading', { name: 'No callbacks yet' }));
  await look('nothing yet');
  const { store } = openCallbacks(Object.values(looks));
  await expect.poll(() => page.getByRole('option').length).toBe(Object.keys(looks).length);
  await look('nothing chosen');
  for (const [index, name] of Object.keys(looks).entries()) {
    await store.getState().callbacks.select(index + 1);
    await expectShown(page.getByRole('button', { name: 'More actions' }));
    await look(name);
  }
  expect(found).toEqual({});
});
