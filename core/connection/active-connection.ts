// The connection in use, which may not exist yet, because the local service starts at the same time as the app. Calls wait for it
// for a while, so an early call from a screen gets a response instead of an error.
import type { AppProblem, ConnectionState, TokenCard } from '@rainbell/contract/app-rpc';
import { type Clock, within } from '@rainbell/shared';
import { AppFailure } from '../errors/app-failure.ts';
import { emptyCard } from '../tokens/token-card.ts';
import { type Connection, sandboxName } from './connection.ts';

/** What is known of a connection before it can be used. */
export type ConnectionLabel = { name: string; baseUrl: string | null; isSandbox: boolean };

export type ActiveConnection = ReturnType<typeof createActiveConnection>;

const maxWaitMs = 15_000;

export function createActiveConnection({ clock, onState }: { clock: Clock; onState: () => void }) {
  let connection: Connection | undefined;
  let label: ConnectionLabel = { name: sandboxName, baseUrl: null, isSandbox: true };
  let problem: AppProblem | undefined;
  let change = Promise.withResolvers<void>();

  function changed(): void {
    change.resolve();
    change = Promise.withResolvers();
    onState();
  }

  function put(next: Connection | undefined, nextProblem: AppProblem | undefined): void {
    if (connection !== next) void connection?.retire();
    connection = next;
    problem = nextProblem;
  }

  return {
    /** Waits while the connection is starting. Throws AppFailure NETWORK when it failed or takes too long. */
    async current(): Promise<Connection> {
      if (!connection && !problem) await within(clock, maxWaitMs, change.promise);
      if (connection) return connection;
      const waitedFor = label.isSandbox ? 'The service on this computer' : label.name;
      throw new AppFailure('NETWORK', problem?.message ?? `${waitedFor} is still starting. Try again in a moment.`);
    },
    present: (): Connection | undefined => connection,
    /** Whether its token lets it read monitors now, without signing in or starting anything. */
    canReadMonitors: (): boolean => connection?.canReadMonitors() === true,
    use(next: Connection) {
      put(next, undefined);
      label = { name: next.name, baseUrl: next.baseUrl, isSandbox: next.isSandbox };
      changed();
    },
    /** Another connection was chosen and is not there yet. */
    setPending(next: ConnectionLabel) {
      put(undefined, undefined);
      label = next;
      onState();
    },
    fail(nextProblem: AppProblem) {
      put(undefined, nextProblem);
      changed();
    },
    /** Gets a fresh token if there is a connection; a failure shows in the status. */
    refresh: (): void => void connection?.prepareToken().catch(() => {}),
    state: (): ConnectionState => ({
      ...label,
      state: connection ? 'ready' : problem ? 'failed' : 'starting',
      problem: problem ?? null,
    }),
    tokenCard: (): TokenCard => connection?.tokenCard() ?? emptyCard('application'),
    async close() {
      problem ??= { code: 'NETWORK', message: 'Rainbell is closing.', details: {} };
      changed();
      await connection?.close();
    },
  };
}
