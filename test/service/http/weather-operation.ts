// An operation that may wait for weather providers.
import { z } from 'zod';
import type { Operation } from '#service/http/operation.ts';

export const weatherOperation: Operation = {
  id: 'weather',
  group: 'Weather',
  title: 'Weather',
  description: 'Waits for a provider.',
  responses: [{ status: 200, meaning: 'Served.', schema: z.string(), type: 'text/plain' }],
  access: 'bearer',
};
