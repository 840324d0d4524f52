// Runs `npm run operator` as a process of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runEntry } from '#test/setup/run-entry.ts';

const entry = fileURLToPath(new URL('../../../service/operator/main.ts', import.meta.url));

type Result = { code: number | null; output: string; complaint: string };

/** `command`: words with blanks between; blanks inside of a word are percent-encoded. */
export async function operator(
  folder: string,
  command: string,
  input = '',
  environment: Readonly<Record<string, string>> = {},
): Promise<Result> {
  mkdirSync(join(folder, 'service'), { recursive: true });
  const child = spawn(
    process.execPath,
    [...runEntry, entry, '--data', folder, ...command.split(' ').map(decodeURIComponent)],
    {
      env: { ...process.env, ...environment },
      stdio: 'pipe',
    },
  );
  let [output, complaint] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  // A command that fails early does not read its input.
  child.stdin.on('error', () => {}).end(input);
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output, complaint };
}
