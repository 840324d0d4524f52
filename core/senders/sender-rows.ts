// The senders that Rainbell knows: sender-rows.json, on the model of sender-profile.ts. The order of the rows decides, because Gitea also
// sends GitHub's headers, and several senders share X-Hub-Signature and X-Signature.
import { AppFailure } from '../errors/app-failure.ts';
import type { SenderProfile } from './sender-profile.ts';
import rows from './sender-rows.json' with { type: 'json' };

// TypeScript reads the texts of a JSON file as any strings; a test compares them with the model.
export const senderRows = rows as unknown as readonly SenderProfile[];

const byId = new Map(senderRows.map((row) => [row.id, row]));

export function senderOf(id: string): SenderProfile | undefined {
  return byId.get(id);
}

/** Throws AppFailure INVALID_INPUT. */
export function requireSender(id: string): SenderProfile {
  const row = byId.get(id);
  if (row) return row;
  const ids = senderRows.map((one) => one.id).join(', ');
  throw new AppFailure('INVALID_INPUT', `There is no sender ${id}. The senders are ${ids}.`, { field: 'sender' });
}

/** A Rainbell service signs with it, too. */
export const standardWebhooks: SenderProfile = requireSender('standard-webhooks');
