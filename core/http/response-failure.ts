// Responses that cannot be used, as errors: which service sent what, and what to do.
import type { HeaderList } from '@rainbell/contract/app-rpc';
import { AppFailure } from '../errors/app-failure.ts';
import { headerOf, hostOf } from './http-headers.ts';
import { type JsonRefusal, maxDepth } from './read-json.ts';
import type { ResponseLimit } from './response-limits.ts';

type Response = { url: string; status: number; limit: ResponseLimit };

const whatToDo = 'Check that the base URL points to the API, or ask the operator of the service.';

export function tooLargeFailure({ url, status, limit }: Response): AppFailure {
  return protocolFailure(
    `${hostOf(url)} returned more than ${sizeText(limit.bytes)} for ${limit.what}, so Rainbell stopped reading. ${whatToDo}`,
    status,
  );
}

export function wrongEncodingFailure(response: Pick<Response, 'url' | 'status'> & { coding: string; cause?: unknown }) {
  const { url, status, coding, cause } = response;
  const sentence =
    cause === undefined
      ? `${hostOf(url)} used the content encoding “${coding.slice(0, 40)}”, which Rainbell did not request. ${whatToDo}`
      : `${hostOf(url)} labeled its response as ${coding}, but it could not be decompressed. ${whatToDo}`;
  return protocolFailure(sentence, status, cause);
}

export function jsonFailure(problem: JsonRefusal, response: Response & { headers: HeaderList }): AppFailure {
  const { url, status, limit, headers } = response;
  return protocolFailure(`${jsonSentence(problem, hostOf(url), limit, headers)} ${whatToDo}`, status);
}

function jsonSentence(problem: JsonRefusal, host: string, limit: ResponseLimit, headers: HeaderList): string {
  switch (problem.reason) {
    case 'syntax':
      return problem.isCutOff
        ? `${host} returned JSON that is truncated.`
        : `${host} returned a body that is not valid JSON (content type: ${headerOf(headers, 'content-type') ?? 'none'}).`;
    case 'depth':
      return `${host} returned JSON nested ${count(problem.seen)} levels deep for ${limit.what}; Rainbell reads at most ${maxDepth}.`;
    case 'items':
      return `${host} returned ${count(problem.seen)} entries for ${limit.what}; Rainbell reads at most ${count(limit.items)}.`;
    case 'values':
      return `${host} returned ${count(problem.seen)} JSON values for ${limit.what}, more than Rainbell reads.`;
  }
}

function protocolFailure(sentence: string, httpStatus: number, cause?: unknown): AppFailure {
  return new AppFailure('PROTOCOL', sentence, { httpStatus }, cause === undefined ? {} : { cause });
}

function count(value: number): string {
  return value.toLocaleString('en');
}

function sizeText(bytes: number): string {
  const megabyte = 1024 * 1024;
  return bytes < megabyte ? `${Math.floor(bytes / 1024)} KB` : `${Math.floor(bytes / megabyte)} MB`;
}
