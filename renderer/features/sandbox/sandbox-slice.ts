// The sandbox's controls: clock, scenarios, provider. Every control answers the whole new state.
import type {
  ClockMove,
  NewScenario,
  NewWeatherFault,
  ProviderChoice,
  SandboxState,
} from '@rainbell/contract/service-api';
import { oneAtATime } from '../../store/one-at-a-time.ts';
import { idle, type Request, runCancelableRequest, runRequest } from '../../store/request.ts';
import type { OtherSlices } from '../../store/app-state.ts';
import type { Slice, SliceTools } from '../../store/slice.ts';
import { failedToast } from '../../store/toasts-slice.ts';
import { providerLabel } from './provider-labels.ts';

export type SandboxSlice = SandboxControls & {
  state: SandboxState | null;
  request: Request;
  /** The last control's own request, so that its failure shows next to the controls. */
  control: Request;
  load(): Promise<void>;
};

export type SandboxControls = {
  addScenario(scenario: NewScenario, placeName: string): Promise<void>;
  clearScenarios(): Promise<void>;
  moveClock(move: ClockMove): Promise<void>;
  chooseProvider(choice: ProviderChoice): Promise<void>;
  startWeatherFault(fault: NewWeatherFault): Promise<void>;
  stopWeatherFault(): Promise<void>;
};

export function createSandboxSlice(tools: SliceTools<SandboxSlice>, others: OtherSlices): Slice<SandboxSlice> {
  const { client, change } = tools;
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    state: null,
    request: idle,
    control: idle,
    load: oneAtATime(async () => {
      const state = await runCancelableRequest(
        (request) => change({ request }),
        (signal) => client.sandbox.state(undefined, { signal }),
      );
      if (state) change({ state });
    }),
    ...createSandboxControls(tools, others),
  };
}

function createSandboxControls({ client, change }: SliceTools<SandboxSlice>, { show }: OtherSlices): SandboxControls {
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
    addScenario: (scenario, placeName) =>
      run(
        () => client.sandbox.addScenario(scenario),
        `Scenario applied around ${placeName} for ${scenario.minutes} min: ${scenario.status ?? 'rainy'}`,
      ),
    clearScenarios: () => run(() => client.sandbox.clearScenarios(), 'Scenarios cleared'),
    moveClock: (move) => run(() => client.sandbox.moveClock(move), clockMessage(move)),
    chooseProvider: (choice) =>
      run(() => client.sandbox.chooseProvider({ choice }), `Weather provider: ${providerLabel(choice)}`),
    startWeatherFault: (fault) => run(() => client.sandbox.startWeatherFault(fault), 'Fault started'),
    stopWeatherFault: () => run(() => client.sandbox.stopWeatherFault(), 'Fault stopped'),
  };
}

function clockMessage(move: ClockMove): string {
  switch (move.kind) {
    case 'advance':
      return `Sandbox clock moved ${move.seconds / 3600} h ahead`;
    case 'set':
      return `Sandbox clock set to ${move.instant}`;
    case 'reset':
      return 'Sandbox clock reset to this computer’s time';
  }
}
