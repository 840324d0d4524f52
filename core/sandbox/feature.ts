import type { Feature, Parts } from '../app/feature.ts';
import type { Connection } from '../connection/connection.ts';

export function sandbox(parts: Parts): Feature<'sandbox'> {
  const { sandbox: control, connections, activeConnection, receiverAccess, events, screens, log } = parts;
  const sentAuthorities = new WeakMap<Connection, string | null>();

  /**
   * Makes our own service trust the certificate of a receiver that uses TLS; otherwise its callbacks would not arrive. The service forgets
   * it at each start, so it is sent again: with each connection to it, and with each change of the receiver. A failure shows in the
   * deliveries, as `tls`.
   */
  function saveTrust(): void {
    const connection = activeConnection.present();
    const pem = (receiverAccess.isTls() && receiverAccess.authorityPem()) || null;
    if (!connection?.isSandbox || (sentAuthorities.get(connection) ?? null) === pem) return;
    sentAuthorities.set(connection, pem);
    connection.api
      .call({ method: 'PUT', path: '/sandbox/callback-authority', json: { pem } })
      .catch((error: unknown) => {
        sentAuthorities.delete(connection);
        log.warn({ err: error }, 'could not send the receiver’s certificate authority to the sandbox');
      });
  }

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
        addSeries: ({ input }) => control.call({ method: 'POST', path: '/sandbox/series', json: input }),
        endScenario: ({ input }) => control.endScenario(input.id),
        clearScenarios: () => control.call({ method: 'DELETE', path: '/sandbox/scenarios' }),
        moveClock: ({ input }) => control.call({ method: 'POST', path: '/sandbox/clock', json: input }),
        chooseProvider: ({ input }) => control.call({ method: 'POST', path: '/sandbox/provider', json: input }),
        startWeatherFault: ({ input }) => control.call({ method: 'PUT', path: '/sandbox/fault', json: input }),
        stopWeatherFault: () => control.call({ method: 'DELETE', path: '/sandbox/fault' }),
      },
    },
    notices: () => [{ topic: 'sandbox' }],
  };
}
