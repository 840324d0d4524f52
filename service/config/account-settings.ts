// Settings of email and of what is encrypted, as rows of the service's settings table.
import { z } from 'zod';

const minKeyLength = 16;
const keys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine(
    (list) => list.every((key) => key.length >= minKeyLength),
    `must contain keys of at least ${minKeyLength} characters each`,
  );

/** Ed25519 seeds as Standard Webhooks writes them. During a change of the key there are two. */
const signingKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine(
    (keys) => keys.length <= 4 && keys.every((key) => /^whsk_[A-Za-z0-9+/]{43}=$/.test(key)),
    'must be one to four keys of the form whsk_ followed by 32 bytes in base64, separated by commas',
  );

export const accountSettings = {
  secretKey: {
    environment: 'RAINBELL_SECRET_KEY',
    isSecret: true,
    schema: keys.optional(),
    unit: 'keys, separated by commas',
    meaning:
      'The first key encrypts webhook secrets and callback passwords in the database; the others only decrypt data that was encrypted with them. ' +
      'All processes that share a PostgreSQL database must use the same keys. ' +
      'Default: a key file next to the SQLite database; no encryption in PostgreSQL.',
  },
  webhookSigningKey: {
    environment: 'RAINBELL_WEBHOOK_SIGNING_KEY',
    isSecret: true,
    schema: signingKeys.optional(),
    unit: 'keys, separated by commas',
    meaning:
      'Keys for v1a signatures (Ed25519), newest first, each whsk_ followed by 32 bytes in base64. With keys, every callback is signed with all of them, too, and anyone can verify it with /.well-known/webhook-keys.json. All ' +
      'processes that share a PostgreSQL database must use the same keys. Default: none.',
  },
  smtpUrl: {
    environment: 'RAINBELL_SMTP_URL',
    isSecret: true,
    schema: z
      .string()
      .regex(/^smtps?:\/\//, 'must be a URL like smtp://user:password@mail.example.org:587')
      .refine((address) => URL.canParse(address), 'must be a URL like smtp://user:password@mail.example.org:587')
      .optional(),
    unit: 'URL',
    meaning:
      'The mail server that sends emails. Default: none; emails stay in the outbox (npm run operator -- outbox list).',
  },
  mailFrom: {
    environment: 'RAINBELL_MAIL_FROM',
    schema: z.string().min(3, 'must be an email address'),
    default: 'Rainbell <no-reply@rainbell.invalid>',
    unit: 'email address',
    meaning: 'The sender address for emails.',
  },
  operatorEmail: {
    environment: 'RAINBELL_OPERATOR_EMAIL',
    schema: z.string().min(3, 'must be an email address'),
    default: 'operator@rainbell.invalid',
    unit: 'email address',
    meaning: 'Where contact and thank-you messages go.',
  },
} as const;
