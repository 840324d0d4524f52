// The responses that senders require: to the request with which one checks the receiver, and to a wrong signature.
import { endpointSenderOf, type EndpointWithSecrets, toSenderRequest } from '../../senders/endpoint-sender.ts';
import { answerHandshake, refusalFor } from '../../senders/handshakes.ts';
import { readSenderRequest } from '../../senders/sender-request.ts';
import { senderRows } from '../../senders/sender-rows.ts';
import { recognizeSender } from '../../senders/verify-sender.ts';
import { pairsOf } from '../../http/http-headers.ts';
import { type ReceivedCallback, bufferOf } from '../requests/received-callback.ts';
import type { ResponsePlanned } from './response-outcome.ts';

/** Every request is compared with them while its sender waits. */
const rowsWithHandshakes = senderRows.filter(({ handshakes }) => handshakes !== undefined);
/** Handshakes are short; a longer body is not read while its sender waits. */
const maxReadBytes = 64 * 1024;

export function senderResponse(
  { method, target, rawHeaders, body, receivedAt }: ReceivedCallback,
  endpoints: readonly EndpointWithSecrets[],
): ResponsePlanned | undefined {
  if (body.length > maxReadBytes) return undefined;
  const endpoint = endpointSenderOf(endpoints, target);
  const request = toSenderRequest(
    { method, target, headers: pairsOf(rawHeaders), body: bufferOf(body) },
    endpoint.publicUrl,
  );
  const answer =
    answerHandshake(rowsWithHandshakes, request, { ...endpoint, receivedAt }) ??
    (endpoint.secrets.length > 0
      ? refusalFor(endpoint.sender ?? recognizeSender(senderRows, readSenderRequest(request)), request, {
          secrets: endpoint.secrets,
          receivedAt,
        })
      : undefined);
  return answer && { action: 'answer', ...answer, delayMs: 0, rule: null, step: null };
}
