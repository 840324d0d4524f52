// What every procedure between screen and core shares: its declared errors.
import { oc } from '@orpc/contract';
import { z } from 'zod';
import { appErrors } from './app-errors.ts';

export const procedure = oc.errors(appErrors);

/** Response of a procedure that returns nothing. */
export const doneSchema = z.object({});

/** Time between screen and core: RFC 3339 in UTC, as `Date.prototype.toISOString` writes it. */
export const timestampSchema = z.iso.datetime();

/** Headers as received: order and duplicates preserved. */
export const headerListSchema = z.array(z.tuple([z.string(), z.string()]));
export type HeaderList = z.infer<typeof headerListSchema>;
