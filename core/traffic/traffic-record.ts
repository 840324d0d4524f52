// An observed exchange as it is kept: masked, bodies cut at a limit, each field what its column takes.
import { toProblem } from '../errors/app-failure.ts';
import type { ConnectionProfile } from '../connection/connection.ts';
import type { ObservedRequest } from '../http/http-sender.ts';
import { maskerFor } from './mask.ts';

export type TrafficRecord = ReturnType<typeof toRecord>;

/** Characters of a body that are kept; a forecast of 72 hours has about a third of it. */
const maxCharacters = 256 * 1024;
/** Longer text is not searched for secrets. Text at that cut is removed, because half a secret would not be recognized. */
const maskedCharacters = 1024 * 1024;
const cutCharacters = 8 * 1024;

export function toRecord(profile: Pick<ConnectionProfile, 'id' | 'name'>, observed: ObservedRequest) {
  const { request, startedAt, tookMs, steps } = observed;
  const response = observed.response;
  const masker = maskerFor(request);
  const kind = request.kind ?? 'api';
  const maskBody = kind === 'token' ? masker.tokenBody : masker.text;
  const receivedText = response?.body.toString('utf8') ?? '';
  const isLong = receivedText.length > maskedCharacters;
  const maskedText = maskBody(receivedText.slice(0, maskedCharacters));
  const responseText = isLong ? maskedText.slice(0, -cutCharacters) : maskedText;
  const requestBody = request.body === undefined ? null : maskBody(request.body);
  const responseBody = responseText.slice(0, maxCharacters);
  const problem = observed.failure ? toProblem(observed.failure) : null;
  return {
    at: startedAt,
    connectionId: profile.id,
    connectionName: profile.name,
    kind,
    isBackground: Number(request.isBackground === true),
    method: request.method,
    url: masker.url(request.url),
    status: response?.status ?? null,
    tookMs,
    ...steps,
    firstByteMs: response?.firstByteMs ?? null,
    sizeBytes: response?.body.length ?? 0,
    // With a failure, reading stopped before the end, or there was nothing to read.
    truncated: Number(
      isLong || responseBody.length < responseText.length || (response !== undefined && problem !== null),
    ),
    problem: problem && JSON.stringify(problem),
    requestHeaders: JSON.stringify(masker.headers(request.headers)),
    responseHeaders: JSON.stringify(response ? masker.headers(response.headers) : []),
    requestBody,
    responseBody,
    storedBytes: responseBody.length + (requestBody?.length ?? 0) + 1024,
  };
}
