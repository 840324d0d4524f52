import type { Feature, Parts } from '../app/feature.ts';
import { createAgentActions } from './agent-actions.ts';
import { appMissing, createConsents } from './consents.ts';

/** What agents propose: described for the user, and carried out once they allow it. */
export function agents(parts: Parts): Feature<'agents'> {
  const { screens, clock } = parts;
  const consents = createConsents({ clock, onChanged: () => screens.publish({ topic: 'consents' }) });
  const actions = createAgentActions(parts);
  return {
    handlers: {
      agents: {
        consents: () => ({ consents: consents.pending() }),
        decide: ({ input }) => consents.decide(input.id, input.isAllowed),
        async propose({ input: { agent, action }, signal = new AbortController().signal }) {
          if (parts.command) throw appMissing(parts.dataFolder);
          const described = await actions.describe(action);
          parts.notifyUser({
            title: `${agent} is requesting permission: ${described.title}`,
            body: 'Allow or deny it in Rainbell.',
            target: null,
          });
          await consents.request({ agent, ...described }, signal);
          return actions.carryOut(action, described);
        },
      },
    },
    notices: () => [{ topic: 'consents' }],
  };
}
