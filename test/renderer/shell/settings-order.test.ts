// Settings that are changed faster than core answers: the screen never shows an older value again. The core is real.
import { expect, it } from 'vitest';
import { createAppStore } from '#renderer/app/app-store.ts';
import { startCore } from '#test/core/core-harness.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

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

it('reports a backup as made that was done before core learned of its cancellation', async () => {
  const { client } = await startCore({ dataFolder: temporaryFolder() });
  const state = () => store.getState();
  /** Done in core, and canceled before the screen shows it. */
  const backUp = async () => {
    await client.data.backUp();
    const { working } = state().data;
    if (working.state === 'loading') working.cancel?.();
    return new Promise(() => {});
  };
  const data = new Proxy(client.data, { get: (all, name) => (name === 'backUp' ? backUp : Reflect.get(all, name)) });
  const store = createAppStore(
    new Proxy(client, { get: (all, name) => (name === 'data' ? data : Reflect.get(all, name)) }),
  );
  await state().data.load();
  await state().data.backUp();
  expect(state().data.described?.backups).toHaveLength(1);
  expect(state().data.working.state).toBe('idle');
  expect(state().toasts.items.map(({ message }) => message)).toEqual([expect.stringMatching(/^Backup created: /)]);
});
