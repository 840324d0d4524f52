// The app's settings: what a newer version wrote stays and is named, and what cannot be written is not applied.
import { expect, it } from 'vitest';
import type { SettingsPort } from '#core/ports/host.ts';
import { createAppSettings } from '#core/settings/app-settings.ts';
import { goodFields } from '#test/core/connection-double.ts';

const connection = { ...goodFields, id: 'work', name: 'Work' };

function openSettings(stored: unknown) {
  const written: unknown[] = [];
  const port: SettingsPort = { read: () => stored, write: (values) => void written.push(values), backUp: () => null };
  return { settings: createAppSettings(port, () => {}), written };
}

it('keeps the fields of a newer version when it writes, and names them in a notice', () => {
  const stored = { selectedConnection: 'sandbox', futureField: { a: [1, 2] }, receiverPort: 7777 };
  const { settings, written } = openSettings(stored);
  settings.update({ selectedConnection: 'work' });
  expect(written).toEqual([
    expect.objectContaining({ futureField: { a: [1, 2] }, selectedConnection: 'work', receiverPort: 7777 }),
  ]);
  expect(settings.notices).toEqual([expect.stringContaining('support (futureField)')]);
});

it('keeps the fields of a newer version in the connection they belong to, until that is deleted', () => {
  const { settings, written } = openSettings({ connections: [{ ...connection, region: 'eu' }, 7], theme: 'dark' });
  expect(settings.notices).toContainEqual(expect.stringContaining('support (region)'));
  const { connections } = settings.get();
  expect(connections).toEqual([connection]);
  settings.update({ connections: connections.map((one) => ({ ...one, name: 'Office' })) });
  settings.update({ connections: [] });
  expect(written).toMatchObject([{ connections: [{ id: 'work', name: 'Office', region: 'eu' }] }, { connections: [] }]);
});

it('changes nothing if it cannot write', () => {
  const write = () => {
    throw new Error('ENOSPC');
  };
  const settings = createAppSettings({ read: () => ({}), write, backUp: () => null }, () => {});
  expect(() => settings.update({ theme: 'dark' })).toThrow(expect.objectContaining({ code: 'STORAGE' }));
  expect(settings.get().theme).toBe('system');
});

it('shows no notice for settings without unknown fields', () => {
  expect(openSettings({ connections: [connection] }).settings.notices).toEqual([]);
  expect(openSettings(undefined).settings.notices).toEqual([]);
});

it('keeps the other connections if one is invalid', () => {
  const others = [{ ...connection, id: 'bad', color: 'crimson' }, connection, 7];
  const { settings } = openSettings({ connections: others });
  expect(settings.get().connections.map(({ id }) => id)).toEqual(['work']);
  expect(settings.notices).toEqual([expect.stringContaining('invalid values (connections)')]);
});

it('keeps the other limits if one is invalid, so that no callback is deleted for it', () => {
  const { settings } = openSettings({ keptLimits: { keptDays: 900, keptCallbacks: 7_000, bodyKilobytes: 'many' } });
  expect(settings.get().keptLimits).toMatchObject({ keptDays: 900, keptCallbacks: 7_000, bodyKilobytes: 1024 });
  expect(settings.notices).toEqual([expect.stringContaining('invalid values (keptLimits)')]);
});
