// What a callback says about an episode of rain.
import type { EpisodePart } from '@rainbell/contract/app-rpc';
import { rainEventSchema } from '@rainbell/contract/service-api';
import { formatInstant, parseTimestamp } from '@rainbell/shared';
import { maxMonitorBytes, parseJson } from '../receiver/checks/earlier-callback.ts';
import type { StoredCallback } from '../receiver/records/stored-callback.ts';

export type EpisodeEvent = Omit<EpisodePart, 'callbackId'> & { episodeId: string };

/** Returns the episode that an event of docs/events.md is about, and its part of it; undefined for anything else. The service writes the type first. */
export function episodeEventOf({ body }: Pick<StoredCallback, 'body'>): EpisodeEvent | undefined {
  if (!/^\s*\{\s*"type"\s*:\s*"precipitation\./.test(body.toString('latin1', 0, 100))) return undefined;
  if (body.length > maxMonitorBytes) return undefined;
  const { type, data } = rainEventSchema.safeParse(parseJson(body.toString())).data ?? {};
  if (!type || !data) return undefined;
  const start = data.started_at ?? data.expected_start?.at;
  const at = parseTimestamp((type === 'precipitation.ended' ? data.ended_at : start) ?? '');
  return {
    episodeId: data.episode_id,
    type,
    at: at === undefined ? null : formatInstant(at),
    amount: data.precipitation_amount,
  };
}
