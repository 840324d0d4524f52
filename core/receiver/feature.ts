import type { Feature, Parts } from '../app/feature.ts';

/** The receiver's state and rules; the callbacks in its store are a feature of their own. */
export function receiver(parts: Parts): Feature<'rules'> {
  const { receiver: server, receiverAccess, rules, events, screens } = parts;
  // The tray shows whether the receiver is paused.
  for (const name of ['receiverChanged', 'receiverRulesChanged'] as const)
    events.on(name, () => screens.publish({ topic: 'status' }));
  events.on('heldChanged', () => screens.publish({ topic: 'held-requests' }));
  return {
    handlers: {
      rules: {
        held: () => ({ held: [...server.held()] }),
        respondToHeld: ({ input: { callbackId, ...response } }) => server.respondToHeld(callbackId, response),
        get: rules.get,
        replace: ({ input }) => parts.replaceRules(input),
      },
    },
    status: () => ({
      receiver: server.state(),
      exposure: { tls: receiverAccess.isTls(), lan: receiverAccess.isLan() },
    }),
    notices: () => [{ topic: 'held-requests' }],
  };
}
