// The sandbox's controls: clock, scenarios, provider. Every control answers the whole new state.
import type {
  ClockMove,
  NewScenario,
  NewSeries,
  NewWeatherFault,
  ProviderChoice,
  SandboxState,
} from '@rainbell/contract/service-api';
import { oneAtATime } from '../../store/one-at-a-time.ts';
import { idle, runRequest } from '../../store/request.ts';
import type { OtherSlices } from '../../store/app-state.ts';
import type { SliceTools } from '../../store/slice.ts';
import { failedToast } from '../../store/toasts-slice.ts';
import { providerAttributions } from '@rainbell/shared';

export interface SandboxSlice extends ReturnType<typeof createSandboxSlice> {}

export function createSandboxSlice({ client, change, runCancelable }: SliceTools<SandboxSlice>, { show }: OtherSlices) {
  const run = async (call: () => Promise<SandboxState>, done: string) => {
    const state = await runRequest((control) => {
      change({ control });
      if (control.state === 'failed') show(failedToast(control.failure));
    }, call);
    if (!state) return;
    change({ state });
    show({ tone: 'good', message: done });
  };
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    state: null as SandboxState | null,
    request: idle,
    /** The last control's own request, so that its failure shows next to the controls. */
    control: idle,
    load: oneAtATime(async (): Promise<void> => {
      const state = await runCancelable('request', (signal) => client.sandbox.state(undefined, { signal }));
      if (state) change({ state });
    }),
    addScenario: (scenario: NewScenario, placeName: string): Promise<void> =>
      run(
        () => client.sandbox.addScenario(scenario),
        `Scenario applied around ${placeName} for ${scenario.minutes} min: ${scenario.status ?? 'rainy'}`,
      ),
    addSeries: (series: NewSeries, placeName: string): Promise<void> =>
      run(() => client.sandbox.addSeries(series), `Series applied around ${placeName}`),
    clearScenarios: (): Promise<void> => run(() => client.sandbox.clearScenarios(), 'Scenarios cleared'),
    moveClock: (move: ClockMove): Promise<void> => run(() => client.sandbox.moveClock(move), clockMessage(move)),
    chooseProvider: (choice: ProviderChoice): Promise<void> =>
      run(() => client.sandbox.chooseProvider({ choice }), `Weather provider: ${providerLabel(choice)}`),
    startWeatherFault: (fault: NewWeatherFault): Promise<void> =>
      run(() => client.sandbox.startWeatherFault(fault), 'Fault started'),
    stopWeatherFault: (): Promise<void> => run(() => client.sandbox.stopWeatherFault(), 'Fault stopped'),
  };
}

function clockMessage(move: ClockMove): string {
  switch (move.kind) {
    case 'advance':
      return `Sandbox clock moved ${move.seconds / 3600} h ahead`;
    case 'set':
      return `Sandbox clock set to ${move.instant.slice(0, 16).replace('T', ' ')} UTC`;
    case 'reset':
      return 'Sandbox clock reset to this computer’s time';
  }
}

const providerLabels: Readonly<Record<string, string>> = {
  auto: 'Automatic',
  simulation: 'Simulation',
  ...Object.fromEntries(Object.entries(providerAttributions).map(([id, { name }]) => [id, name])),
};

/** Returns the name of a choice, or of a provider that the service reports; an unknown one is shown by its ID. */
export function providerLabel(id: string): string {
  return providerLabels[id] ?? id;
}
