import { IconSettings } from '@tabler/icons-react';
import { lazy } from 'react';
import { type AppNotification, settingSections, settingsTable } from '@rainbell/contract/app-rpc';
import type { AppStore, Feature } from '../../store/app-state.ts';
import { sectionLink } from '../../store/screen-link.ts';
import { shownZone } from '../../store/shown.ts';
import type { SlicesOf } from '../../store/slice.ts';
import { computerLocale } from '../../ui/text/computer-zone.ts';
import { chosenUnits, settingsOfUnits, unitPresets } from '../../ui/text/units.ts';
import { openCallback } from '../callbacks/selectors.ts';
import { openMonitor } from '../monitors/selectors.ts';
import { createDataSlice } from './data-slice.ts';
import { createDiagnosticsSlice } from './diagnostics-slice.ts';
import { createNotificationsSlice } from './notifications-slice.ts';

const slices = { data: createDataSlice, diagnostics: createDiagnosticsSlice, notifications: createNotificationsSlice };
declare module '../../store/app-state.ts' {
  interface AppState extends SlicesOf<typeof slices> {}
}

export const settings: Feature = {
  slices,
  screen: {
    name: 'settings',
    title: 'Settings',
    View: lazy(async () => ({ default: (await import('./SettingsScreen.tsx')).SettingsScreen })),
    link: sectionLink('settings', Object.keys(settingSections)),
    navigation: { order: 80, Icon: IconSettings, place: 'end' },
  },
  commands: (store) => ({ 'zone.next': () => nextZone(store), 'units.next': () => nextUnits(store) }),
  notices: {
    settings: (store, { values }) => store.getState().settings.receive(values),
    notifications: (store) => void showNotifications(store),
  },
};

const zones = settingsTable.zone.choices.map(({ value }) => value);

function nextZone(store: AppStore): void {
  const zone = shownZone(store.getState());
  void store.getState().settings.update({ zone: zones[(zones.indexOf(zone) + 1) % zones.length] ?? 'place' });
}

function nextUnits(store: AppStore): void {
  const { values, update } = store.getState().settings;
  const presets = Object.values(unitPresets);
  const chosen = JSON.stringify(chosenUnits(values, computerLocale()));
  const next = presets[(presets.findIndex((preset) => JSON.stringify(preset) === chosen) + 1) % presets.length];
  if (next) void update(settingsOfUnits(next));
}

/**
 * Shows core's notifications through the browser, if the user allowed it. Every open tab receives them, and the first that claims them
 * shows them.
 */
async function showNotifications(store: AppStore): Promise<void> {
  // A tab that could not show them leaves them to another, for instance in a second browser.
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  for (const notification of await store.getState().notifications.take()) show(notification, store);
}

function show({ id, title, body, target }: AppNotification, store: AppStore): void {
  const shown = new Notification(title, { body, tag: `rainbell-${id}` });
  shown.addEventListener('click', () => {
    window.focus();
    shown.close();
    if (target?.kind === 'callback') openCallback(store.getState(), target.id);
    else if (target) openMonitor(store.getState(), target.id);
  });
}
