// Goal 5 of docs/performance.md: a hot weather cell, token checked and gzipped, and 304, against prism, mockoon and
// nginx with the same answer. CPU of each server's process tree a request.
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'undici';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import { fetchAccessToken } from '#test/stories/service-process.ts';
import { atLeast, type BenchOptions, type BenchRow, assess, repeat, unmeasured } from './bench-row.ts';
import { startRainbell } from './child-server.ts';
import { type Figures, load, shown } from './load.ts';
import { findNginx, installPeers } from './peers.ts';
import { buildScreens } from './screen-host.ts';
import { type Peer, startMockoon, startNginx, startPrism } from './weather-peers.ts';

type Name = 'service' | 'prism' | 'mockoon' | 'nginx';
type Target = { url: string; headers: Readonly<Record<string, string>> };
type Running = { name: Name; peer: Peer; target: Target };
type Seen = Map<string, Figures[]>;

const path = '/v2/weather/?location_lat=45.07&location_lng=7.69';

const hot = { kind: 'hot', what: 'weather, hot cell, token checked, gzip, CPU' } as const;
const notModified = { kind: '304', what: 'weather, 304, CPU' } as const;
type Kind = 'hot' | '304';
type Goal = { kind: Kind; what: string; against: readonly Name[]; baseline: string; least: number };

const goals: readonly Goal[] = [
  { ...hot, against: ['prism', 'mockoon'], baseline: 'the cheaper of prism and mockoon', least: 10 },
  { ...hot, against: ['nginx'], baseline: 'nginx with gzip_static', least: 0.6 },
  { ...notModified, against: ['nginx'], baseline: 'nginx', least: 0.4 },
];

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'rainbell-weather-bench-'));
  await using servers = new AsyncDisposableStack();
  const running: Running[] = [];
  const failures = new Map<Name, string>();

  await buildScreens();
  const env = { RAINBELL_PROVIDER: 'simulation' };
  const server = servers.use(await startRainbell('service', join(folder.path, 'service'), { env }));
  const introduction = JSON.parse(server.firstLine) as ServiceIntroduction;
  const token = await fetchAccessToken(introduction);
  const start = (name: Name, peer: Peer) => {
    const headers = { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' };
    const started = { name, peer, target: { url: `${peer.baseUrl}${path}`, headers } };
    running.push(started);
    return started;
  };
  const service = start('service', { ...server, baseUrl: introduction.baseUrl });
  // Asked until its answer stays: the place's name comes with the second or third.
  await measure(service, 'hot', { trial: 0.2, quick: 1, whole: 2 }[extent]);
  const { etag, gzip } = await fetchRaw(service.target);
  const answer = { gzip, etag, token };

  const nginx = findNginx();
  const starters = Object.entries({
    prism: async () => startPrism(folder.path, await installPeers(say), answer),
    mockoon: async () => startMockoon(folder.path, await installPeers(say), answer),
    ...(nginx === undefined ? {} : { nginx: () => startNginx(folder.path, nginx, answer) }),
  }) as [Name, () => Promise<Peer>][];
  for (const [name, starter] of extent === 'trial' ? [] : starters) {
    try {
      const peer = start(name, servers.use(await starter()));
      await requireSame(peer);
      await measure(peer, 'hot', 0.5);
    } catch (error) {
      failures.set(name, String(error));
    }
  }

  const seen: Seen = new Map();
  const seconds = { trial: 0.1, quick: 0.6, whole: 2 }[extent];
  await repeat(extent, { warmUps: 0, quick: 2, whole: 5 }, async () => {
    for (const kind of [hot.kind, notModified.kind]) {
      for (const one of running) {
        const isWanted = goals.some((goal) => goal.kind === kind && [...goal.against, 'service'].includes(one.name));
        if (!isWanted || failures.has(one.name)) continue;
        const key = `${one.name} ${kind}`;
        seen.set(key, [...(seen.get(key) ?? []), await measure(one, kind, seconds)]);
      }
    }
  });
  for (const [what, figures] of seen) say(`${what}: ${shown(figures, 1)}`);
  return goals.map((goal) => rowOf(goal, seen, failures));
}

/** Whether it does what the service does: sends the answer, 304 to who has it, and wants the token. */
async function requireSame({ name, target }: Running): Promise<void> {
  const { status, etag } = await fetchRaw(target);
  const again = await fetchRaw(target, { 'if-none-match': etag });
  const refused = await fetchRaw(target, { authorization: undefined });
  const statuses = [status, again.status, refused.status].join(', ');
  const expected = `200, ${name === 'prism' ? 200 : 304}, 401`;
  if (statuses !== expected) throw new Error(`${name} answered ${statuses} where ${expected} were expected.`);
}

async function measure({ name, peer, target }: Running, kind: Kind, duration: number): Promise<Figures> {
  // Prism knows no ETags.
  const isConditional = kind === '304' && name !== 'prism';
  for (;;) {
    const { etag } = await fetchRaw(target);
    const headers = { ...target.headers, ...(isConditional ? { 'if-none-match': etag } : {}) };
    const figures = await load({ url: target.url, headers, duration }, peer.usage, isConditional ? '3xx' : '2xx');
    // When a minute ends the service has a new ETag, and who asks with the old one gets 200.
    if (figures) return figures;
  }
}

/** Bytes as sent: fetch would decompress them. */
async function fetchRaw({ url, headers }: Target, more: Readonly<Record<string, string | undefined>> = {}) {
  const { statusCode, headers: known, body } = await request(url, { headers: { ...headers, ...more } });
  return { status: statusCode, etag: String(known['etag'] ?? ''), gzip: Buffer.from(await body.arrayBuffer()) };
}

function rowOf({ kind, against, what, baseline, least }: Goal, seen: Seen, failures: Map<Name, string>): BenchRow {
  const ours = seen.get(`service ${kind}`) ?? [];
  const theirs = against.flatMap((name) => {
    const figures = seen.get(`${name} ${kind}`);
    return figures === undefined ? [] : { name, figures };
  });
  const row = { goal: '5', what, baseline, limit: atLeast(least) };
  const failure = against.map((name) => failures.get(name)).find((one) => one !== undefined);
  if (failure !== undefined) return unmeasured(row, 'no baseline', failure);
  if (theirs.length === 0) return unmeasured(row, 'not here', `${against.join(' and ')} not installed`);
  const cost = (figures: Figures | undefined) => figures?.cpuMicroseconds ?? Number.NaN;
  const ratios = ours.map((each, round) => Math.min(...theirs.map(({ figures }) => cost(figures[round]))) / cost(each));
  const note = [shown(ours, 1), ...theirs.map(({ name, figures }) => `${name} ${shown(figures, 1)}`)].join('; ');
  return assess({ ...row, note }, ratios);
}
