// The receiver's thread, the user's settings for it, and the pages that are read from its store.
import { z } from 'zod';
import {
  endpointSchema,
  forwardTargetsSchema,
  type ReceiverRules,
  savedFilterSchema,
} from '@rainbell/contract/app-rpc';
import type { Base } from '../app/base.ts';
import { openStoredList } from '../database/stored-document.ts';
import { createEndpointSecrets, forwardSecretsId } from './access/endpoint-secrets.ts';
import { limitsWith } from './access/receiver-limits.ts';
import { createReceiverAccess } from './access/receiver-access.ts';
import { createCallbackPages } from './records/callback-pages.ts';
import { createReceiverRulesStore } from './rules/receiver-rules.ts';
import { createAbsentReceiver } from './server/absent-receiver.ts';
import { createReceiver } from './server/receiver.ts';

export function openReceiver(base: Base) {
  const { events, screens, db, secrets, settings, storage, command, log } = base;
  const documents = {
    endpoints: openStoredList(db, 'endpoints', z.array(endpointSchema)),
    filters: openStoredList(db, 'callback filters', z.array(savedFilterSchema)),
    forwardTargets: openStoredList(db, 'forward targets', forwardTargetsSchema),
  };
  const rules = createReceiverRulesStore(db);
  const receiverAccess = createReceiverAccess(base);
  base.noteSecret(receiverAccess.token);
  const owners = () => {
    const signing = documents.forwardTargets.get().filter(({ sender }) => sender !== null);
    return [...documents.endpoints.get(), ...signing.map((target) => ({ id: forwardSecretsId(target) }))];
  };
  const endpointSecrets = createEndpointSecrets({ ...base, owners });
  const endpointsWithSecrets = () =>
    documents.endpoints.get().map((endpoint) => ({ ...endpoint, secrets: endpointSecrets.of(endpoint.id) }));
  /** Not the user's: it ends with what added it. */
  let added: ReceiverRules['rules'][number] | null = null;
  const allRules = (): ReceiverRules => {
    const { pause, rules: stored } = rules.get();
    return { pause, rules: added ? [...stored, added] : stored };
  };
  let outcomes = 0;
  const own = command?.receiver;
  const receiver =
    own && 'address' in own
      ? createAbsentReceiver(own.address)
      : createReceiver({
          ...base,
          workerUrl: base.workers.receiver,
          port: own?.port ?? settings.get().receiverPort,
          limits: () => limitsWith(settings.get().keptLimits),
          rules: allRules,
          endpoints: endpointsWithSecrets,
          // A command listens only on this computer.
          ...(command ? {} : { access: receiverAccess.forListening }),
          onState: () => events.emit('receiverChanged'),
          onChanged: ({ newestId }) => events.emit('callbacksArrived', newestId),
          onOutcomes() {
            outcomes += 1;
            screens.publish({ topic: 'callback-outcomes', version: outcomes });
          },
          onHeld: () => events.emit('heldChanged'),
          onDamage: storage.foundDamage,
          isDamaged: storage.isDamaged,
        });
  const loadSecrets = () => {
    endpointSecrets
      .load()
      .then(() => receiver.call('setEndpoints', endpointsWithSecrets()))
      .then(() => events.emit('callbacksChanged'))
      .catch((error: unknown) => log.error({ err: error }, 'the secrets of the receiver’s paths could not be read'));
  };
  if (owners().length > 0) loadSecrets();
  secrets.onReadable?.(() => {
    loadSecrets();
    if (receiver.state().state !== 'failed') return;
    receiver
      .reopen()
      .catch((error: unknown) => log.error({ err: error }, 'the stored certificate authority could not be used'));
  });
  events.on('damageFound', () => void receiver.call('stopStoring'));

  return {
    rules,
    async replaceRules(next: ReceiverRules): Promise<ReceiverRules> {
      rules.replace(next);
      await receiver.call('setRules', allRules());
      events.emit('receiverRulesChanged');
      return rules.get();
    },
    /** After the user's, until it is replaced; it is not stored. */
    async addRule(rule: ReceiverRules['rules'][number] | null): Promise<void> {
      added = rule;
      await receiver.call('setRules', allRules());
    },
    receiverAccess,
    documents,
    endpointSecrets,
    endpointsWithSecrets,
    receiver,
    pages: createCallbackPages(db),
  };
}
