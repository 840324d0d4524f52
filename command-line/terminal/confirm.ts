import { type ParsedArguments, UsageError } from './arguments.ts';
import type { CommandContext } from './command.ts';

/** Asks on stdin, except with `--yes`. Throws UsageError without a yes. */
export async function confirm(
  given: ParsedArguments,
  { output, readLine }: CommandContext,
  question: string,
): Promise<void> {
  if (given.isSet('yes')) return;
  output.info(`${question} Type yes to continue.`);
  const confirmation = await readLine().catch(() => '');
  if (/^y(es)?$/i.test(confirmation.trim())) return;
  throw new UsageError('Nothing was sent, because you did not confirm. Type yes, or add --yes.');
}
