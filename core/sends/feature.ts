import type { Feature, Parts } from '../app/feature.ts';
import { createReplayRun } from './replay-run.ts';

/** Requests from stored callbacks: one, a run of many, and those that are forwarded as callbacks arrive. */
export function sends({ sends: sending, screens, clock }: Parts): Feature<'sends'> {
  const replayRun = createReplayRun({
    send: (id, { url, signing }) => sending.replay({ id, url, signing }),
    clock,
    onChanged: () => screens.publish({ topic: 'replay' }),
  });
  const forwardTargets = () => ({ targets: sending.forwardStates() });
  return {
    handlers: {
      sends: {
        replay: ({ input, signal }) => sending.replay(input, signal),
        replayIds: async ({ input }) => ({ ids: await sending.replayIds(input.choice) }),
        async startReplay({ input: { choice, times, ...request } }) {
          replayRun.start(await sending.replayIds(choice, times), request);
        },
        replayRun: () => ({ run: replayRun.state() }),
        controlReplay: ({ input }) => replayRun.control(input.action),
        forwardTargets,
        replaceForwardTargets: ({ input: { targets, newSecrets } }) =>
          sending.replaceTargets(targets, newSecrets).then(forwardTargets),
      },
    },
    notices: () => [{ topic: 'replay' }],
    close: replayRun.close,
  };
}
