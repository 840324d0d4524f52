// What a feature of the core is. features.ts lists them; create-core.ts starts them and loops over them.
import type { AppContract, AppStatus, Notice } from '@rainbell/contract/app-rpc';
import type { Handlers } from './handlers.ts';
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

/** zod's partial objects may contain `undefined`; in our types a missing field is absent. */
export function defined<Fields extends Record<string, unknown>>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]?: Exclude<Fields[Name], undefined>;
  };
}
