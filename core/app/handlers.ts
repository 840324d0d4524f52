// The functions that answer the procedures of the contract.
import type { ContractProcedure, ErrorMap, InferSchemaInput, InferSchemaOutput, Meta } from '@orpc/server';
import type { AppContract } from '@rainbell/contract/app-rpc';

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
