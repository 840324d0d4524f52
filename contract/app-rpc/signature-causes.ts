// Causes of a signature that does not verify, as recognized by the signature doctor. Without zod, because the screens import these
// texts.

type SignatureCause = {
  /** What happened, as a clause after "The signature verifies if …". */
  finding: string;
  /** What to change, as a sentence. */
  advice: string;
};

/** In the order in which causes are named when several apply: key, signed text, body, form of the signature. */
export const signatureCauses = {
  'other-sender': {
    finding: 'another sender’s rule is used',
    advice: 'Choose this sender for the path.',
  },
  'other-version': {
    finding: 'another version of the sender’s rule is used',
    advice:
      'Check which version the sender is set to. Rainbell doesn’t accept a weaker one in place of the one that is present.',
  },
  'previous-secret': {
    finding: 'this connection’s previous secret is used',
    advice: 'The sender is still signing with the secret from before the rotation. Update its secret.',
  },
  'other-connection': {
    finding: 'another connection’s secret is used',
    advice: 'Check which application the sender belongs to, and enter its secret for this connection.',
  },
  'other-endpoint': {
    finding: 'another path’s secret is used',
    advice: 'Check which endpoint the sender signs for, such as test or live, and add its secret to this path.',
  },
  'client-secret': {
    finding: 'the OAuth client secret is used as the key',
    advice: 'Sign with the webhook secret (whsec_…). The client secret is only for token requests.',
  },
  'secret-not-decoded': {
    finding: 'the secret’s text is used as the key',
    advice: 'Remove the prefix whsec_ and decode the rest from base64. Those bytes are the key.',
  },
  'secret-decoded': {
    finding: 'the secret is decoded from base64',
    advice: 'This sender and the stored secret differ in base64: one has the text, the other the decoded bytes.',
  },
  'secret-prefix': {
    finding: 'the secret is used with another prefix, or without one',
    advice: 'Use the secret exactly as the sender shows it.',
  },
  'secret-trimmed': {
    finding: 'white space, quotes, or PEM lines around the stored secret are removed',
    advice: 'Add the secret again, without anything around it.',
  },
  'prefix-not-removed': {
    finding: 'the secret is decoded from base64 together with its prefix',
    advice: 'Remove the prefix whsec_ before you decode the secret.',
  },
  'secret-hex': {
    finding: 'the secret is decoded as hexadecimal digits',
    advice: 'The secret is base64. Decode it from base64 to get the key.',
  },
  'secret-newline': {
    finding: 'a line break is part of the secret',
    advice: 'Trim the secret after you read it from a file or an environment variable.',
  },
  'wrong-algorithm': {
    finding: 'another hash function is used',
    advice: 'Use the hash function that the sender’s rule names.',
  },
  'body-only': {
    finding: 'only the body is signed',
    advice: 'Sign exactly the text that the rule names, in its order and with its separators.',
  },
  'id-missing': {
    finding: 'the ID is left out of the signed text',
    advice: 'Sign exactly the text that the rule names, in its order and with its separators.',
  },
  'timestamp-missing': {
    finding: 'the timestamp is left out of the signed text',
    advice: 'Sign exactly the text that the rule names, in its order and with its separators.',
  },
  'body-missing': {
    finding: 'the body is left out of the signed text',
    advice: 'Read the raw body before you sign it. Some frameworks consume it first.',
  },
  'wrong-order': {
    finding: 'the parts are signed in a different order',
    advice: 'Sign exactly the text that the rule names, in its order and with its separators.',
  },
  'wrong-separator': {
    finding: 'the parts are joined with a different separator',
    advice: 'Join the parts as the rule does.',
  },
  'other-text': {
    finding: 'another text is signed',
    advice: 'Sign exactly the text that the rule names, in its order and with its separators.',
  },
  'url-changed': {
    finding: 'another form of the URL is signed',
    advice: 'Set the path’s public URL to exactly the URL that is registered with the sender.',
  },
  'body-hashed': {
    finding: 'a hash of the body is signed instead of the body',
    advice: 'Sign the body itself, not its hash.',
  },
  milliseconds: {
    finding: 'the timestamp is in milliseconds on one side and in seconds on the other',
    advice: 'Use the unit of the sender’s rule in the header and in the signed text.',
  },
  'timestamp-zone': {
    finding: 'the signed timestamp is shifted by a time zone',
    advice: 'Compute the timestamp in UTC.',
  },
  'timestamp-changed': {
    finding: 'the signed timestamp is a few seconds off from the one in the header',
    advice: 'Read the clock once, and use that value in the header and in the signed text.',
  },
  'earlier-attempt': {
    finding: 'the timestamp of an earlier attempt to deliver the event is used',
    advice: 'Sign each attempt again if its timestamp changes.',
  },
  'id-from-body': {
    finding: 'the ID in the body is used',
    advice: 'Sign the value of the ID header, which is the event’s ID.',
  },
  'other-headers': {
    finding: 'the values are read from headers with different names',
    advice: 'Name the headers as the sender does.',
  },
  'body-encoding': {
    finding: 'the body is signed without its Content-Encoding',
    advice: 'Sign the bytes that are sent: compress first, then sign.',
  },
  'newline-added': {
    finding: 'a line break at the end of the body is removed',
    advice: 'Something added a line break after signing. Send exactly the signed bytes.',
  },
  'newline-removed': {
    finding: 'a line break is added to the end of the body',
    advice: 'Something removed the last line break after signing. Send exactly the signed bytes.',
  },
  'bom-added': {
    finding: 'the byte order mark is removed from the body',
    advice: 'Something added a byte order mark after signing. Write UTF-8 without it.',
  },
  'bom-removed': {
    finding: 'a byte order mark is added to the body',
    advice: 'The signed body began with a byte order mark that was not sent. Sign UTF-8 without it.',
  },
  'line-ends': {
    finding: 'the body’s line endings are converted',
    advice: 'Something changed the line endings (LF, CRLF) after signing. Send exactly the signed bytes.',
  },
  'whitespace-added': {
    finding: 'whitespace around the body is removed',
    advice: 'Something added whitespace after signing. Send exactly the signed bytes.',
  },
  charset: {
    finding: 'the body is converted between Latin-1 and UTF-8',
    advice: 'Sign and send the body in UTF-8.',
  },
  'unicode-form': {
    finding: 'the body is converted to another Unicode normalization form (NFC, NFD)',
    advice: 'Something normalized the text after signing. Send exactly the signed bytes.',
  },
  'url-encoded': {
    finding: 'the body is URL-decoded',
    advice: 'Something URL-encoded the body after signing. Send exactly the signed bytes.',
  },
  'json-reserialized': {
    finding: 'the JSON body is written with different whitespace',
    advice: 'The body was parsed and serialized again. Sign and verify the raw bytes.',
  },
  'json-escapes': {
    finding: 'the JSON body is written with different escapes',
    advice: 'The body was parsed and serialized again by another library. Sign and verify the raw bytes.',
  },
  'json-key-order': {
    finding: 'the JSON keys are sorted',
    advice: 'The body was parsed and serialized again. Sign and verify the raw bytes.',
  },
  'body-empty': {
    finding: 'the body is treated as empty',
    advice: 'Read the raw body before you sign it. Some frameworks consume it first.',
  },
  'body-base64': {
    finding: 'the body is signed in base64',
    advice: 'Sign the body’s bytes as they are sent.',
  },
  'signature-hex': {
    finding: 'the header is read as hexadecimal digits',
    advice: 'Write the signature in base64, not in hexadecimal.',
  },
  'signature-base64': {
    finding: 'the header is read as base64',
    advice: 'Write the signature in hexadecimal digits, not in base64.',
  },
  'signature-base64url': {
    finding: 'the header is read as base64url',
    advice: 'Write the signature in standard base64, with + and /.',
  },
  'signature-padding': {
    finding: 'the missing padding (=) is added',
    advice: 'Write the signature in base64 with its padding.',
  },
  'signature-version': {
    finding: 'the missing or wrong prefix of the signature is corrected',
    advice: 'Write the prefix or version before the signature as the sender does.',
  },
  'signature-separator': {
    finding: 'whitespace, quotes, or commas in the header are corrected',
    advice: 'Separate multiple signatures with a single space, without quotes.',
  },
  'digits-of-base64': {
    finding: 'the header is read as the base64 of hexadecimal digits',
    advice: 'Encode the raw bytes of the hash in base64, not its hexadecimal text.',
  },
} as const satisfies Record<string, SignatureCause>;

export type SignatureCauseId = keyof typeof signatureCauses;
export const signatureCauseIds = Object.keys(signatureCauses) as [SignatureCauseId, ...SignatureCauseId[]];

/** Returns one sentence for the causes that together make the signature verify: each finding is a clause that can follow "if". */
export function describeCauses(causes: readonly SignatureCauseId[]): string {
  const findings = causes.map((cause) => signatureCauses[cause].finding);
  return `The signature verifies if ${findings.join(', and ')}.`;
}
