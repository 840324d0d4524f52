// Connections: named services with the application that one calls them as. One is selected, and every call goes to it. The
// sandbox is the service on this machine; it is ready made, and only its colour and name are the person's.
import { z } from 'zod';
import { appProblemSchema } from './app-errors.ts';
import { doneSchema, timestampSchema, procedure } from './base.ts';

/** A colour by name; red is for production, which stands out. */
export const connectionColors = ['gray', 'blue', 'teal', 'green', 'yellow', 'orange', 'red', 'violet'] as const;

const text = (limit: number) => z.string().max(limit, `must have at most ${limit} characters`);

/** As typed. What the fields must hold besides is checked by core in words (INVALID_INPUT, `details.field`). */
export const connectionFieldsSchema = z.object({
  name: text(100),
  color: z.enum(connectionColors),
  /** `{base_url}` of the interface: API and token endpoint. */
  baseUrl: text(2048),
  /** `{auth_url}`: the authorization dialog. */
  authUrl: text(2048),
  clientId: text(512),
  /** A public client has no secret and sends no `Authorization: Basic` (docs/interface.md §5.3). */
  isPublic: z.boolean(),
  /** As registered, byte for byte. Empty where nobody signs in here. */
  redirectUri: text(2048),
  /** Space-separated; what a sign-in asks for where it says nothing else. */
  scope: text(1000),
  /** Certificates (PEM) that are trusted besides the system's; null for none. */
  caPem: text(200_000).nullable(),
  /** `http://` or `https://` address of a proxy; null for none. */
  proxyUrl: text(2048).nullable(),
});
export type ConnectionFields = z.infer<typeof connectionFieldsSchema>;

export const savedConnectionSchema = connectionFieldsSchema.extend({
  id: z.string(),
  kind: z.enum(['sandbox', 'own']),
  hasSecret: z.boolean(),
});
export type SavedConnection = z.infer<typeof savedConnectionSchema>;

export const connectionListSchema = z.object({
  /** The sandbox first, the others by name. */
  connections: z.array(savedConnectionSchema),
  selectedId: z.string(),
});
export type ConnectionList = z.infer<typeof connectionListSchema>;

/** Kept as a secret and never sent back to a screen. */
const clientSecret = text(1024);

/** One line of a connection test. `skipped` where an earlier step makes it pointless, or nothing is to be tested. */
export const connectionTestStepSchema = z.object({
  step: z.enum(['address', 'token', 'weather', 'monitors', 'clock']),
  verdict: z.enum(['ok', 'warning', 'failed', 'skipped']),
  /** What was found, and what to do. */
  message: z.string(),
  tookMs: z.number().nullable(),
  problem: appProblemSchema.nullable(),
});
export type ConnectionTestStep = z.infer<typeof connectionTestStepSchema>;

/** The text of a file of connections (core/connection/connection-file.ts), as it was chosen. */
const fileText = z.string().max(900_000, 'must have at most 900,000 characters');
/** Secrets leave and come back under a passphrase only; null leaves them behind. */
const passphrase = text(1000).nullable();

/** What an import would do with one entry of a file, or did. */
export const importedConnectionSchema = z.object({
  /** Its place in the file, from 0. */
  index: z.number().int(),
  name: z.string(),
  baseUrl: z.string(),
  /** `renamed`: another connection has its name; `refused`: it cannot be taken, and `notes` says why. */
  outcome: z.enum(['added', 'renamed', 'refused']),
  /** The name that it gets here; null where it is refused. */
  savedAs: z.string().nullable(),
  /** Whether its client secret comes along. */
  hasSecret: z.boolean(),
  /** Sentences: what is wrong, missing or worth knowing. */
  notes: z.array(z.string()),
});
export type ImportedConnection = z.infer<typeof importedConnectionSchema>;

export const importPreviewSchema = z.object({
  exportedAt: timestampSchema.nullable(),
  /** `none`: the file has no secrets. `locked`: a passphrase is needed for them. */
  secrets: z.enum(['none', 'locked', 'open']),
  entries: z.array(importedConnectionSchema),
});
export type ImportPreview = z.infer<typeof importPreviewSchema>;

const idInput = z.object({ id: z.string() });

export const connections = {
  list: procedure.output(connectionListSchema),
  create: procedure
    .input(connectionFieldsSchema.extend({ clientSecret: clientSecret.nullable() }))
    .output(savedConnectionSchema),
  /**
   * Changes the given fields. `clientSecret`: absent keeps it, null forgets it. Another client id, secret or address drops
   * the tokens. Of the sandbox only name and colour can be changed (UNAVAILABLE otherwise).
   */
  update: procedure
    .input(
      z.object({
        id: z.string(),
        changes: connectionFieldsSchema.partial(),
        clientSecret: clientSecret.nullable().optional(),
      }),
    )
    .output(savedConnectionSchema),
  /** With its secret and tokens. The sandbox stays (UNAVAILABLE); the selected one gives way to the sandbox. */
  delete: procedure.input(idInput).output(doneSchema),
  /** Every call goes there from now on. */
  select: procedure.input(idInput).output(connectionListSchema),
  /** Address, token, weather, monitors, clock skew, each on its own; never throws for what the service does. */
  test: procedure
    .input(idInput)
    .output(z.object({ testedAt: timestampSchema, steps: z.array(connectionTestStepSchema) })),
  /** A file's name and text: own connections without secrets, or with them under a passphrase. Never tokens. */
  export: procedure
    .input(z.object({ ids: z.array(z.string()).min(1).max(500), passphrase }))
    .output(z.object({ fileName: z.string(), text: z.string(), secretCount: z.number().int() })),
  /** What `import` would do; changes nothing. INVALID_INPUT with `field` `file` or `passphrase` says what is wrong in words. */
  previewImport: procedure.input(z.object({ text: fileText, passphrase })).output(importPreviewSchema),
  /** Adds the entries at these places, all or none. */
  import: procedure
    .input(z.object({ text: fileText, passphrase, indexes: z.array(z.number().int()).min(1).max(500) }))
    .output(z.object({ entries: z.array(importedConnectionSchema) })),
};
