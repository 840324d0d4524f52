// Makes our own service trust the certificate of a receiver that uses TLS; otherwise its callbacks would not arrive. The service
// forgets it at each start, so it is sent again: with each connection to it, and with each change of the receiver.
import type { Connection } from '../connection/connection.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { Log } from '../ports/log.ts';

type SandboxTrustDependencies = {
  activeConnection: Pick<ActiveConnection, 'present'>;
  /** The authority of the receiver's certificate, as PEM; undefined if it doesn't use TLS. */
  authority: () => string | undefined;
  log: Log;
};

/** Returns what sends it to the sandbox if the sandbox is in use and doesn't have it yet. A failure shows in the deliveries, as `tls`. */
export function createSandboxTrust({ activeConnection, authority, log }: SandboxTrustDependencies): () => void {
  const trustSource = new WeakMap<Connection, string | undefined>();
  return () => {
    const sandbox = activeConnection.present();
    const pem = authority();
    if (!sandbox?.isSandbox || trustSource.get(sandbox) === pem) return;
    trustSource.set(sandbox, pem);
    sandbox.api
      .call({ method: 'PUT', path: '/sandbox/callback-authority', json: { pem: pem ?? null } })
      .catch((error: unknown) => {
        trustSource.delete(sandbox);
        log.warn({ err: error }, 'could not send the receiver’s certificate authority to the sandbox');
      });
  };
}
