// Settings of plans, of email and of what is encrypted, as rows of the service's settings table.
import { z } from 'zod';

const limits = z
  .string()
  .regex(/^\d{1,9}\/\d{1,9}\/\d{1,9}$/, 'must be three numbers like 10/60/5000')
  .transform((text) => text.split('/').map(Number) as [number, number, number]);
const count = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number from 0 to 999999999')
  .transform(Number);
const minKeyLength = 16;
/** A single key with a comma, accepted by earlier versions, still decrypts. */
const keys = z
  .string()
  .transform((text) => {
    const list = text.split(',').map((key) => key.trim());
    return list.length > 1 ? [...list, text] : list;
  })
  .refine(
    (list) => list.every((key) => key.length >= minKeyLength),
    `must contain keys of at least ${minKeyLength} characters each`,
  );
const legalUrl = z.url({ protocol: /^https?$/, error: 'must be an http or https URL' }).optional();
const planUnit = 'monitors/requests per minute/requests per day';
const planMeaning = 'Limits for each application on this plan; 0 requests means no limit.';

/** Ed25519 seeds as Standard Webhooks writes them. During a change of the key there are two. */
const signingKeys = z
  .string()
  .transform((text) => text.split(',').map((key) => key.trim()))
  .refine(
    (keys) => keys.length <= 4 && keys.every((key) => /^whsk_[A-Za-z0-9+/]{43}=$/.test(key)),
    'must be one to four keys of the form whsk_ followed by 32 bytes in base64, separated by commas',
  );

export const accountSettings = {
  planDrizzle: {
    environment: 'RAINBELL_PLAN_DRIZZLE',
    schema: limits,
    default: '10/60/5000',
    unit: planUnit,
    meaning: `Drizzle plan (free). ${planMeaning}`,
  },
  planShower: {
    environment: 'RAINBELL_PLAN_SHOWER',
    schema: limits,
    default: '200/600/100000',
    unit: planUnit,
    meaning: `Shower plan. ${planMeaning}`,
  },
  planStorm: {
    environment: 'RAINBELL_PLAN_STORM',
    schema: limits,
    default: '5000/6000/2000000',
    unit: planUnit,
    meaning: `Storm plan. ${planMeaning}`,
  },
  accountApplications: {
    environment: 'RAINBELL_ACCOUNT_APPLICATIONS',
    schema: count,
    default: '10',
    unit: 'count',
    meaning: 'Maximum number of applications per account, not counting those on the in-house plan.',
  },
  accountMonitors: {
    environment: 'RAINBELL_ACCOUNT_MONITORS',
    schema: count,
    default: '10000',
    unit: 'count',
    meaning: 'Maximum number of monitors per account, across all its applications except those on the in-house plan.',
  },
  secretKey: {
    environment: 'RAINBELL_SECRET_KEY',
    schema: keys.optional(),
    unit: 'keys, separated by commas',
    meaning:
      'The first key encrypts webhook secrets and callback passwords in the database; the others only decrypt data that was encrypted with them. ' +
      'All processes that share a PostgreSQL database must use the same keys. ' +
      'Default: a key file next to the SQLite database; no encryption in PostgreSQL.',
  },
  webhookSignatures: {
    environment: 'RAINBELL_WEBHOOK_SIGNATURES',
    schema: z.enum(['v1', 'v1,v1a'], 'must be v1 or v1,v1a'),
    default: 'v1',
    unit: 'v1 | v1,v1a',
    meaning:
      "How callbacks are signed: with the application's secret (v1), or also with the service's Ed25519 key (v1a). " +
      'Anyone can verify v1a signatures with the public key at /.well-known/webhook-keys.json.',
  },
  webhookSigningKey: {
    environment: 'RAINBELL_WEBHOOK_SIGNING_KEY',
    schema: signingKeys.optional(),
    unit: 'keys, separated by commas',
    meaning:
      'Keys for v1a, newest first, each whsk_ followed by 32 bytes in base64. Every callback is signed with all of them. All ' +
      'processes that share a PostgreSQL database must use the same keys. Default: a key file next to the SQLite database.',
  },
  smtpUrl: {
    environment: 'RAINBELL_SMTP_URL',
    schema: z
      .string()
      .regex(/^smtps?:\/\//, 'must be a URL like smtp://user:password@mail.example.org:587')
      .refine((address) => URL.canParse(address), 'must be a URL like smtp://user:password@mail.example.org:587')
      .optional(),
    unit: 'URL',
    meaning:
      'The mail server that sends emails. Default: none; emails stay in the outbox, where the operator can read them.',
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
  imprint: {
    environment: 'RAINBELL_IMPRINT',
    schema: z.string().min(1, 'must not be empty').max(2000, 'must have at most 2000 characters').optional(),
    unit: 'text',
    meaning: "The operator's name and postal address, shown on the terms and privacy pages. Default: none.",
  },
  termsUrl: {
    environment: 'RAINBELL_TERMS_URL',
    schema: legalUrl,
    unit: 'URL',
    meaning: 'Your own terms of service, instead of the page at /terms/. Default: none.',
  },
  privacyUrl: {
    environment: 'RAINBELL_PRIVACY_URL',
    schema: legalUrl,
    unit: 'URL',
    meaning: 'Your own privacy page, instead of the page at /privacy/. Default: none.',
  },
} as const;
