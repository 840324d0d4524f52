// Names of the sandbox's weather providers.
import type { ProviderChoice } from '@rainbell/contract/service-api';

/** One without a line here does not compile. */
export const providerLabels: Readonly<Record<ProviderChoice, string>> = {
  auto: 'Automatic',
  'open-meteo': 'Open-Meteo',
  'met-norway': 'MET Norway',
  simulation: 'Simulation',
};

/** The name of a provider that the service reports; an unknown one is shown by its ID. */
export function providerLabel(id: string): string {
  return Object.entries(providerLabels).find(([known]) => known === id)?.[1] ?? id;
}
