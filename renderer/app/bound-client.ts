// A client for slices that belong to one connection: once another one is active, it sends nothing more. A write that was meant
// for a monitor of the former service must not reach the monitor with the same ID at the new one.
import type { AppClient } from '@rainbell/contract/app-rpc';
import { ConnectionChanged } from '../store/connection-changed.ts';

type Procedure = (...input: unknown[]) => unknown;

/** The same client; after `isOver` its procedures reject instead of sending. */
export function boundClient(client: AppClient, isOver: () => boolean): AppClient {
  return withProperties(client, (group) =>
    withProperties(group as object, (procedure) => (...input: unknown[]) => {
      if (isOver()) return Promise.reject(new ConnectionChanged());
      return (procedure as Procedure)(...input);
    }),
  );
}

function withProperties<Target extends object>(target: Target, replace: (value: unknown) => unknown): Target {
  return new Proxy(target, { get: (from, name) => replace(Reflect.get(from, name)) });
}
