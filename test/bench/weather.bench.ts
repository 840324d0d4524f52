// Goal 5 of the design's performance.md: a hot weather cell, token checked, gzip, against bare node:http that sends the same
// bytes without asking anything; and 304. Run: node test/bench/weather.bench.ts. The CPU ratio is the figure to trust.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import type { ServiceIntroduction } from '#contract/sandbox.ts';

type Measured = { perSecond: number; cpuMicroseconds: number };

const rounds = 3;
const seconds = 3;
const connections = 32;
const path = '/v2/weather/?location_lat=45.07&location_lng=7.69';
const folder = mkdtempSync(join(tmpdir(), 'rainbell-weather-bench-'));
const answerFile = join(folder, 'answer.gz');

function startServer(kind: string) {
  const file = fileURLToPath(new URL('./weather-server.ts', import.meta.url));
  const child = spawn(process.execPath, [file, kind, answerFile], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const nextLine = async <Value>() => JSON.parse(((await once(lines, 'line')) as [string])[0]) as Value;
  return {
    introduction: nextLine<ServiceIntroduction>(),
    async cpuMicroseconds() {
      child.stdin.write('\n');
      return (await nextLine<{ cpuMicroseconds: number }>()).cpuMicroseconds;
    },
    async stop() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function tokenOf({ baseUrl, clientId, clientSecret }: ServiceIntroduction): Promise<string> {
  const answer = await fetch(`${baseUrl}/token/`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}

/** The bytes as sent, and their ETag. */
function getRaw(address: string, headers: Record<string, string>): Promise<{ body: Buffer; etag: string }> {
  return new Promise((resolve, reject) => {
    const call = request(address, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve({ body: Buffer.concat(chunks), etag: response.headers.etag ?? '' }));
    });
    call.on('error', reject).end();
  });
}

async function measure(kind: 'service' | 'bare', isConditional: boolean): Promise<Measured> {
  const server = startServer(kind);
  try {
    const introduction = await server.introduction;
    const url = `${introduction.baseUrl}${path}`;
    const token = kind === 'service' ? await tokenOf(introduction) : 'none';
    const headers: Record<string, string> = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
    // The place's name arrives within the first second; from then on the answer stays.
    await autocannon({ url, headers, connections, duration: 2 });
    const { body, etag } = await getRaw(url, headers);
    if (kind === 'service') writeFileSync(answerFile, body);
    if (isConditional) headers['if-none-match'] = etag;
    const before = await server.cpuMicroseconds();
    const result = await autocannon({ url, headers, connections, duration: seconds });
    const after = await server.cpuMicroseconds();
    const answered = result.requests.total;
    // A new minute has a new ETag, so a few conditional requests may get 200.
    if (result.errors > 0 || (result['4xx'] ?? 0) + (result['5xx'] ?? 0) > 0)
      throw new Error(`${kind}: requests failed`);
    return { perSecond: answered / result.duration, cpuMicroseconds: (after - before) / answered };
  } finally {
    await server.stop();
  }
}

const median = (values: number[]) => values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

try {
  for (const isConditional of [false, true]) {
    const ours: Measured[] = [];
    const bare: Measured[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await measure('service', isConditional));
      bare.push(await measure('bare', isConditional));
    }
    const of = (list: Measured[], field: keyof Measured) => median(list.map((one) => one[field]));
    console.log(
      `${isConditional ? '304' : 'hot cell, gzip'}: ${of(ours, 'cpuMicroseconds').toFixed(1)} µs CPU a request, bare node:http ` +
        `${of(bare, 'cpuMicroseconds').toFixed(1)} (${(of(ours, 'cpuMicroseconds') / of(bare, 'cpuMicroseconds')).toFixed(2)}×); ` +
        `${of(ours, 'perSecond').toFixed(0)} / ${of(bare, 'perSecond').toFixed(0)} per second`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
