// The sandbox's controls: clock, scenarios, provider. Every control answers the whole new state.
import { failedToast } from '#renderer/store/toasts-slice.ts';
import type {
  ClockMove,
  NewScenario,
  NewWeatherFault,
  ProviderChoice,
  SandboxState,
} from '#contract/service-api/sandbox.ts';
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { idle, type Request, runCancelableRequest, runRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';

export type SandboxSlice = {
  state: SandboxState | null;
  request: Request;
  /** The last control's own request, so that its failure stands beside the controls. */
  control: Request;
  load(): Promise<void>;
  addScenario(scenario: NewScenario, placeName: string): Promise<void>;
  clearScenarios(): Promise<void>;
  moveClock(move: ClockMove): Promise<void>;
  chooseProvider(choice: ProviderChoice): Promise<void>;
  breakWeather(fault: NewWeatherFault): Promise<void>;
  mendWeather(): Promise<void>;
};

export function createSandboxSlice(
  { client, change }: SliceTools<SandboxSlice>,
  { show }: OtherSlices,
): Slice<SandboxSlice> {
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
    addScenario: (scenario, placeName) =>
      run(
        () => client.sandbox.addScenario(scenario),
        `It is ${scenario.status ?? 'rainy'} around ${placeName} for ${scenario.minutes} min.`,
      ),
    clearScenarios: () => run(() => client.sandbox.clearScenarios(), 'All scenarios are cleared.'),
    moveClock: (move) => run(() => client.sandbox.moveClock(move), clockMessage(move)),
    chooseProvider: (choice) =>
      run(() => client.sandbox.chooseProvider({ choice }), `Weather now comes from: ${choice}.`),
    breakWeather: (fault) => run(() => client.sandbox.breakWeather(fault), 'The weather is broken on purpose now.'),
    mendWeather: () => run(() => client.sandbox.mendWeather(), 'The weather answers as it should again.'),
  };
}

function clockMessage(move: ClockMove): string {
  switch (move.kind) {
    case 'advance':
      return `The service's clock went ${move.seconds / 3600} h ahead.`;
    case 'set':
      return `The service's clock was set to ${move.instant}.`;
    case 'reset':
      return `The service's clock runs with this machine's again.`;
  }
}
