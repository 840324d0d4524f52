// Requests of a screen or a host that concern more than one subject.
import type {
  ConnectionList,
  ConnectionTestStep,
  ReceiverAccess,
  ReceiverRules,
  Settings,
} from '@rainbell/contract/app-rpc';
import { type Clock, formatInstant } from '@rainbell/shared';
import type { WebhookSecrets } from '../callbacks/webhook-secrets.ts';
import { testConnection } from '../connection/connection-test.ts';
import { type ConnectionDependencies, createConnection } from '../connection/connection.ts';
import type { Connections } from '../connection/connections.ts';
import type { Monitors } from '../monitors/monitors.ts';
import type { CoreEventHub } from '../ports/events.ts';
import type { ReceiverAccessStore } from '../receiver/access/receiver-access.ts';
import type { ReceiverRulesStore } from '../receiver/rules/receiver-rules.ts';
import type { Receiver } from '../receiver/server/receiver.ts';
import type { AppSettings } from '../settings/app-settings.ts';

type CommandDependencies = {
  events: CoreEventHub;
  settings: AppSettings;
  connections: Connections;
  /** For a connection that may be inactive. */
  connectionDependencies: ConnectionDependencies;
  webhookSecrets: Pick<WebhookSecrets, 'deleteOf'>;
  monitors: Pick<Monitors, 'flushDeletes'>;
  receiver: Receiver;
  receiverAccess: ReceiverAccessStore;
  rules: ReceiverRulesStore;
  clock: Clock;
};

export type Commands = ReturnType<typeof createCommands>;

export function createCommands(dependencies: CommandDependencies) {
  const { events, settings, connections, monitors, receiver, receiverAccess, rules, clock } = dependencies;

  async function replaceRules(next: ReceiverRules): Promise<ReceiverRules> {
    rules.replace(next);
    await receiver.applyRules();
    events.emit('receiverRulesChanged');
    return rules.get();
  }

  return {
    replaceRules,

    async pauseReceiver(pause: ReceiverRules['pause']): Promise<void> {
      await replaceRules({ ...rules.get(), pause });
    },

    async moveReceiver(port: number): Promise<void> {
      await receiver.move(port);
      settings.update({ receiverPort: port });
    },

    async changeReceiverAccess(choice: { tls: boolean; lan: boolean }): Promise<ReceiverAccess> {
      receiverAccess.choose(choice);
      await receiver.reopen();
      return receiverAccess.describe(receiver.port());
    },

    async updateSettings(changes: Partial<Settings>): Promise<Settings> {
      const headLimit = settings.get().keptLimits.headerKilobytes;
      const updated = settings.update(changes);
      if (changes.keptLimits) await receiver.applyLimits();
      // Node's server has one limit for its whole life.
      if (updated.keptLimits.headerKilobytes !== headLimit) await receiver.reopen();
      return updated;
    },

    async selectConnection(id: string): Promise<ConnectionList> {
      // Monitors that the user deleted here must not come back at the next visit.
      await monitors.flushDeletes();
      return connections.select(id);
    },

    async deleteConnection(id: string): Promise<void> {
      await monitors.flushDeletes();
      await connections.delete(id);
      await dependencies.webhookSecrets.deleteOf(id);
    },

    /** Its requests are in the traffic log like all others. */
    async testConnection(id: string, signal?: AbortSignal): Promise<{ testedAt: string; steps: ConnectionTestStep[] }> {
      const connection = createConnection(await connections.profileOf(id), dependencies.connectionDependencies);
      try {
        return { testedAt: formatInstant(clock.now()), steps: await testConnection(connection, clock, signal) };
      } finally {
        await connection.close();
      }
    },
  };
}
