// The rounds of an attack on one target: idle first, then each kind of attacker beside an honest client.
import { setTimeout as pause } from 'node:timers/promises';
import { plural } from '#shared/text/plural.ts';
import type { AnonymousRequest } from './anonymous-requests.ts';
import { idleAttack, type Finding } from './findings.ts';
import { delayCallbacks, takeFeed } from './greedy-rounds.ts';
import { type FloodResult, startFlood } from './flood.ts';
import { type Experience, startHonestClient } from './honest-client.ts';
import { malformedRequests, type Reaction, sendMalformed } from './malformed-requests.ts';
import { openSwarm, type SlowKind, slowKinds } from './slow-attacks.ts';
import type { Target } from './targets.ts';

const requestEveryMs = 50;
/** For rounds that compare a percentile: a hundredth of the requests has to be a few. */
const requestOftenMs = 10;
const idleMs = 3_000;
const floodMs = 2_500;
const floodConnections = [64, 256];
/** Goals 14 and 16 of docs/performance.md: times the idle p99, which counts as 5 ms at least. */
const slowerAtMost = 5;
/** While an account takes all it can get within its plan. */
const slowerByGreedAtMost = 10;
const idleAtLeastMs = 5;
/** The longest time limit of the three, for a whole request, and a second. */
const goneWithinMs = 11_000;
/** An honest request may take longer only if the machine is so busy that the bystander waits long, too. */
const longestHonestMs = 1_000;
const timesBystander = 5;
const manyConnections = 3_000;
const few = 10;
/** Goal 14 requires 3,000 slow ones; what others leave is garbage that the next collection takes. */
const grownAtMost = { slow: 80 * 2 ** 20, others: 200 * 2 ** 20 };

type Round = { attack: string; run: (idleP99: number) => Promise<Finding> };

/** What went wrong, and what else to show. */
type Outcome = { problems: readonly string[]; more?: string };

/** Without attackers first, then each attack whose name has `only` in it. */
export async function* attackTarget(target: Target, only = ''): AsyncGenerator<Finding> {
  await target.prepare?.();
  const idle = await measureHonestClient(target, () => pause(idleMs), requestOftenMs);
  const idleP99 = percentile(idle.experience, 99);
  const more = `p50 ${percentile(idle.experience, 50).toFixed(1)} ms`;
  yield finding(target, idleAttack, idle, { problems: [], more });
  for (const { attack, run } of roundsFor(target)) if (attack.includes(only)) yield await run(idleP99);
}

function roundsFor(target: Target): Round[] {
  const { greedy, port } = target;
  const flood = (given: Flooding): Round => {
    const attack = `${given.by ?? ''}${given.connections} connections: ${given.anonymous.name}`;
    return { attack, run: (idleP99) => floodRound(target, attack, given, idleP99) };
  };
  const slow = (kind: SlowKind, connections = kind.connections): Round => {
    const attack = `${connections} × ${kind.name}`;
    return { attack, run: (idleP99) => slowRound(target, attack, { kind, connections }, idleP99) };
  };
  const beside = (attack: string, work: () => Promise<Outcome>): Round => ({
    attack,
    async run() {
      const seen = await measureHonestClient(target, work);
      return finding(target, attack, seen, seen.result);
    },
  });
  if (target.slow) return target.slow.map((kind) => slow(kind));
  return [
    ...target.anonymous.flatMap((anonymous) =>
      floodConnections.map((connections) => flood({ anonymous, connections, slower: slowerAtMost })),
    ),
    ...slowKinds.map((kind) => slow(kind)),
    ...slowKinds.filter(({ name }) => name === 'slow headers').map((kind) => slow(kind, manyConnections)),
    ...(target.intrusions ?? []).map(({ attack, run }) => beside(attack, async () => ({ problems: await run() }))),
    ...(greedy?.requests ?? []).map((anonymous) =>
      flood({ by: 'one greedy account, ', anonymous, connections: 32, slower: slowerByGreedAtMost }),
    ),
    ...(greedy
      ? [
          beside(`greedy accounts: ${greedy.feedWaits.length} waits for the feed`, async () => ({
            problems: await takeFeed(port, greedy, greedy.honest),
          })),
          beside('greedy accounts: callbacks to slow hosts', () => delayCallbacks(greedy, greedy.honest)),
        ]
      : []),
    beside(`${malformedRequests.length} malformed requests`, () => sendAllMalformed(port)),
  ];
}

type Flooding = { by?: string; anonymous: AnonymousRequest; connections: number; slower: number };

async function floodRound(
  target: Target,
  attack: string,
  { anonymous: { requests }, connections, slower }: Flooding,
  idleP99: number,
): Promise<Finding> {
  const flood = startFlood({ port: target.port, connections, requests });
  const seen = await measureHonestClient(target, () => pause(floodMs), requestOftenMs);
  const result = await flood.stop();
  const times = percentile(seen.experience, 99) / unattackedP99(seen, idleP99);
  // The receiver's and the host's own work is what such a flood asks for, so only the service promises a ratio.
  const isTooSlow = target.name === 'service' && times > slower;
  return finding(target, attack, seen, {
    problems: isTooSlow ? [`p99 is ${times.toFixed(1)} times that without attackers`] : [],
    more: `p50 ${percentile(seen.experience, 50).toFixed(1)} ms; attackers got ${describeStatuses(result)}`,
  });
}

