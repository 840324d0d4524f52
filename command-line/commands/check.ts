// `rainbell check`: the endpoint check (docs/endpoint-check.md) against a user's own handler.
import { formatInstant, plural } from '@rainbell/shared';
import { writeFileSync } from 'node:fs';
import { type CheckCaseId, checkCaseIds, type CheckedCase } from '@rainbell/contract/app-rpc';
import { AppFailure, caseLines, reportFormats, summaryLine } from '@rainbell/core';
import { UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { confirm } from '../terminal/confirm.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { readDuration } from '../terminal/read-time.ts';
import { type ServiceSession, withService } from '../session/service-session.ts';

const formatNames = ['text', 'json', 'junit'] as const;

export const check: Command = {
  name: 'check',
  usage:
    'URL [--yes] [--only CASES] [--sender SENDER] [--monitor ID] [--timeout TIME] [--format text|json|junit] [--output FILE] [--webhook-secret-stdin] [--connection NAME] [--data DIR]',
  summary: 'Send test events for 12 test cases to your own webhook handler and report how it responds',
  details: [
    `Cases: ${checkCaseIds.join(', ')}.`,
    'The events are signed with the webhook secret from the environment variable RAINBELL_WEBHOOK_SECRET, or from stdin with\n' +
      '--webhook-secret-stdin; otherwise, with the secret of the sandbox or of the connection that --connection names.\n' +
      'With --sender, they are sample events of that sender, such as stripe, signed as it signs.',
    'Check only your own handler. The command asks before it sends anything; in CI, use --yes.\n' +
      'Exit code 0 if no case failed, 1 if one did. Effects that HTTP responses don’t show are marked “not verifiable”.',
  ],
  options: {
    yes: { words: 'send without asking' },
    only: { value: 'CASES', words: 'only these cases, separated by commas' },
    sender: { value: 'SENDER', words: 'sign as this sender does (default: as a Rainbell service)' },
    monitor: { value: 'ID', words: 'the monitor named in the events (default: a generated ID)' },
    timeout: { value: 'TIME', words: 'time limit for each response: seconds, or 500ms, 90s (default: 15s)' },
    format: { value: 'FORMAT', words: `${formatNames.join(', ')} (default: text)` },
    output: { value: 'FILE', words: 'write the report to this file, and print it as text' },
    'webhook-secret-stdin': { words: 'read the webhook secret from stdin' },
    connection: { value: 'NAME', words: 'use the secret, certificates, and proxy of this connection saved in the app' },
    data: commonOptions.data,
  },
  examples: [
    'check http://localhost:3000/hooks',
    'check http://localhost:3000/stripe --sender stripe',
    'check https://staging.example.com/hooks --yes --format junit --output check.xml',
  ],
  async run(given, context) {
    const { clock, output, signal } = context;
    const [url = ''] = given.words;
    const cases = readCases(given);
    const format = given.choice('format', formatNames) ?? 'text';
    const responseMs = readDuration('timeout', given.text('timeout') ?? '15');
    const typed = await readTyped(given, context);
    const sender = given.text('sender');
    if (sender !== undefined && typed === null) throw missingSecret();
    const task = async ({ client: { endpointCheck } }: ServiceSession) => {
      // The query may contain a secret.
      const shownUrl = url.replace(/\?.*$/s, '?…');
      const counted = plural(cases.length, ['# case', '# cases']);
      const question = `Send the test events of ${counted} to ${shownUrl}?`;
      if (given.isSet('webhook-secret-stdin') && !given.isSet('yes')) {
        throw new UsageError('With --webhook-secret-stdin, you cannot confirm on stdin. Add --yes.');
      }
      await confirm(given, context, question);
      const startedAt = formatInstant(clock.now());
      const file = given.text('output');
      const printsText = format === 'text' || file !== undefined;
      const monitorId = given.text('monitor') ?? null;
      const checked: CheckedCase[] = [];
      for (const id of cases) {
        const wanted = { url, case: id, secret: typed, sender, monitorId, responseMs } as const;
        // In order: some handlers take one request at a time.
        const one = await endpointCheck.runCase(wanted, { signal }).catch((error: unknown) => {
          const isMissing = typed === null && error instanceof AppFailure && error.details.field === 'secret';
          throw isMissing ? missingSecret() : error;
        });
        checked.push(one);
        if (printsText) for (const line of caseLines(one)) output.print(line);
      }
      const text = reportFormats[format]({ url: shownUrl, startedAt, cases: checked });
      if (printsText) output.print(summaryLine(checked));
      else output.show(text);
      if (checked.length > 1 && checked.every(({ result }) => result === 'failed'))
        output.info('If one bug fails every case, rainbell dev --to URL finds it.');
      if (file !== undefined) writeReport(file, text);
      return checked.some(({ result }) => result === 'failed') ? exitCodes.no : exitCodes.done;
    };
    return withService(given, context, task, { isServiceOptional: typed !== null });
  },
};

function readCases(given: ParsedArguments): readonly CheckCaseId[] {
  const text = given.text('only');
  if (text === undefined) return checkCaseIds;
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.find((name) => !checkCaseIds.some((id) => id === name));
  if (unknown === undefined) return checkCaseIds.filter((id) => names.includes(id));
  throw new UsageError(`unknown case “${unknown}” in --only. The cases are ${checkCaseIds.join(', ')}.`);
}

export function missingSecret(): UsageError {
  return new UsageError(
    'The webhook secret is missing: set RAINBELL_WEBHOOK_SECRET, or pipe it in with --webhook-secret-stdin.',
  );
}

/** Null without one. */
export async function readTyped(
  given: ParsedArguments,
  { environment, readLine }: CommandContext,
): Promise<string | null> {
  const isPiped = given.isSet('webhook-secret-stdin');
  const typed = (isPiped ? await readLine() : (environment['RAINBELL_WEBHOOK_SECRET'] ?? '')).trim();
  return typed === '' ? null : typed;
}

export function writeReport(file: string, text: string): void {
  try {
    writeFileSync(file, text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new AppFailure('STORAGE', `The report could not be written (${reason}). Choose another file.`);
  }
}
