// Reads a callback from the HTML file of another app (callback-proof.ts) and verifies it, without running anything of the file.
import { createHash } from 'node:crypto';
import type { SignatureDiagnosis } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { pairsOf } from '../http/http-headers.ts';
import type { ReceivedCallback } from '../receiver/requests/received-callback.ts';
import { diagnoseRequest, type KnownSecret } from '../senders/diagnose-sender.ts';
import { toSenderRequest } from '../senders/endpoint-sender.ts';
import { readSenderRequest } from '../senders/sender-request.ts';
import { requireSender, senderRows } from '../senders/sender-rows.ts';
import { recognizeSender } from '../senders/verify-sender.ts';
import { fromRecord } from './callback-records.ts';

/** Throws AppFailure INVALID_INPUT. */
export function readProof(html: string): ReceivedCallback & { body: Buffer } {
  const [, json] = /<script type="application\/json" id="callback">(.*?)<\/script>/s.exec(html) ?? [];
  try {
    return fromRecord(JSON.parse(json ?? ''));
  } catch (error) {
    if (error instanceof AppFailure) throw error;
    const message = 'The file is not a callback that Rainbell exported as a page.';
    throw new AppFailure('INVALID_INPUT', message, { field: 'piece' }, { cause: error });
  }
}

/** `sender`: the ID of a row, in place of the recognized one. Throws AppFailure INVALID_INPUT. */
export function verifyProof(
  html: string,
  secrets: readonly KnownSecret[],
  sender?: string,
): SignatureDiagnosis & { bodyBytes: number; sha256: string } {
  const { body, receivedAt, truncated, rawHeaders, method, target } = readProof(html);
  if (truncated)
    throw new AppFailure('INVALID_INPUT', 'The file has only a part of the body, so nothing can be verified.');
  const request = toSenderRequest({ method, target, headers: pairsOf(rawHeaders), body }, null);
  const profile =
    sender === undefined ? recognizeSender(senderRows, readSenderRequest(request)) : requireSender(sender);
  if (!profile) throw new AppFailure('INVALID_INPUT', 'No known sender signs like this. Choose the sender.');
  const sha256 = createHash('sha256').update(body).digest('hex');
  return { ...diagnoseRequest(profile, request, secrets, receivedAt), bodyBytes: body.length, sha256 };
}
