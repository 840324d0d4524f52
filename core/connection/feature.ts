import { formatInstant } from '@rainbell/shared';
import type { Feature, Parts } from '../app/feature.ts';
import { testConnection } from './test-connection.ts';
import { createConnectionTransfer } from './connection-transfer.ts';
import { createConnection } from './connection.ts';
import { createRefreshAhead } from './refresh-ahead.ts';

export function connections(parts: Parts): Feature<'connections'> {
  const { connections: saved, activeConnection, connectionDependencies, monitors, webhookSecrets } = parts;
  const { events, screens, receiver, settings, clock } = parts;
  const transfer = createConnectionTransfer({ settings, clock, onChanged: () => events.emit('connectionsChanged') });
  const refreshAhead = createRefreshAhead({
    activeConnection,
    isInUse: () => screens.hasListeners() || receiver.state().state === 'listening',
    clock,
  });
  events.on('connectionChanged', refreshAhead.plan);
  events.on('connectionChanged', () => screens.publish({ topic: 'status' }));
  events.on('connectionsChanged', () => screens.publish({ topic: 'connections' }));
  return {
    handlers: {
      connections: {
        list: () => saved.list(),
        create: ({ input: { clientSecret, ...fields } }) => saved.create(fields, clientSecret),
        update: ({ input: { id, clientSecret, ...fields } }) => saved.update(id, fields, clientSecret),
        async delete({ input }) {
          await monitors.flushDeletes();
          await saved.delete(input.id);
          await webhookSecrets.deleteOf(input.id);
        },
        async select({ input }) {
          // Monitors that the user deleted here must not come back at the next visit.
          await monitors.flushDeletes();
          return saved.select(input.id);
        },
        // Its requests are in the traffic log like all others.
        async test({ input, signal }) {
          const connection = createConnection(await saved.profileOf(input.id), connectionDependencies);
          try {
            return {
              testedAt: formatInstant(clock.now()),
              steps: await testConnection(connection, clock, signal),
            };
          } finally {
            await connection.close();
          }
        },
        export: transfer.export,
        import: ({ input }) => transfer.import(input.text),
      },
    },
    status: () => ({ connection: activeConnection.state(), token: activeConnection.tokenCard() }),
    notices: () => [{ topic: 'connections' }],
    resume() {
      activeConnection.refresh();
      refreshAhead.plan();
    },
    close: refreshAhead.close,
  };
}
