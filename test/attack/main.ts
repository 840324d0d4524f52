// `npm run attack [-- --write] [--only TARGET]`: the service, the receiver and the headless host, each a real process on loopback, under slow,
// broken and hostile clients, bounded in time and count. Judged by an honest client that asks all the while: none of its
// requests may fail or take a second, and no process may end. Exit 0 when all promises hold, 1 when not. `--write` also
// writes docs/attack.md.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { freshBuild } from '#scripts/fresh-build.mjs';
import { describeAttack, isPassed, type Finding } from './findings.ts';
import { attackTarget } from './rounds.ts';
import { startTargets } from './targets.ts';

const { write, only } = readFlags();
const problem = await freshBuild();
if (problem !== undefined) throw new Error(problem);
const folder = mkdtempSync(join(tmpdir(), 'rainbell-attack-'));
const folders = { service: join(folder, 'service'), app: join(folder, 'app') };
for (const path of Object.values(folders)) mkdirSync(path);
const { targets, stop } = await startTargets(folders);
const findings: Finding[] = [];
try {
  for (const target of targets.filter(({ name }) => only === undefined || name === only)) {
    for await (const finding of attackTarget(target)) {
      console.log(`${finding.isHeld ? 'held' : 'BROKEN'}: ${finding.target}, ${finding.attack}: ${finding.words}`);
      findings.push(finding);
    }
  }
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
if (write) {
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}, Node ${process.version}, ${process.platform}`;
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(
    fileURLToPath(new URL('../../docs/attack.md', import.meta.url)),
    describeAttack(findings, { machine, day }),
  );
}
process.exitCode = isPassed(findings) ? 0 : 1;

function readFlags(): { write: boolean; only: string | undefined } {
  try {
    const { values } = parseArgs({ options: { write: { type: 'boolean' }, only: { type: 'string' } } });
    return { write: values.write ?? false, only: values.only };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(2);
  }
}
