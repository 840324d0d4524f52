// The cursor of a feed: the last event its reader has, and when the reader was up to date. Opaque to clients.
import { z } from 'zod';
import { ServiceError } from '../../errors/service-error.ts';

/** After the event with this position and ID; 0 and '' for the start. */
export type FeedPlace = { position: number; id: string };
export type FeedCursor = FeedPlace & { completeAt: number };

const form = z.tuple([z.literal(1), z.int().min(0), z.string().max(64), z.int().min(0)]);
const maxTextLength = 300;

/** An idle cursor changes at most this often, so that its reader doesn't have to store it each time. */
const stepMs = 3_600_000;

export function formatFeedCursor({ position, id, completeAt }: FeedCursor): string {
  const time = Math.floor(Math.max(0, completeAt) / stepMs) * stepMs;
  return Buffer.from(JSON.stringify([1, position, id, time] satisfies z.input<typeof form>)).toString('base64url');
}

/** Throws a ServiceError if the text is not a cursor. */
export function parseFeedCursor(text: string): FeedCursor {
  const parsed = form.safeParse(text.length > maxTextLength ? undefined : jsonIn(text));
  if (!parsed.success) {
    throw new ServiceError('invalid_request', 'after must be "now" or the meta.cursor of an earlier response.');
  }
  const [, position, id, completeAt] = parsed.data;
  return { position, id, completeAt };
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  } catch {
    return undefined;
  }
}
