// The reasons that the signature doctor finds for a signature that does not verify. Without zod, because the screens import these texts.

/** For changes of the body between the signer and the verifier. */
const sameBytes = 'Something changed the body after signing. Send, and verify, exactly the signed bytes.';
const sameText = 'Sign, and verify, exactly the text of the rule: for Standard Webhooks, id.timestamp.body.';
const rawJson = 'The body was parsed and serialized again. Sign and verify the raw bytes.';
const rawBody = 'Read the raw body before any parser. Some frameworks consume it first.';

/**
 * What happened, as a clause after "The signature verifies if …", and what to change, as a sentence for signers and receivers. In the order in which causes are named
 * when several apply: key, signed text, body, form of the signature.
 */
const rows = {
  'other-sender': ['another sender’s rule is used', 'Choose this sender for the path.'],
  'other-version': ['another version of the sender’s rule is used', 'Check which version the sender is set to.'],
  'previous-secret': ['this connection’s previous secret is used', 'Update the secret that the sender signs with.'],
  'other-connection': ['another connection’s secret is used', 'Enter the secret of the sender’s application here.'],
  'other-endpoint': [
    'another path’s secret is used',
    'Add the secret of the endpoint, such as test or live, to this path.',
  ],
  'client-secret': ['the OAuth client secret is used as the key', 'Sign with the webhook secret (whsec_…).'],
  'secret-not-decoded': [
    'the secret’s text is used as the key',
    'Decode the text after whsec_ from base64 to get the key.',
  ],
  'secret-decoded': [
    'the secret is decoded from base64',
    'Decode the secret only if the sender’s rule says so, and use the same form on both sides.',
  ],
  'secret-prefix': ['the secret is used with another prefix, or without one', 'Use the secret exactly as it is shown.'],
  'secret-trimmed': [
    'white space, quotes, or PEM lines around the stored secret are removed',
    'Add the secret again, without anything around it.',
  ],
  'prefix-not-removed': [
    'the secret is decoded from base64 together with its prefix',
    'Remove the prefix whsec_ before you decode the secret.',
  ],
  'secret-hex': ['the secret is decoded as hexadecimal digits', 'Decode the secret from base64 to get the key.'],
  'secret-empty': ['the secret is empty', 'Check how your code reads the secret: with an empty one, anyone can sign.'],
  'secret-newline': ['a line break is part of the secret', 'Trim the secret after you read it.'],
  'wrong-algorithm': ['another hash function is used', 'Use the hash function that the sender’s rule names.'],
  'body-only': ['only the body is signed', sameText],
  'id-missing': ['the ID is left out of the signed text', sameText],
  'timestamp-missing': ['the timestamp is left out of the signed text', sameText],
  'body-missing': ['the body is left out of the signed text', rawBody],
  'wrong-order': ['the parts are signed in a different order', sameText],
  'wrong-separator': ['the parts are joined with a different separator', 'Join the parts as the rule does.'],
  'other-text': ['another text is signed', sameText],
  'url-changed': [
    'another form of the URL is signed',
    'Set the path’s public URL to exactly the URL that is registered with the sender.',
  ],
  'body-hashed': ['a hash of the body is signed instead of the body', 'Sign the body itself, not its hash.'],
  milliseconds: [
    'the timestamp is in milliseconds on one side and in seconds on the other',
    'Use the unit of the sender’s rule, and convert it to compare it with a clock that has another.',
  ],
  'other-headers': [
    'the values are read from headers with different names',
    'Use the headers of the rule: for Standard Webhooks, webhook-id, webhook-timestamp, and webhook-signature.',
  ],
  'body-encoding': ['the body is signed without its Content-Encoding', 'Compress the body first, then sign it.'],
  'newline-added': ['a line break at the end of the body is removed', sameBytes],
  'newline-removed': ['a line break is added to the end of the body', sameBytes],
  'bom-added': ['the byte order mark is removed from the body', sameBytes],
  'bom-removed': ['a byte order mark is added to the body', sameBytes],
  'line-ends': ['the body’s line endings are converted', sameBytes],
  'whitespace-added': ['whitespace around the body is removed', sameBytes],
  charset: ['the body is converted between Latin-1 and UTF-8', 'Sign and send the body in UTF-8.'],
  'json-reserialized': ['the JSON body is written with different whitespace', rawJson],
  'json-escapes': ['the JSON body is written with different escapes', rawJson],
  'json-key-order': ['the JSON keys are sorted', rawJson],
  'body-empty': ['the body is treated as empty', rawBody],
  'signature-hex': ['the header is read as hexadecimal digits', 'Use the hash in base64, not in hexadecimal digits.'],
  'signature-base64': ['the header is read as base64', 'Use the hash in hexadecimal digits, not in base64.'],
  'signature-base64url': ['the header is read as base64url', 'Use the hash in standard base64, with + and /.'],
  'signature-padding': ['the missing padding (=) is added', 'Write the signature in base64 with its padding.'],
  'signature-version': [
    'the missing or wrong prefix of the signature is corrected',
    'Write the prefix or version before the signature as the sender does, and compare what follows it.',
  ],
  'signature-separator': [
    'whitespace, quotes, or commas in the header are corrected',
    'Separate multiple signatures with a single space, without quotes.',
  ],
} as const satisfies Record<string, readonly [string, string]>;

export type SignatureCauseId = keyof typeof rows;
export const signatureCauseIds = Object.keys(rows) as [SignatureCauseId, ...SignatureCauseId[]];

export const signatureCauses = Object.fromEntries(
  Object.entries(rows).map(([id, [finding, advice]]) => [id, { finding, advice }]),
) as Record<SignatureCauseId, { finding: string; advice: string }>;

/** Sentences on why a signature does not verify, and what to change. `none`: without a known cause. */
export function explainSignature(
  { causes, details, guesses }: { causes: readonly SignatureCauseId[]; details: string[]; guesses: string[] },
  none: string,
): string {
  if (causes.length === 0) return [none, ...guesses].join(' ');
  return [describeCauses(causes), ...details, ...causes.map((cause) => signatureCauses[cause].advice)].join(' ');
}

/** Returns one sentence for the causes that together make the signature verify: each finding is a clause that can follow "if". */
export function describeCauses(causes: readonly SignatureCauseId[]): string {
  const findings = causes.map((cause) => signatureCauses[cause].finding);
  return `The signature verifies if ${findings.join(', and ')}.`;
}
