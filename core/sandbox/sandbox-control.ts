// The controls of our own service's sandbox (contract/service-api/sandbox.ts); a foreign service has none.
import {
  sandboxStateSchema,
  type ClockMove,
  type NewScenario,
  type NewWeatherFault,
  type ProviderChoice,
  type SandboxState,
} from '#contract/service-api/sandbox.ts';
import { AppFailure } from '#core/errors/app-failure.ts';
import type { ApiCall } from '../connection/api-client.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';

export type SandboxControl = {
  state: () => Promise<SandboxState>;
  addScenario: (scenario: NewScenario) => Promise<SandboxState>;
  /** One that has ended already changes nothing. */
  endScenario: (id: string) => Promise<SandboxState>;
  clearScenarios: () => Promise<SandboxState>;
  moveClock: (move: ClockMove) => Promise<SandboxState>;
  chooseProvider: (choice: ProviderChoice) => Promise<SandboxState>;
  breakWeather: (fault: NewWeatherFault) => Promise<SandboxState>;
  mendWeather: () => Promise<SandboxState>;
};

export function createSandboxControl(dependencies: {
  activeConnection: ActiveConnection;
  onChanged: () => void;
}): SandboxControl {
  async function call(apiCall: ApiCall): Promise<SandboxState> {
    const connection = await dependencies.activeConnection.current();
    if (!connection.isSandbox) {
      throw new AppFailure(
        'UNAVAILABLE',
        `${connection.name} is not Rainbell's own service, so it has no sandbox controls.`,
      );
    }
    const { value } = await (await connection.api.call(apiCall)).json();
    const state = sandboxStateSchema.safeParse(value);
    if (!state.success) {
      throw new AppFailure(
        'PROTOCOL',
        'The sandbox answered in a form that this version of Rainbell does not know.',
        {},
        { cause: state.error },
      );
    }
    if (apiCall.method !== 'GET') dependencies.onChanged();
    return state.data;
  }
  return {
    state: () => call({ method: 'GET', path: '/sandbox/state', isBackground: true }),
    addScenario: (json) => call({ method: 'POST', path: '/sandbox/scenarios', json }),
    endScenario: (id) => call({ method: 'DELETE', path: `/sandbox/scenarios/${encodeURIComponent(id)}` }),
    clearScenarios: () => call({ method: 'DELETE', path: '/sandbox/scenarios' }),
    moveClock: (json) => call({ method: 'POST', path: '/sandbox/clock', json }),
    chooseProvider: (choice) => call({ method: 'POST', path: '/sandbox/provider', json: { choice } }),
    breakWeather: (json) => call({ method: 'PUT', path: '/sandbox/fault', json }),
    mendWeather: () => call({ method: 'DELETE', path: '/sandbox/fault' }),
  };
}
