// What a slice of the store gets, and what it has to say. Slices call the client; components never do.
import type { AppClient } from '@rainbell/contract/app-rpc';
import type { Request, RunOptions } from './request.ts';

export type SliceTools<State> = {
  client: AppClient;
  read(): State;
  change(part: Partial<State>): void;
  /** Runs one call, while the member of this name says what it is doing. Returns undefined if it failed. */
  run<T>(name: RequestName<State>, call: () => Promise<T>): Promise<T | undefined>;
  /** Runs one call like this, and returns whether it succeeded. */
  succeeds(name: RequestName<State>, call: () => Promise<unknown>): Promise<boolean>;
  /** Runs one call that the user can cancel; the signal then ends it in core, too. */
  runCancelable<T>(
    name: RequestName<State>,
    call: (signal: AbortSignal) => Promise<T>,
    options?: RunOptions,
  ): Promise<T | undefined>;
};

/** The members that are requests. */
type RequestName<State> = { [Name in keyof State]: State[Name] extends Request ? Name : never }[keyof State];

/**
 * What a slice does when another connection becomes the active one. `reset`: it starts over, except for the members in
 * `keeping`; responses to its earlier requests are dropped, and it sends nothing more. `keep`: nothing in it comes from the
 * active connection's service, and `because` says where it comes from.
 */
export type OnConnectionChange<State> =
  | { does: 'reset'; keeping: readonly (keyof State)[] }
  | { does: 'keep'; because: string };

/** Every slice declares it: one that holds a service's data must not show it under another connection's name. */
export type Slice<State> = State & { readonly onConnectionChange: OnConnectionChange<State> };

/** How a feature makes a slice; `others` is `OtherSlices` (store/app-state.ts). */
export type CreateSlice = (
  tools: SliceTools<never>,
  others: never,
) => { readonly onConnectionChange: OnConnectionChange<Record<string, unknown>> };

/** The state of slices, by their names. */
export type SlicesOf<Creators> = {
  [Name in keyof Creators]: Creators[Name] extends (...given: never[]) => infer State ? State : never;
};