function describeStatuses({ statuses, broken }: FloodResult): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return [...counts, ...(broken > 0 ? [`${broken} × closed`] : [])].join(', ') || 'nothing';
}

async function slowRound(
  target: Target,
  attack: string,
  { kind, connections }: { kind: SlowKind; connections: number },
  idleP99: number,
): Promise<Finding> {
  const before = target.residentBytes();
  const seen = await measureHonestClient(target, async () => {
    const swarm = await openSwarm(target.port, kind, connections);
    const beside = startHonestClient({ asked: target.honest, everyMs: requestOftenMs });
    const startedAt = performance.now();
    let most = before;
    // The honest client's own connections come and go.
    while (performance.now() - startedAt < goneWithinMs && swarm.open() > few) {
      await pause(100);
      most = Math.max(most, target.residentBytes());
    }
    const goneAfterMs = swarm.open() <= few ? performance.now() - startedAt : undefined;
    const standingP99 = percentile(await beside.stop(), 99);
    swarm.end();
    return { goneAfterMs, standingP99, grown: most - before };
  });
  const { goneAfterMs, standingP99, grown } = seen.result;
  const times = standingP99 / unattackedP99(seen, idleP99);
  const isMany = connections === manyConnections;
  const gone = goneAfterMs === undefined ? '' : `all closed after ${(goneAfterMs / 1_000).toFixed(1)} s, `;
  const megabytes = (grown / 2 ** 20).toFixed(0);
  return finding(target, attack, seen, {
    problems: [
      ...(goneAfterMs === undefined ? [`some are still open after ${goneWithinMs / 1_000} s`] : []),
      // Counts once all are open; while they open, a request may take up to a second.
      ...(isMany && times > slowerAtMost ? [`p99 is ${times.toFixed(1)} times that without attackers`] : []),
      ...(grown > (isMany ? grownAtMost.slow : grownAtMost.others) ? [`memory grew by ${megabytes} MB`] : []),
    ],
    more: `p99 with all open ${standingP99.toFixed(0)} ms; ${gone}+${megabytes} MB`,
  });
}

async function sendAllMalformed(port: number): Promise<Outcome> {
  const problems: string[] = [];
  for (const malformed of malformedRequests) {
    const problem = problemOf(await sendMalformed(port, malformed));
    if (problem !== undefined) problems.push(`${malformed.name}: ${problem}`);
  }
  return { problems };
}

/** What must not be: one request read as two, or a connection that is held open for good. */
function problemOf({ answers, isClosed }: Reaction): string | undefined {
  if (answers > 1) return `${answers} responses, so it was read as more than one request`;
  return isClosed ? undefined : 'the connection is still open after 15 s';
}

/** What the honest client saw of the target, and of a server that no one attacks, at the same time. */
type Seen = { experience: Experience; bystander: Experience };

async function measureHonestClient<Result>(
  target: Target,
  attack: () => Promise<Result>,
  everyMs = requestEveryMs,
): Promise<Seen & { result: Result }> {
  const beside = startHonestClient({ asked: target.bystander, everyMs });
  const honest = startHonestClient({ asked: target.honest, everyMs });
  const result = await attack();
  const [experience, bystander] = await Promise.all([honest.stop(), beside.stop()]);
  return { experience, bystander, result };
}

function unattackedP99({ bystander }: Seen, idleP99: number): number {
  return Math.max(idleP99, percentile(bystander, 99), idleAtLeastMs);
}

function finding(
  target: Target,
  attack: string,
  { experience, bystander }: Seen,
  { problems: own, more = '' }: Outcome,
): Finding {
  const slowest = Math.max(0, ...experience.latenciesMs);
  const slowestBeside = Math.max(0, ...bystander.latenciesMs);
  const { length: failed } = experience.failures;
  const problems = [
    ...own,
    ...(failed > 0 ? [`${countRequests(failed)} failed (${experience.failures[0]})`] : []),
    ...(slowest > Math.max(longestHonestMs, timesBystander * slowestBeside)
      ? [`an honest request took ${slowest.toFixed(0)} ms`]
      : []),
    ...(target.hasEnded() ? ['the process ended'] : []),
  ];
  const times = `p99 ${percentile(experience, 99).toFixed(0)} ms, slowest ${slowest.toFixed(0)} ms`;
  const seen = `${countRequests(experience.latenciesMs.length)}, ${times}; bystander's slowest ${slowestBeside.toFixed(0)} ms`;
  const all = [seen, more, ...problems].filter((part) => part !== '').join('; ');
  return { target: target.name, attack, seen: all, isWithstood: problems.length === 0 };
}

const countRequests = (count: number) => plural(count, ['# honest request', '# honest requests']);

function percentile({ latenciesMs }: Experience, percent: number): number {
  const sorted = latenciesMs.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}
