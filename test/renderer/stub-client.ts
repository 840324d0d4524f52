// An app client for component tests: procedures of the contract in memory. What goes in and comes out is checked against the
// contract, as between screen and core; a call that a test did not prepare fails the test.
import type { InferClientInputs, InferClientOutputs } from '@orpc/client';
import { expect, onTestFinished } from 'vitest';
import type { z } from 'zod';
import type { Notice } from '#contract/app-rpc/app.ts';
import type { AppErrorCode, AppErrorDetails } from '#contract/app-rpc/app-errors.ts';
import { type AppClient, appContract } from '#contract/app-rpc/contract.ts';

type Inputs = InferClientInputs<AppClient>;
type Outputs = InferClientOutputs<AppClient>;
type Group = keyof AppClient;

/** Procedures by group and name, for instance `{ monitors: { list: () => … } }`. */
export type Stubs = {
  [G in Group]?: {
    [P in keyof Outputs[G]]?: (
      input: P extends keyof Inputs[G] ? Inputs[G][P] : never,
      signal: AbortSignal | undefined,
    ) => Outputs[G][P] | Promise<Outputs[G][P]>;
  };
};

export type StubClient = {
  client: AppClient;
  /** Replaces procedures from now on. */
  stub: (stubs: Stubs) => void;
  notify: (notice: Notice) => void;
};

type Procedure = (input: unknown, signal: AbortSignal | undefined) => unknown;

/** `present` are the first notices, as core sends them. */
export function createStubClient(defaults: Stubs, present: () => readonly Notice[]): StubClient {
  const table = new Map<string, Procedure>();
  const stub = (stubs: Stubs) => {
    for (const [group, procedures] of Object.entries(stubs))
      for (const [name, procedure] of Object.entries(procedures)) {
        if (!Object.hasOwn(appContract[group as Group], name)) throw new Error(`There is no ${group}.${name}.`);
        table.set(`${group}.${name}`, procedure as Procedure);
      }
  };
  stub(defaults);
  const unexpected: string[] = [];
  onTestFinished(() => expect(unexpected, 'calls that nothing was prepared for').toEqual([]));
  const listeners = new Set<(notice: Notice) => void>();
  async function* notices(signal: AbortSignal | undefined): AsyncGenerator<Notice> {
    const waiting = [...present()];
    let wake = () => {};
    const listen = (notice: Notice) => {
      waiting.push(notice);
      wake();
    };
    listeners.add(listen);
    signal?.addEventListener('abort', () => wake());
    while (signal?.aborted !== true) {
      const notice = waiting.shift();
      if (notice) yield notice;
      else await new Promise<void>((resolve) => (wake = resolve));
    }
    listeners.delete(listen);
  }
  const call = async (group: string, name: string, input: unknown, signal: AbortSignal | undefined) => {
    const path = `${group}.${name}`;
    if (path === 'app.notices') return notices(signal);
    const procedure = table.get(path);
    if (!procedure) {
      unexpected.push(path);
      throw new AppError('INTERNAL', `The test did not prepare ${path}.`);
    }
    const { inputSchema, outputSchema } = schemasOf(group, name);
    const output = await procedure(inputSchema ? inputSchema.parse(input) : undefined, signal);
    return outputSchema ? outputSchema.parse(output) : output;
  };
  const client = named(Object.keys(appContract), (group) =>
    named(
      Object.keys(appContract[group as Group]),
      (name) => (input: unknown, options?: { signal?: AbortSignal }) => call(group, name, input, options?.signal),
    ),
  ) as AppClient;
  return { client, stub, notify: (notice) => listeners.forEach((listen) => listen(notice)) };
}

/** What a procedure throws to a screen. */
export class AppError extends Error {
  readonly code: AppErrorCode;
  readonly data: AppErrorDetails;
  constructor(code: AppErrorCode, message: string, data: AppErrorDetails = {}) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

function named(names: readonly string[], make: (name: string) => unknown): object {
  return Object.fromEntries(names.map((name) => [name, make(name)]));
}

function schemasOf(group: string, name: string): { inputSchema?: z.ZodType; outputSchema?: z.ZodType } {
  const procedures = appContract[group as Group] as Record<string, { '~orpc': object }>;
  return procedures[name]?.['~orpc'] ?? {};
}
