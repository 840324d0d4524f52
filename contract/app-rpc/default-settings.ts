// What a screen shows until core has reported. Without zod, so that the first screen loads little.
import type { Settings } from './settings.ts';
import { storedDefaults } from './settings-table.ts';

export const defaultSettings = storedDefaults as Settings;
