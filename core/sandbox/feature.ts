import type { Feature, Parts } from '../app/feature.ts';
import { createSandboxTrust } from './sandbox-trust.ts';

/** The controls of the service that comes with the app. */
export function sandbox(parts: Parts): Feature<'sandbox'> {
  const { sandbox: control, connections, activeConnection, receiverAccess, events, screens, log } = parts;
  const saveTrust = createSandboxTrust({
    activeConnection,
    authority: () => (receiverAccess.isTls() ? receiverAccess.authorityPem() : undefined),
    log,
  });
  events.on('connectionChanged', saveTrust);
  events.on('receiverChanged', saveTrust);
  events.on('sandboxChanged', () => screens.publish({ topic: 'sandbox' }));
  return {
    handlers: {
      sandbox: {
        state: control.state,
        account: () => connections.sandboxAccount(),
        async webhookSecret() {
          const { isSandbox } = await activeConnection.current();
          const [secret = null] = isSandbox ? await parts.webhookSecrets.current() : [];
          return { secret };
        },
        addScenario: ({ input }) => control.addScenario(input),
        addSeries: ({ input }) => control.addSeries(input),
        endScenario: ({ input }) => control.endScenario(input.id),
        clearScenarios: control.clearScenarios,
        moveClock: ({ input }) => control.moveClock(input),
        chooseProvider: ({ input }) => control.chooseProvider(input.choice),
        startWeatherFault: ({ input }) => control.startWeatherFault(input),
        stopWeatherFault: control.stopWeatherFault,
      },
    },
    notices: () => [{ topic: 'sandbox' }],
  };
}
