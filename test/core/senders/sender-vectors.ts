// The requests of test/fixtures/senders. Another file `vectors*.json` in that folder is read, too.
import { readdirSync, readFileSync } from 'node:fs';
import type { SenderRequest } from '#core/senders/sender-request.ts';

export type Vector = {
  sender: string;
  scheme: string;
  secret: string;
  method: string;
  url: string;
  headers: Record<string, string>;
  body: string;
  bodyEncoding?: 'utf8' | 'base64';
  valid: boolean;
  /** In seconds; null: its sender signs no time. */
  clock: number | null;
  cause?: string;
  verifyToken?: string;
};

const folder = new URL('../../fixtures/senders/', import.meta.url);

export function readFixture<Entry>(name: string): Entry[] {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8')) as Entry[];
}

export const vectors = readdirSync(folder)
  .filter((name) => /^vectors.*\.json$/.test(name) && name !== 'vectors-invalid.json')
  .flatMap((name) => readFixture<Vector>(name));

export const invalidVectors = readFixture<Vector>('vectors-invalid.json');

export function requestOf({ method, url, headers, body, bodyEncoding }: Omit<Vector, 'secret'>): SenderRequest {
  return { method, url, headers: Object.entries(headers), body: Buffer.from(body, bodyEncoding) };
}

export const clockOf = ({ clock }: Pick<Vector, 'clock'>) => (clock ?? 1_760_000_000) * 1000;
