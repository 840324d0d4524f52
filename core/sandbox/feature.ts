import type { Feature, Parts } from '../app/feature.ts';

/** The controls of the service that comes with the app. */
export function sandbox({ sandbox: control, connections, events, screens }: Parts): Feature<'sandbox'> {
  events.on('sandboxChanged', () => screens.publish({ topic: 'sandbox' }));
  return {
    handlers: {
      sandbox: {
        state: control.state,
        account: connections.sandboxAccount,
        addScenario: ({ input }) => control.addScenario(input),
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
