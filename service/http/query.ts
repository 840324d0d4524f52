// The query of a route: each parameter at most once.
import { z } from 'zod';
import { ServiceError } from '../errors/service-error.ts';

export function wholeNumber(name: string, min: number, max: number, maxDigits = 16) {
  return z
    .unknown()
    .transform((text) =>
      typeof text === 'string' && /^\d+$/.test(text) && text.length <= maxDigits ? Number(text) : Number.NaN,
    )
    .refine((value) => value >= min && value <= max, `${name} must be a whole number from ${min} to ${max}`);
}

/** Throws a ServiceError with the schema's message, which names the parameter. */
export function readQuery<Schema extends z.ZodType>(schema: Schema, query: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(query);
  if (parsed.success) return parsed.data;
  throw new ServiceError('invalid_request', `${parsed.error.issues[0]?.message ?? 'The query is not valid'}.`);
}
