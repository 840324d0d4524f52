// What an attack showed, as a page of text.
export type Finding = { target: string; attack: string; seen: string; isWithstood: boolean };

/** The run without an attack, with which the floods are compared. */
export const idleAttack = 'none (idle)';

export function isPassed(findings: readonly Finding[]): boolean {
  return findings.length > 0 && findings.every(({ isWithstood }) => isWithstood);
}

export function describeAttack(
  findings: readonly Finding[],
  { machine, day }: { machine: string; day: string },
): string {
  const targets = [...new Set(findings.map(({ target }) => target))];
  const failed = findings.filter(({ isWithstood }) => !isWithstood);
  return [
    '# Attack',
    `For those who run a service in public. \`npm run attack -- --write\` wrote this page on ${day} (${machine}); the command prints`,
    'each attack. Everything runs on loopback, with limits on time and connections. Attackers use 64 addresses, an honest client',
    'another one: floods of each kind of anonymous request over 64 and 256 connections, up to 3,000 slow or silent connections,',
    'responses that no one reads, pipelined and malformed requests. Greedy accounts list 5,000 monitors, send wide bodies and many',
    'reports, hold 1,120 waits for the feed, and have callbacks to 3,000 slow hosts. Another user of the machine, who',
    'sees the arguments of processes, and a page on another port try to get the session of the app in a browser.',
    '',
    'An attack is **withstood** if no honest request failed or took longer than a second (or 5 times the slowest request to a',
    'bystander that is not under attack), no process exited, slow connections were closed in time, and the p99 of honest requests to',
    "the service during a flood was at most 5 times (by a greedy account, 10 times) the highest of the idle p99, the bystander's p99,",
    'and 5 ms. Honest callbacks arrived within 3 s.',
    '',
    '| target | attacks | withstood | highest p99 of honest requests | slowest honest request |',
    '|---|---|---|---|---|',
    ...targets.map((target) =>
      describeTarget(
        target,
        findings.filter((finding) => finding.target === target),
      ),
    ),
    '',
    ...failed.map(({ target, attack, seen }) => `- **Failed**: ${target}, ${attack}: ${seen}`),
    ...(failed.length === 0 ? [] : ['']),
  ].join('\n');
}

function describeTarget(target: string, findings: readonly Finding[]): string {
  const attacks = findings.filter(({ attack }) => attack !== idleAttack);
  const withstood = attacks.filter(({ isWithstood }) => isWithstood).length;
  const highest = (pattern: RegExp) => Math.max(0, ...attacks.map(({ seen }) => Number(pattern.exec(seen)?.[1] ?? 0)));
  return `| ${target} | ${attacks.length} | ${withstood} | ${highest(/p99 (\d+) ms/)} ms | ${highest(/slowest (\d+) ms/)} ms |`;
}
