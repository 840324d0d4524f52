// `npm run attack [-- --write] [--only TARGET] [--match TEXT]`: attacks the service, the receiver, and the headless host, each a real process
// on loopback, with slow, malformed, and many requests, bounded in time and count. An honest client that keeps sending is the
// judge (findings.ts). Exits with 0 if all attacks were withstood, 1 if not. `--write` also writes docs/attack.md;
// `--match` runs only attacks whose name has this text.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshBuild } from '#scripts/fresh-build.mjs';
import { failWithUsage, readToolOptions } from '#scripts/tool-options.mjs';
import { describeAttack, isPassed, type Finding } from './findings.ts';
import { attackTarget } from './rounds.ts';
import { startTargets } from './targets.ts';

const usage = `Usage: npm run attack [-- --only TARGET] [--match TEXT] [--write]

Attack the service, the receiver, and the app in a browser on this computer, and check that they keep serving an honest client

Options:
  --only TARGET  attack only this one: “service”, “receiver”, “headless host”, or “receiver at 256 KB of headers”
  --match TEXT   run only attacks whose name contains this text
  --write        write the results to docs/attack.md
  -h, --help     print this help

Examples:
  npm run attack -- --only receiver --match headers

Exit codes:
  0  all attacks were withstood
  1  some were not
  2  invalid arguments, or no attack with this target and text`;

const { write, only, match } = readToolOptions(usage, {
  write: { type: 'boolean', default: false },
  only: { type: 'string' },
  match: { type: 'string' },
}).values;
const [loadAtStart = 0] = loadavg();
const problem = await freshBuild();
if (problem !== undefined) throw new Error(problem);
const folder = mkdtempSync(join(tmpdir(), 'rainbell-attack-'));
const folders = { service: join(folder, 'service'), app: join(folder, 'app') };
for (const path of Object.values(folders)) mkdirSync(path);
const { targets, stop } = await startTargets(folders);
const findings: Finding[] = [];
try {
  for (const target of targets.filter(({ name }) => only === undefined || name === only)) {
    for await (const finding of attackTarget(target, match)) {
      console.log(
        `${finding.isWithstood ? 'withstood' : 'FAILED'}: ${finding.target}, ${finding.attack}: ${finding.seen}`,
      );
      findings.push(finding);
    }
  }
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
if (write) {
  const load = `load average ${loadAtStart.toFixed(1)} at the start`;
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, ${load}, Node ${process.version}, ${process.platform}`;
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(
    fileURLToPath(new URL('../../docs/attack.md', import.meta.url)),
    describeAttack(findings, { machine, day }),
  );
}
process.exitCode = isPassed(findings) ? 0 : 1;
if (findings.length === 0) failWithUsage(usage, 'no attack has this target and text');
