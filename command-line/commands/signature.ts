// `rainbell signature`: verifies the signature of a stored callback and, if it fails, finds out why.
import { describeCauses, type SignatureDiagnosis, signatureCauses } from '@rainbell/contract/app-rpc';
import { readDataFolder, requireArguments, UsageError, type ParsedArguments } from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { explainMissing, readId } from './replay.ts';
import { withStored } from '../session/app-session.ts';

export const signature: Command = {
  name: 'signature',
  usage: 'ID [--sender NAME] [--webhook-secret-stdin] [--json] [--data DIR]',
  summary: 'Verify the signature of a stored callback; if it is wrong, explain why',
  details: [
    'Reads the secret or public key from the environment variable RAINBELL_WEBHOOK_SECRET, or from stdin with\n' +
      '--webhook-secret-stdin. Separate multiple keys with spaces. Also tries RAINBELL_CLIENT_SECRET, because some senders\n' +
      'sign with it.',
    'The sender is the one that the app has for the path, with its rule if you wrote one, or the recognized one.',
    'Exit code 0 if the signature is valid, 1 if it is not. The age of the signature is not checked.',
    'With --json: {id, sender, outcome, diagnosis: {verifies, causes, tried, isComplete}, explanation}.',
  ],
  options: {
    sender: { value: 'NAME', words: 'verify by this sender’s rule, such as stripe, github, or standard-webhooks' },
    'webhook-secret-stdin': { words: 'read the secret from stdin' },
    json: commonOptions.json,
    data: commonOptions.data,
    help: commonOptions.help,
  },
  examples: ['signature 42 --webhook-secret-stdin < secret.txt', 'signature 43 --sender stripe'],
  async run(given, context) {
    const [text = ''] = requireArguments(given, ['ID']);
    const id = readId(text);
    const secrets = await readSecrets(given, context);
    const dataFolder = readDataFolder(given);
    const sender = given.text('sender');
    return withStored(dataFolder, context, async (client) => {
      const found = await client.callbacks
        .diagnoseSignature({ id, secrets, ...(sender === undefined ? {} : { sender }) })
        .catch(explainMissing(id, dataFolder));
      const { outcome, sender: name, ...rest } = found;
      const diagnosis = outcome === 'wrong' ? rest : null;
      const explanation = explain(found);
      if (given.isSet('json')) context.output.printJson({ id, sender: name, outcome, diagnosis, explanation });
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
  const current = keys.map((secret): KnownSecret => ({ secret, origin: 'current' }));
  const client = environment['RAINBELL_CLIENT_SECRET']?.trim();
  return client ? [...current, { secret: client, origin: 'client' }] : current;
}

function explain({ sender, outcome, causes, details, guesses }: SignatureDiagnosis): string {
  if (outcome === 'valid') return 'the signature is valid.';
  if (outcome === 'missing') return 'it has no signature.';
  if (outcome === 'unchecked') return `it is signed by ${sender}’s scheme, which needs a different kind of key.`;
  if (causes.length === 0)
    return ['the signature is wrong, and none of the common causes explains it.', ...guesses].join(' ');
  const advice = causes.map((cause) => signatureCauses[cause].advice);
  return ['the signature is wrong.', describeCauses(causes), ...details, ...advice].join(' ');
}
