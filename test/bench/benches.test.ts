// The first round of every bench, as small as it can be and without other people's servers: so a text or a name that a bench waits
// for cannot change without it.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { BenchMessage } from './bench-process.ts';
import { benches } from './benches.ts';

const benchProcess = fileURLToPath(new URL('./bench-process.ts', import.meta.url));

describe('the benches', () => {
  it.each(benches)('%s measures its rows', async (name) => {
    const child = fork(benchProcess, [name, 'trial'], { silent: true });
    onTestFinished(() => void child.kill('SIGKILL'));
    let message: BenchMessage | undefined;
    let said = '';
    child.on('message', (sent: BenchMessage) => (message = sent));
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
    await once(child, 'exit');
    if (message?.kind !== 'rows') throw new Error(said);
    const verdicts = message.rows.map(({ verdict, ratio }) =>
      verdict === 'not here' ? verdict : Number.isFinite(ratio),
    );
    expect(verdicts.length).toBeGreaterThan(0);
    expect(verdicts).not.toContain(false);
  });
});
