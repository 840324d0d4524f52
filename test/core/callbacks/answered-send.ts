// A finished send that was answered, with every field.
import type { FinishedSend } from '#core/http/send-request.ts';
import { noon } from './callback-store.ts';

export const answeredWith = (status: number): FinishedSend => ({
  startedAt: noon,
  tookMs: 12.4,
  headers: [['A', 'b']],
  outcome: {
    kind: 'answered',
    status,
    headers: [['C', 'd']],
    bodyBase64: 'YQ==',
    truncated: false,
    firstByteMs: 3,
  },
});

export const answeredSend = answeredWith(200);
