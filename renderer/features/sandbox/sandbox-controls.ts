// The sandbox's controls; each answers the whole new state. Loaded after the first screen.
import type { ClockMove, SandboxState } from '#contract/service-api/sandbox.ts';
import { runRequest } from '#renderer/store/request.ts';
import type { OtherSlices } from '#renderer/store/app-state.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { failedToast } from '#renderer/store/toasts-slice.ts';
import type { SandboxControls, SandboxSlice } from './sandbox-slice.ts';
import { providerLabels } from './provider-labels.ts';

export function createSandboxControls(
  { client, change }: SliceTools<SandboxSlice>,
  { show }: OtherSlices,
): SandboxControls {
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
      run(() => client.sandbox.chooseProvider({ choice }), `Weather provider: ${providerLabels[choice]}`),
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
