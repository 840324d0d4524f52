import { type Callback, describeCauses, signatureCauses } from '@rainbell/contract/app-rpc';
import type { Feature, Parts } from '../app/feature.ts';
import { createAgentActions, shown } from './agent-actions.ts';
import { openAgentServer } from './agent-server.ts';
import { createConsents } from './consents.ts';

/** Serves agents: returns what they read, and asks the user for consent to changes. */
export function agents(parts: Parts): Feature<'agents'> {
  const { callbacks, monitors, deliveries, forecasts, screens, clock } = parts;
  const consents = createConsents({ clock, onChanged: () => screens.publish({ topic: 'consents' }) });
  const actions = createAgentActions(parts);
  const server = openAgentServer({
    ...parts,
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
      parts.notifyUser({
        title: `${agent} is requesting permission: ${described.title}`,
        body: 'Allow or deny it in Rainbell.',
        target: null,
      });
      await consents.request({ agent, ...described }, signal);
      return actions.carryOut(action, described);
    },
  });
  parts.adminPorts.push(() => [server.port() ?? []].flat());
  return {
    handlers: {
      agents: {
        consents: () => ({ consents: consents.pending() }),
        decide: ({ input }) => consents.decide(input.id, input.isAllowed),
      },
    },
    notices: () => [{ topic: 'consents' }],
    close: server.close,
  };
}

/** Adds what the signature doctor finds, as the screen does. */
async function withDiagnosis(callback: Callback, callbacks: Parts['callbacks']) {
  if (!callback.checks.some(({ check, verdict }) => check === 'signature' && verdict === 'error')) return callback;
  const { verifies, causes } = await callbacks.diagnoseSignature(callback.id);
  if (causes.length === 0) return verifies ? callback : { ...callback, diagnosis: 'No common cause found.' };
  return {
    ...callback,
    diagnosis: [describeCauses(causes), ...causes.map((cause) => signatureCauses[cause].advice)].join(' '),
  };
}
