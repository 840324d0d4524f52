// The sandbox's controls: clock, scenarios, provider. Every control answers the whole new state.
import type {
  ClockMove,
  NewScenario,
  NewWeatherFault,
  ProviderChoice,
  SandboxState,
} from '#contract/service-api/sandbox.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { oneAtATime } from '#renderer/store/one-at-a-time.ts';
import { idle, type Request, runCancelableRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';

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

const loadControls = laterModule(() => import('./sandbox-controls.ts'));

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
    ...laterActions(
      {
        addScenario: true,
        clearScenarios: true,
        moveClock: true,
        chooseProvider: true,
        startWeatherFault: true,
        stopWeatherFault: true,
      },
      loadControls,
      ({ createSandboxControls }) => createSandboxControls(tools, others),
    ),
  };
}
