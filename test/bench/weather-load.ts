// The load of weather.bench.ts: 32 connections asking one server for one address for a while, and what a request cost it.
import { type IncomingHttpHeaders, request } from 'node:http';
import autocannon from 'autocannon';
import type { Usage } from '#scripts/process-tree.ts';

export type Figures = { cpuMicroseconds: number; perSecond: number };

export type Target = {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** Otherwise a client that has the answer already gets it again. */
  knowsEtags: boolean;
};

const connections = 32;

export async function loadFor(
  seconds: number,
  target: Target,
  usage: () => Usage,
  isRevalidating = false,
): Promise<Figures> {
  const { url, headers } = target;
  const isConditional = isRevalidating && target.knowsEtags;
  const { headers: known } = await getRaw(url, headers);
  const asked = isConditional ? { ...headers, 'if-none-match': known.etag ?? '' } : headers;
  const [before, began] = [usage(), performance.now()];
  const result = await autocannon({ url, headers: asked, connections, duration: seconds, sampleInt: 100 });
  const [after, took] = [usage(), performance.now() - began];
  const total = result.requests.total;
  const wanted = isConditional ? result['3xx'] : result['2xx'];
  // When a minute ends the service has a new ETag, and who asks with the old one gets 200.
  if (isConditional && wanted < total && result['2xx'] > 0) {
    return loadFor(seconds, target, usage, isRevalidating);
  }
  if (result.errors > 0 || wanted < total) throw new Error(`${url}: ${total - wanted} of ${total} requests failed.`);
  return {
    cpuMicroseconds: (after.cpuMicroseconds - before.cpuMicroseconds) / total,
    perSecond: (total * 1000) / took,
  };
}

type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer };

/** Bytes as sent: fetch would decompress them. */
export function getRaw(address: string, headers: Readonly<Record<string, string>>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const call = request(address, { headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    call.on('error', reject).end();
  });
}
