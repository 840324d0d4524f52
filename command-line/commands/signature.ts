// `rainbell signature`: verifies the signature of a stored callback, and finds out why it fails. `rainbell verify`: of one in a file.
import { explainSignature, type SignatureDiagnosis } from '@rainbell/contract/app-rpc';
import { verifyProof } from '@rainbell/core';
import { readDataFolder, type Options, type ParsedArguments } from '../terminal/arguments.ts';
import { commonOptions, type Command, type CommandContext } from '../terminal/command.ts';
import { exitCodes } from '../terminal/exit-codes.ts';
import { missingSecret, readTyped } from './check.ts';
import { readTextFile } from './monitor-files.ts';
import { explainMissing, readId } from './replay.ts';
import { withStored } from '../session/app-session.ts';

const keyOptions = {
  sender: { value: 'NAME', words: 'verify by this sender’s rule, such as stripe, github, or standard-webhooks' },
  'webhook-secret-stdin': { words: 'read the secret from stdin' },
} as const satisfies Options;

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
  options: { ...keyOptions, json: commonOptions.json, data: commonOptions.data },
  examples: ['signature 42 --webhook-secret-stdin < secret.txt', 'signature 43 --sender stripe'],
  async run(given, context) {
    const [text = ''] = given.words;
    const id = readId(text);
    const secrets = await readSecrets(given, context);
    const dataFolder = readDataFolder(given);
    const sender = given.text('sender');
    return withStored(dataFolder, context, async (client) => {
      const found = await client.callbacks
        .diagnoseSignature({ id, secrets, ...(sender === undefined ? {} : { sender }) })
        .catch(explainMissing(id, dataFolder));
      if (given.isSet('json')) context.output.printJson({ id, ...resultOf(found) });
      else context.output.print(`Callback ${id}: ${explain(found)}`);
      return found.outcome === 'valid' ? exitCodes.done : exitCodes.no;
    });
  },
};

export const verify: Command = {
  name: 'verify',
  usage: 'FILE [--sender NAME] [--webhook-secret-stdin] [--json]',
  summary: 'Verify the signature of a callback that was exported as a page (HTML)',
  details: [
    'Reads the secret or public key as rainbell signature does, with the same exit codes. The page’s own script isn’t run.',
    'With --json: {sender, outcome, diagnosis, explanation, bodyBytes, sha256}.',
  ],
  options: { ...keyOptions, json: commonOptions.json },
  examples: ['verify callback-42.html --webhook-secret-stdin < key.txt'],
  async run(given, context) {
    const [file = ''] = given.words;
    const secrets = await readSecrets(given, context);
    const { bodyBytes, sha256, ...found } = verifyProof(readTextFile(file), secrets, given.text('sender'));
    const isValid = found.outcome === 'valid';
    const covered = isValid
      ? ` The body has ${bodyBytes} bytes and the SHA-256 ${sha256}. The file proves nothing that the signature doesn’t cover, such as the URL, other headers, and the verdict.`
      : '';
    if (given.isSet('json')) context.output.printJson({ ...resultOf(found), bodyBytes, sha256 });
    else context.output.print(`${file}: ${explain(found)}${covered}`);
    return isValid ? exitCodes.done : exitCodes.no;
  },
};

function resultOf(found: SignatureDiagnosis) {
  const { outcome, sender, ...rest } = found;
  return { sender, outcome, diagnosis: outcome === 'wrong' ? rest : null, explanation: explain(found) };
}

type KnownSecret = { secret: string; origin: 'current' | 'client' };

async function readSecrets(given: ParsedArguments, context: CommandContext): Promise<KnownSecret[]> {
  const typed = await readTyped(given, context);
  if (typed === null) throw missingSecret();
  const current = typed.split(/\s+/).map((secret): KnownSecret => ({ secret, origin: 'current' }));
  const client = context.environment['RAINBELL_CLIENT_SECRET']?.trim();
  return client ? [...current, { secret: client, origin: 'client' }] : current;
}

function explain(found: SignatureDiagnosis): string {
  const { sender, outcome } = found;
  if (outcome === 'valid') return 'the signature is valid.';
  if (outcome === 'missing') return 'it has no signature.';
  if (outcome === 'unchecked') return `it is signed by ${sender}’s scheme, which needs a different kind of key.`;
  return `the signature is wrong. ${explainSignature(found, 'None of the common causes explains it.')}`;
}
