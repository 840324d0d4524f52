// The secrets of the receiver's paths and of forward targets, among the app's other secrets. They are in memory, because each verdict
// and the receiver read them.
import { z } from 'zod';
import type { ForwardTarget } from '@rainbell/contract/app-rpc';
import type { SecretsPort } from '../../ports/host.ts';

type EndpointSecretsDependencies = {
  secrets: SecretsPort;
  /** Paths, and targets by `forwardSecretsId`. */
  owners: () => readonly { id: string }[];
  /** So that none leaves in diagnostics. */
  noteSecret: (secret: string) => void;
};

/** No path has such an ID. */
export const forwardSecretsId = ({ id }: Pick<ForwardTarget, 'id'>): string => `forward:${id}`;

const maxSecrets = 20;
const nameFor = (id: string) => `endpoint-secrets:${id}`;
const storedSchema = z.array(z.string());

export function createEndpointSecrets({ secrets, owners, noteSecret }: EndpointSecretsDependencies) {
  const known = new Map<string, readonly string[]>();

  return {
    of: (endpointId: string): readonly string[] => known.get(endpointId) ?? [],
    async load(): Promise<void> {
      for (const { id } of owners()) {
        const text = await secrets.read(nameFor(id));
        const list = text === null ? [] : storedSchema.parse(JSON.parse(text));
        list.forEach(noteSecret);
        known.set(id, list);
      }
    },
    /** Adds secrets by endpoint ID, newest first, and deletes those of owners that are gone. An empty list deletes all of one. */
    async save(added: Readonly<Record<string, readonly string[]>>): Promise<void> {
      const named = new Set(owners().map(({ id }) => id));
      for (const id of new Set([...known.keys(), ...Object.keys(added)])) {
        const more = added[id];
        if (named.has(id) && !more) continue;
        const isKept = named.has(id) && more !== undefined && more.length > 0;
        const list = isKept ? [...new Set([...more, ...(known.get(id) ?? [])])].slice(0, maxSecrets) : [];
        list.forEach(noteSecret);
        await secrets.write(nameFor(id), list.length === 0 ? null : JSON.stringify(list));
        known.set(id, list);
      }
    },
  };
}
