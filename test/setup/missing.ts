// What the system lacks that a test needs. Such tests are skipped, and `npm test` names what is missing at its end; with
// RAINBELL_REQUIRE_PACKAGES, as in CI (.ci/run), their files fail instead.
import { appendFileSync } from 'node:fs';

/** Returns the same, for instance `Debian’s package libfaketime`. `isPackage`: false for what no package can give to a machine. */
export function noteMissing(what: string, isPackage: boolean = true): string {
  if (isPackage && process.env['RAINBELL_REQUIRE_PACKAGES'] !== undefined && process.platform === 'linux')
    throw new Error(`Tests need what is missing here: ${what}.`);
  const results = process.env['RAINBELL_TEST_RESULTS'];
  if (results !== undefined) appendFileSync(`${results}.missing`, `${what}\n`);
  return what;
}
