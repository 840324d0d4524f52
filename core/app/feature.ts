// What a feature of the core is, and the functions with which it answers the procedures of the contract. features.ts lists the features;
// create-core.ts starts them and loops over them.
import type { ContractProcedure, ErrorMap, InferSchemaInput, InferSchemaOutput, Meta } from '@orpc/server';
import type { AppContract, AppStatus, Notice } from '@rainbell/contract/app-rpc';
import type { openParts } from './parts.ts';

/** What features may use of each other. */
export type Parts = ReturnType<typeof openParts> & { status: () => AppStatus };

export type Feature<Part extends keyof AppContract = never> = {
  handlers: Handlers<Part>;
  status?: () => Partial<AppStatus>;
  /** The first notices for a screen that opens. */
  notices?: () => Notice[];
  /** The machine slept, or its clock was set. */
  resume?: () => void;
  /** Ends what it started, before the parts that it uses close. */
  close?: () => void | Promise<void>;
};

/** What belongs to one connection of a screen. */
export type ScreenContext = {
  whenWritable: () => Promise<void>;
};

type Answer<Output> = Output | Promise<Output> | (Record<string, never> extends Output ? void | Promise<void> : never);

type Handler<Procedure> =
  Procedure extends ContractProcedure<infer Input, infer Output, ErrorMap, Meta>
    ? (call: {
        input: InferSchemaOutput<Input>;
        signal: AbortSignal | undefined;
        context: ScreenContext;
      }) => Answer<InferSchemaInput<Output>>
    : never;

/** A function for each procedure in these parts of the contract. If it returns nothing, the response is `{}`. */
export type Handlers<Part extends keyof AppContract> = {
  [Subject in Part]: { [Name in keyof AppContract[Subject]]: Handler<AppContract[Subject][Name]> };
};

/** zod's partial objects may contain `undefined`; in our types a missing field is absent. */
export function defined<Fields extends Record<string, unknown>>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
