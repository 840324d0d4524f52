// Our own service has to trust the certificate of a receiver that speaks TLS, or its callbacks would not arrive. It forgets
// with each start, so it is told anew: with each connection to it, and with each change of the receiver.
import type { Connection } from '../connection/connection.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { Log } from '#core/ports/log.ts';

type SandboxTrustDependencies = {
  activeConnection: Pick<ActiveConnection, 'present'>;
  /** The authority of the receiver's certificate, as PEM; undefined where it speaks no TLS. */
  authority: () => string | undefined;
  log: Log;
};

/** `keep` tells the sandbox where it is in use and does not know yet. A failure shows in the deliveries, as `tls`. */
export function createSandboxTrust({ activeConnection, authority, log }: SandboxTrustDependencies): {
  keep: () => void;
} {
  const toldBy = new WeakMap<Connection, string | undefined>();
  return {
    keep() {
      const sandbox = activeConnection.present();
      const pem = authority();
      if (!sandbox?.isSandbox || toldBy.get(sandbox) === pem) return;
      toldBy.set(sandbox, pem);
      sandbox.api
        .call({ method: 'PUT', path: '/sandbox/callback-authority', json: { pem: pem ?? null } })
        .catch((error: unknown) => {
          toldBy.delete(sandbox);
          log.warn({ err: error }, 'the sandbox could not be told whose certificate the receiver has');
        });
    },
  };
}
