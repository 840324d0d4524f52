// Settings that are changed faster than core answers: the screen never shows an older value again. The core is real.
import { expect, it } from 'vitest';
import { createAppStore } from '#renderer/app/app-store.ts';
import { startCore } from '#test/core/core-harness.ts';

it('keeps the newest of three quick changes while core answers, and what core stored of them', async () => {
  const { client } = await startCore({});
  const store = createAppStore(client);
  await store.getState().settings.load();
  const shown: string[] = [];
  store.subscribe(({ settings }) => void shown.push(settings.values.windUnit));
  const { update, load } = store.getState().settings;
  const units = (['mph', 'kn', 'km/h'] as const).map((wind) => ({ windUnit: wind }));
  await Promise.all([load(), ...units.map((part) => update(part)), load()]);
  expect(shown.slice(shown.indexOf('km/h'))).toEqual(shown.slice(shown.indexOf('km/h')).map(() => 'km/h'));
  expect((await client.settings.get()).windUnit).toBe('km/h');
  expect(store.getState().settings.values.windUnit).toBe('km/h');
});
