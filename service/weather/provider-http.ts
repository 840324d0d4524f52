// HTTP to providers: JSON with limits on time and size, an identifying User-Agent, and one kind of failure.
import { Agent, interceptors, request } from 'undici';
import { ProviderFailure } from './reading.ts';

/** The parsed body of a 200. Throws a ProviderFailure for everything else. */
export type FetchJson = (provider: string, address: URL, signal: AbortSignal) => Promise<unknown>;

export type ProviderHttp = { fetchJson: FetchJson; close(): Promise<void> };

const connectMs = 3_000;
const totalMs = 10_000;
const largestBodyBytes = 2_000_000;

export function createProviderHttp({ userAgent }: { userAgent: string }): ProviderHttp {
  const agent = new Agent({
    connect: { timeout: connectMs },
    headersTimeout: totalMs,
    bodyTimeout: totalMs,
    connections: 4,
  });
  const dispatcher = agent.compose(interceptors.decompress());
  return {
    async fetchJson(provider, address, signal) {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(totalMs)]);
      const headers = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': userAgent };
      try {
        const answer = await request(address, { dispatcher, signal: limited, headers });
        const text = await readText(provider, answer.body);
        if (answer.statusCode !== 200) throw refusal(provider, answer.statusCode, answer.headers['retry-after'], text);
        return parseJson(provider, text);
      } catch (error) {
        if (error instanceof ProviderFailure) throw error;
        throw new ProviderFailure(provider, reason(error), { cause: error });
      }
    },
    close: () => agent.destroy(),
  };
}

async function readText(provider: string, body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > largestBodyBytes) throw new ProviderFailure(provider, 'its answer is larger than 2 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function refusal(provider: string, status: number, retryAfter: string | string[] | undefined, text: string) {
  const seconds = Number(retryAfter);
  const words = /"reason"\s*:\s*"([^"]{1,200})"/.exec(text)?.[1];
  return new ProviderFailure(provider, `it answered ${status}${words === undefined ? '' : `: ${words}`}`, {
    ...(Number.isFinite(seconds) && retryAfter !== undefined ? { retryAfterSeconds: seconds } : {}),
  });
}

function parseJson(provider: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProviderFailure(provider, 'its answer is no JSON', { cause });
  }
}

/** Words for a network fault; the address stays out, since it can hold a key. */
function reason(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time';
  if (error instanceof Error && error.name === 'AbortError') return 'the request was ended';
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return `it could not be reached${code === '' ? '' : ` (${code})`}`;
}
