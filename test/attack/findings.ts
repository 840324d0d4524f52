// What an attack found, as a page of text.
export type Finding = { target: string; attack: string; words: string; isHeld: boolean };

export function isPassed(findings: readonly Finding[]): boolean {
  return findings.length > 0 && findings.every(({ isHeld }) => isHeld);
}

export function describeAttack(
  findings: readonly Finding[],
  { machine, day }: { machine: string; day: string },
): string {
  const lines = findings.map(
    ({ target, attack, words, isHeld }) => `| ${target} | ${attack} | ${isHeld ? 'held' : '**broken**'} | ${words} |`,
  );
  return [
    '# Attack',
    `Written by \`npm run attack -- --write\` on ${day}: ${machine}. All over loopback, bounded in time and count. An honest client`,
    'asks twenty times a second all the while, each time on a new connection; held means that none of its requests failed or',
    'took a second, that no process ended, and that slow clients were gone within their time limit and a second. While 3,000',
    'stand, a second one asks a hundred times a second, and its p99 is at most five times that of the first row (or of 5 ms).',
    '',
    '| target | attack | outcome | seen |',
    '|---|---|---|---|',
    ...lines,
    '',
    isPassed(findings) ? 'Every promise held.' : 'NOT every promise held.',
    '',
  ].join('\n');
}
