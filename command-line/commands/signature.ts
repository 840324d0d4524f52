// `rainbell signature`: verifies the signature of a stored callback and, if it fails, finds out why.
import { describeCauses, signatureCauses } from '@rainbell/contract/app-rpc';
import { isWebhookKey, signatureOutcomeOf } from '@rainbell/core';
import { readDataFolder, requireArguments, UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { explainMissing, readId } from './replay.ts';
import { withStored } from '../session/app-session.ts';

export const signature: Command = {
  name: 'signature',
  usage: 'ID [--webhook-secret-stdin] [--json] [--data DIR]',
  summary: 'Verify the signature of a stored callback; if it is wrong, explain why',
  details: [
    'Reads the secret (whsec_…) or public key (whpk_…) from the environment variable RAINBELL_WEBHOOK_SECRET, or from stdin\n' +
      'with --webhook-secret-stdin. Separate multiple keys with spaces. Also tries RAINBELL_CLIENT_SECRET, because some senders\n' +
      'sign with it.',
    'Exit code 0 if the signature is valid, 1 if it is not. The age of the signature is not checked.',
    'With --json: {id, outcome, diagnosis: {verifies, causes, tried, isComplete}, explanation}.',
  ],
  options: {
    'webhook-secret-stdin': { words: 'read the secret from stdin' },
    json: commonOptions.json,
    data: commonOptions.data,
    help: commonOptions.help,
  },
  examples: ['signature 42 --webhook-secret-stdin < secret.txt'],
  async run(given, context) {
    const [text = ''] = requireArguments(given, ['ID']);
    const id = readId(text);
    const secrets = await readSecrets(given, context);
    const dataFolder = readDataFolder(given);
    return withStored(dataFolder, context, async (client) => {
      const callback = await client.callbacks.get({ id }).catch(explainMissing(id, dataFolder));
      const keys = secrets.filter(({ origin }) => origin === 'current').map(({ secret }) => secret);
      const body = Buffer.from(callback.bodyBase64, 'base64');
      const outcome = signatureOutcomeOf({ ...callback, body }, keys);
      const diagnosis = outcome === 'wrong' ? await client.callbacks.diagnoseSignature({ id, secrets }) : null;
      const explanation = explain(outcome, diagnosis?.causes ?? []);
      if (given.isSet('json')) context.output.printJson({ id, outcome, diagnosis, explanation });
      else context.output.print(`Callback ${id}: ${explanation}`);
      return outcome === 'valid' ? exitCodes.done : exitCodes.no;
    });
  },
};

type KnownSecret = { secret: string; origin: 'current' | 'client' };

async function readSecrets(given: ParsedArguments, { environment, readLine }: CommandContext): Promise<KnownSecret[]> {
  const text = given.isSet('webhook-secret-stdin') ? await readLine() : (environment['RAINBELL_WEBHOOK_SECRET'] ?? '');
  const keys = text.split(/\s+/).filter((key) => key !== '');
  if (keys.length === 0) {
    throw new UsageError(
      'The secret is missing: set RAINBELL_WEBHOOK_SECRET, or pipe it in with --webhook-secret-stdin.',
    );
  }
  if (!keys.every(isWebhookKey)) {
    throw new UsageError(
      'A key must be whsec_ followed by 24 to 64 bytes in base64, or whpk_ followed by 32 bytes in base64.',
    );
  }
  const current = keys.map((secret): KnownSecret => ({ secret, origin: 'current' }));
  const client = environment['RAINBELL_CLIENT_SECRET']?.trim();
  return client ? [...current, { secret: client, origin: 'client' }] : current;
}

function explain(
  outcome: ReturnType<typeof signatureOutcomeOf>,
  causes: readonly (keyof typeof signatureCauses)[],
): string {
  if (outcome === 'valid') return 'the signature is valid.';
  if (outcome === 'missing') return 'it has no signature.';
  if (outcome === 'unchecked') return 'it is signed with a scheme that needs a different kind of key.';
  if (causes.length === 0) return 'the signature is wrong, and none of the common causes explains it.';
  const advice = causes.map((cause) => signatureCauses[cause].advice).join(' ');
  return `the signature is wrong. ${describeCauses(causes)} ${advice}`;
}
