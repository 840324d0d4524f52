// The controls of our own service's sandbox (contract/service-api/sandbox.ts); other services have none.
import {
  type LatLng,
  type NewScenario,
  type Rain,
  rainAt,
  type SandboxState,
  sandboxStateSchema,
} from '@rainbell/contract/service-api';
import { AppFailure } from '../errors/app-failure.ts';
import { type ApiCall, readAs } from '../connection/api-client.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';

export type SandboxControl = ReturnType<typeof createSandboxControl>;

export function createSandboxControl(dependencies: { activeConnection: ActiveConnection; onChanged: () => void }) {
  async function call(apiCall: ApiCall): Promise<SandboxState> {
    const connection = await dependencies.activeConnection.current();
    if (!connection.isSandbox) {
      throw new AppFailure(
        'UNAVAILABLE',
        `${connection.name} is not this app’s sandbox, so it has no sandbox controls.`,
      );
    }
    const response = await connection.api.call(apiCall);
    const state = await readAs(response, sandboxStateSchema, 'a state that this version of Rainbell does not support');
    if (apiCall.method !== 'GET') dependencies.onChanged();
    return state;
  }
  return {
    /** Throws UNAVAILABLE for another service. */
    call,
    state: (): Promise<SandboxState> => call({ method: 'GET', path: '/sandbox/state', isBackground: true }),
    addScenario: (json: NewScenario): Promise<SandboxState> =>
      call({ method: 'POST', path: '/sandbox/scenarios', json }),
    /** Adds a scenario of rain, and returns its ID. */
    async startRain(center: LatLng, rain: Rain): Promise<string | undefined> {
      const { scenarios } = await call({ method: 'POST', path: '/sandbox/scenarios', json: rainAt(center, rain) });
      // Others may have been added since.
      return scenarios.findLast((one) => one.center.lat === center.lat && one.center.lng === center.lng)?.id;
    },
    /** One that has ended already changes nothing. */
    endScenario: (id: string): Promise<SandboxState> =>
      call({ method: 'DELETE', path: `/sandbox/scenarios/${encodeURIComponent(id)}` }),
  };
}
