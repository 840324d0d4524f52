// Serves agents: returns what they read, and asks the user for consent to changes.
import { type Callback, type ConsentRequest, describeCauses, signatureCauses } from '@rainbell/contract/app-rpc';
import type { CallbackService } from '../callbacks/callback-service.ts';
import type { ActiveConnection } from '../connection/active-connection.ts';
import type { Forecasts } from '../forecast/forecasts.ts';
import type { Deliveries } from '../monitors/deliveries.ts';
import type { Monitors } from '../monitors/monitors.ts';
import type { Log } from '../ports/log.ts';
import type { UserNotice } from '../ports/host.ts';
import type { SandboxControl } from '../sandbox/sandbox-control.ts';
import type { Clock } from '@rainbell/shared';
import { createAgentActions, shown } from './agent-actions.ts';
import { openAgentServer } from './agent-server.ts';
import { createConsents } from './consents.ts';

export type Agents = {
  consents: () => ConsentRequest[];
  /** Throws AppFailure NOT_FOUND if it is not pending. */
  decide: (id: string, isAllowed: boolean) => void;
  /** Where agents reach the app, for the guard of outgoing requests. */
  port: () => number | undefined;
  close: () => Promise<void>;
};

type AgentsDependencies = {
  dataFolder: string;
  callbacks: CallbackService;
  monitors: Monitors;
  deliveries: Deliveries;
  forecasts: Pick<Forecasts, 'fetch'>;
  sandbox: SandboxControl;
  activeConnection: ActiveConnection;
  notify: (notice: UserNotice) => void;
  mask: (text: string) => string;
  onChanged: () => void;
  clock: Clock;
  log: Log;
};

export function createAgents(dependencies: AgentsDependencies): Agents {
  const { callbacks, monitors, deliveries, forecasts, notify } = dependencies;
  const consents = createConsents(dependencies);
  const actions = createAgentActions(dependencies);
  const agentServer = openAgentServer({
    ...dependencies,
    async read(request, signal) {
      switch (request.method) {
        case 'callbacks':
          return callbacks.search({ query: request.query, beforeId: request.beforeId, limit: request.limit });
        case 'callback':
          return withDiagnosis(await callbacks.get(request.callbackId), callbacks);
        case 'forecast':
          return forecasts.fetch({ lat: request.lat, lng: request.lng }, undefined, signal);
        case 'monitors':
          return (await monitors.list(signal)).monitors.map(shown);
        case 'explain':
          return (await deliveries.explain(request.monitorId, { signal })) ?? null;
      }
    },
    async propose(agent, action, signal) {
      const described = await actions.describe(action);
      notify({
        title: `${agent} is requesting permission: ${described.title}`,
        body: 'Allow or deny it in Rainbell.',
        target: null,
      });
      await consents.request({ agent, ...described }, signal);
      return actions.carryOut(action, described);
    },
  });
  return { consents: consents.pending, decide: consents.decide, port: agentServer.port, close: agentServer.close };
}

/** Adds what the signature doctor finds, as the screen does. */
async function withDiagnosis(callback: Callback, callbacks: Pick<CallbackService, 'diagnoseSignature'>) {
  if (!callback.checks.some(({ check, verdict }) => check === 'signature' && verdict === 'error')) return callback;
  const { verifies, causes } = await callbacks.diagnoseSignature(callback.id);
  if (causes.length === 0) return verifies ? callback : { ...callback, diagnosis: 'No common cause found.' };
  return {
    ...callback,
    diagnosis: [describeCauses(causes), ...causes.map((cause) => signatureCauses[cause].advice)].join(' '),
  };
}
