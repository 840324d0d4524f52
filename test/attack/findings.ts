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
  const rows = findings.map(
    ({ target, attack, seen, isWithstood }) =>
      `| ${target} | ${attack} | ${isWithstood ? 'withstood' : '**failed**'} | ${seen} |`,
  );
  return [
    '# Attack',
    `\`npm run attack -- --write\` wrote this page on ${day} (${machine}).`,
    'Everything runs on loopback, with limits on time and the number of connections. Attackers use 64 addresses, 127.0.1.1 to',
    '127.0.1.64. An honest client uses another address and opens a new connection for each request.',
    '',
    'An attack is **withstood** if all of the following are true:',
    '- No honest request failed.',
    "- No honest request took longer than one second or 5 times the bystander's slowest request, whichever is longer. The",
    "  bystander is a server that isn't under attack. It gets the same requests at the same time and writes them to disk, so",
    '  its latency shows how busy the machine is.',
    '- No process exited.',
    '- Slow connections were closed within their time limit plus one second.',
    "- During a flood of the service, and with 3,000 slow connections open, the honest client's p99 was at most 5 times the",
    "  highest of its p99 without attackers, the bystander's p99, and 5 ms.",
    '',
    'In a flood, each connection sends its next request as soon as it has received a response. A 429 means that an address has',
    'reached its limit. In the details, p50, p99, and “slowest” are latencies of the honest requests to the target, and figures such as',
    "“+8 MB” show how much the target's memory grew.",
    '',
    '| target | attack | result | details |',
    '|---|---|---|---|',
    ...rows,
    '',
    describeCount(findings.filter(({ attack }) => attack !== idleAttack)),
    '',
  ].join('\n');
}

function describeCount(attacks: readonly Finding[]): string {
  const withstood = attacks.filter(({ isWithstood }) => isWithstood).length;
  return `${withstood} of ${attacks.length} attacks were withstood.`;
}
