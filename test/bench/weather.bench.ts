// Goal 5 of docs/performance.md: a hot weather cell, token checked and gzipped, and 304, against prism, mockoon and
// nginx with the same answer. CPU of each server's process tree a request.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import {
  atLeast,
  type BenchOptions,
  type BenchRow,
  type Extent,
  type Limit,
  assess,
  median,
  unmeasured,
} from './bench-row.ts';
import { startChildServer } from './child-server.ts';
import { findNginx, installPeers } from './peers.ts';
import { type Figures, getRaw, loadFor, type Target } from './weather-load.ts';
import { type Peer, type RecordedAnswer, startMockoon, startNginx, startPrism } from './weather-peers.ts';

type Name = 'service' | 'prism' | 'mockoon' | 'nginx';
type Running = { name: Name; peer: Peer; target: Target };
type Seen = Map<string, Figures[]>;

const path = '/v2/weather/?location_lat=45.07&location_lng=7.69';
const serverFile = fileURLToPath(new URL('./weather-server.ts', import.meta.url));

const hot = { kind: 'hot', what: 'weather, hot cell, token checked, gzip, CPU' } as const;
const notModified = { kind: '304', what: 'weather, 304, CPU' } as const;
type Goal = { kind: string; what: string; against: readonly Name[]; baseline: string; limit: Limit };

const goals: readonly Goal[] = [
  { ...hot, against: ['prism', 'mockoon'], baseline: 'the cheaper of prism and mockoon', limit: atLeast(10) },
  { ...hot, against: ['nginx'], baseline: 'nginx with gzip_static', limit: atLeast(0.6) },
  { ...notModified, against: ['nginx'], baseline: 'nginx', limit: atLeast(0.4) },
];

export async function bench({ extent, say }: BenchOptions): Promise<BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'rainbell-weather-bench-'));
  const running: Running[] = [];
  const failures = new Map<Name, string>();
  try {
    const answer = await startService(running, { trial: 0.2, quick: 1, whole: 2 }[extent]);
    for (const [name, start] of Object.entries(peersOf(folder, answer, extent, say))) {
      await start()
        .then(async (peer) => {
          running.push(await checked(name as Name, peer, answer));
        })
        .catch((error: unknown) => failures.set(name as Name, String(error)));
    }
    const seen = await measure(running, extent);
    for (const [what, figures] of seen) say(`${what}: ${shown(figures)}`);
    return goals.map((goal) => rowOf(goal, seen, failures));
  } finally {
    for (const { peer } of running) await peer.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Our service, asked until its answer stays: the place's name comes with the second or third. */
async function startService(running: Running[], seconds: number): Promise<RecordedAnswer> {
  const server = await startChildServer({ command: process.execPath, args: [serverFile] });
  const introduction = JSON.parse(server.firstLine) as ServiceIntroduction;
  const peer = { ...server, baseUrl: introduction.baseUrl };
  const token = await tokenOf(introduction);
  const target = targetOf('service', peer, { token });
  running.push({ name: 'service', peer, target });
  await loadFor(seconds, target, peer.usage);
  const { body, headers } = await getRaw(target.url, target.headers);
  return { gzip: body, etag: headers.etag ?? '', token };
}

function peersOf(
  folder: string,
  answer: RecordedAnswer,
  extent: Extent,
  say: BenchOptions['say'],
): Partial<Record<Name, () => Promise<Peer>>> {
  const nginx = findNginx();
  if (extent === 'trial') return {};
  return {
    prism: async () => startPrism(folder, await installPeers(say), answer),
    mockoon: async () => startMockoon(folder, await installPeers(say), answer),
    ...(nginx === undefined ? {} : { nginx: () => startNginx(folder, nginx, answer) }),
  };
}

function targetOf(name: Name, { baseUrl }: Peer, { token }: Pick<RecordedAnswer, 'token'>): Target {
  return {
    url: `${baseUrl}${path}`,
    headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' },
    knowsEtags: name !== 'prism',
  };
}

/** Whether it does what the service does: sends the answer, 304 to who has it, and wants the token. Warms it up. */
async function checked(name: Name, peer: Peer, answer: RecordedAnswer): Promise<Running> {
  const target = targetOf(name, peer, answer);
  const { status, headers } = await getRaw(target.url, target.headers);
  const again = await getRaw(target.url, { ...target.headers, 'if-none-match': headers.etag ?? '' });
  const { authorization: _, ...anonymous } = target.headers;
  const refused = await getRaw(target.url, anonymous);
  const statuses = [status, again.status, refused.status].join(', ');
  const expected = `200, ${target.knowsEtags ? 304 : 200}, 401`;
  if (statuses !== expected) {
    await peer.stop();
    throw new Error(`${name} answered ${statuses} where ${expected} were expected.`);
  }
  await loadFor(0.5, target, peer.usage);
  return { name, peer, target };
}

async function measure(running: readonly Running[], extent: Extent): Promise<Seen> {
  const seen: Seen = new Map();
  const [rounds, seconds] = { trial: [1, 0.1], quick: [2, 0.6], whole: [5, 2] }[extent] as [number, number];
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of [hot.kind, notModified.kind]) {
      for (const { name, peer, target } of running) {
        const isWanted = name === 'service' || goals.some((goal) => goal.kind === kind && goal.against.includes(name));
        if (!isWanted) continue;
        const figures = await loadFor(seconds, target, peer.usage, kind === '304');
        const key = `${name} ${kind}`;
        seen.set(key, [...(seen.get(key) ?? []), figures]);
      }
    }
  }
  return seen;
}

function shown(figures: readonly Figures[]): string {
  const cpu = median(figures.map(({ cpuMicroseconds }) => cpuMicroseconds));
  const perSecond = median(figures.map((each) => each.perSecond));
  return `${cpu.toFixed(1)} µs CPU, ${perSecond.toFixed(0)}/s`;
}

function rowOf(goal: Goal, seen: Seen, failures: ReadonlyMap<Name, string>): BenchRow {
  const { kind, against, what, baseline, limit } = goal;
  const ours = seen.get(`service ${kind}`) ?? [];
  const theirs = against.flatMap((name) => {
    const figures = seen.get(`${name} ${kind}`);
    return figures === undefined ? [] : { name, figures };
  });
  const row = { goal: '5', what, baseline, limit };
  const failure = against.map((name) => failures.get(name)).find((one) => one !== undefined);
  if (failure !== undefined) return unmeasured(row, 'no baseline', failure);
  if (theirs.length === 0) return unmeasured(row, 'not here', `${against.join(' and ')} not installed`);
  const cost = (figures: Figures | undefined) => figures?.cpuMicroseconds ?? Number.NaN;
  const ratios = ours.map((each, round) => Math.min(...theirs.map(({ figures }) => cost(figures[round]))) / cost(each));
  const note = [shown(ours), ...theirs.map(({ name, figures }) => `${name} ${shown(figures)}`)].join('; ');
  return assess({ ...row, note }, ratios);
}

async function tokenOf({ baseUrl, clientId, clientSecret }: ServiceIntroduction): Promise<string> {
  const answer = await fetch(`${baseUrl}/token/`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  return ((await answer.json()) as { access_token: string }).access_token;
}
