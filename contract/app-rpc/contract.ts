// The contract as a whole.
import type { ContractRouterClient } from '@orpc/contract';
import * as procedures from './procedures.ts';

export type AppContract = typeof procedures;
export const appContract: AppContract = procedures;

/** The client that the screens use. */
export type AppClient = ContractRouterClient<AppContract>;
