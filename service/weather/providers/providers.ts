// The live weather providers. Each is a folder, and a line here; shared/attributions.ts has its name and credit.
import type { LiveProvider } from '@rainbell/contract/service-api';
import { metNorway } from './met-norway/met-norway.ts';
import { openMeteo } from './open-meteo/open-meteo.ts';

/** `create` returns undefined if the provider is not configured; `missing` says what it needs. */
export const providers = { 'open-meteo': openMeteo, 'met-norway': metNorway } as const satisfies Record<
  LiveProvider,
  unknown
>;

export const providerSettings = { ...openMeteo.settings, ...metNorway.settings };
