// What other features may do with the sandbox.
import type { NewScenario } from '@rainbell/contract/service-api';
import type { AppState } from '../../store/app-state.ts';

/** Returns whether it rains now. */
export async function makeRain(get: () => AppState, scenario: NewScenario, placeName: string): Promise<boolean> {
  await get().sandbox.addScenario(scenario, placeName);
  return get().sandbox.control.state !== 'failed';
}
