// The zone that this window shows: the one that a link requested, or that of the settings. Other windows may show others.
import type { Settings } from '@rainbell/contract/app-rpc';
import type { AppState } from './app-state.ts';

export function shownZone({ settings }: AppState): Settings['zone'] {
  return settings.linkedZone ?? settings.values.zone;
}
