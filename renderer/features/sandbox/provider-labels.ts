// Names of the sandbox's weather providers.
import { providerAttributions } from '@rainbell/shared';

const labels: Readonly<Record<string, string>> = {
  auto: 'Automatic',
  simulation: 'Simulation',
  ...Object.fromEntries(Object.entries(providerAttributions).map(([id, { name }]) => [id, name])),
};

/** Returns the name of a choice, or of a provider that the service reports; an unknown one is shown by its ID. */
export function providerLabel(id: string): string {
  return labels[id] ?? id;
}
