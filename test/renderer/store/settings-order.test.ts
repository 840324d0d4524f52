// Settings that are changed faster than core answers: the screen never shows an older value again. The core is real.
import { expect, it } from 'vitest';
import { defaultSettings } from '#contract/app-rpc/default-settings.ts';
import { createAppStore } from '#renderer/app/app-store.ts';
import { settingsOf, startCore } from '#test/core/core-harness.ts';

it('keeps the newest of three quick changes while core reports each, and one of another window', async () => {
  const { client } = await startCore({});
  const store = createAppStore(client);
  const { update, receive, whenKnown } = store.getState().settings;
  const follow = async () => {
    for await (const notice of await client.app.notices()) {
      if (notice.topic !== 'settings') continue;
      receive(notice.values);
      if (notice.values.density === 'comfortable') return;
    }
  };
  const following = follow();
  await whenKnown;
  const shown: string[] = [];
  store.subscribe(({ settings }) => void shown.push(settings.values.windUnit));
  const units = (['mph', 'kn', 'km/h'] as const).map((wind) => ({ windUnit: wind }));
  await Promise.all(units.map((part) => update(part)));
  await client.settings.update({ density: 'comfortable' });
  await following;
  expect(store.getState().settings.values.density).toBe('comfortable');
  expect(shown.slice(shown.indexOf('km/h'))).toEqual(shown.slice(shown.indexOf('km/h')).map(() => 'km/h'));
  expect(await settingsOf(client)).toEqual(store.getState().settings.values);
});

it('shows what is stored again if a change is refused', async () => {
  const { client } = await startCore({});
  const store = createAppStore(client);
  const { update } = store.getState().settings;
  await Promise.all([
    update({ keptLimits: { ...defaultSettings.keptLimits, keptCallbacks: 1 } }),
    update({ theme: 'dark' }),
  ]);
  expect(store.getState().settings.values).toEqual({ ...defaultSettings, theme: 'dark' });
  expect(store.getState().toasts.items).toHaveLength(1);
});
