// A named service with the application's credentials. One is selected and receives all requests. Users can't change the sandbox.
import { z } from 'zod';
import { appProblemSchema } from './app-errors.ts';
import { doneSchema, timestampSchema, procedure } from './base.ts';

/** Color names; red is for production, because it is the most visible. */
export const connectionColors = ['gray', 'blue', 'teal', 'green', 'yellow', 'orange', 'red', 'violet'] as const;

const text = (limit: number) => z.string().max(limit, `must have at most ${limit} characters`);

/** As typed. Core validates the rest and returns INVALID_INPUT with `details.field`. */
export const connectionFieldsSchema = z.object({
  name: text(100),
  color: z.enum(connectionColors),
  /** `{base_url}` of the interface: API and token endpoint. */
  baseUrl: text(2048),
  /** `{auth_url}`: the authorization page. */
  authUrl: text(2048),
  clientId: text(512),
  /** A public client has no secret and sends no `Authorization: Basic` (docs/interface.md §5.3). */
  isPublic: z.boolean(),
  /** As registered, byte for byte. Empty if no one signs in here. */
  redirectUri: text(2048),
  /** Space-separated; the default scope of a sign-in. */
  scope: text(1000),
  /** Certificates (PEM) trusted in addition to the system's; null for none. */
  caPem: text(200_000).nullable(),
  /** `http://` or `https://` URL of a proxy; null for none. */
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

/** Stored as a secret and never sent back to a screen. */
const clientSecret = text(1024);

/** One step of a connection test. `skipped` if an earlier failure makes it pointless, or there is nothing to test. */
export const connectionTestStepSchema = z.object({
  step: z.enum(['address', 'token', 'weather', 'monitors', 'clock']),
  result: z.enum(['ok', 'warning', 'failed', 'skipped']),
  /** The result, and what to do. */
  message: z.string(),
  tookMs: z.number().nullable(),
  problem: appProblemSchema.nullable(),
});
export type ConnectionTestStep = z.infer<typeof connectionTestStepSchema>;

/** The text of the selected file of connections (core/connection/connection-transfer.ts). */
const fileText = z.string().max(900_000, 'must have at most 900,000 characters');

const idInput = z.object({ id: z.string() });

export const connections = {
  list: procedure.output(connectionListSchema),
  create: procedure
    .input(connectionFieldsSchema.extend({ clientSecret: clientSecret.nullable() }))
    .output(savedConnectionSchema),
  /** `clientSecret`: absent keeps it, null deletes it. A new client ID, secret, or URL deletes the tokens. UNAVAILABLE for the sandbox. */
  update: procedure
    .input(connectionFieldsSchema.extend({ id: z.string(), clientSecret: clientSecret.nullable().optional() }))
    .output(savedConnectionSchema),
  /** Deletes it with its secret and tokens. The sandbox can't be deleted (UNAVAILABLE), and replaces the selected one. */
  delete: procedure.input(idInput).output(doneSchema),
  /** Sends all requests there from now on. */
  select: procedure.input(idInput).output(connectionListSchema),
  /** Tests URL, token, weather, monitors, and clock skew separately; never throws for the service's errors. */
  test: procedure
    .input(idInput)
    .output(z.object({ testedAt: timestampSchema, steps: z.array(connectionTestStepSchema) })),
  /** Returns a file's name and text: all of the user's connections, without secrets and tokens. */
  export: procedure.output(z.object({ fileName: z.string(), text: z.string() })),
  /** Adds the connections of the file. Returns the names they got, and why others were refused; INVALID_INPUT, field `file`, for another text. */
  import: procedure
    .input(z.object({ text: fileText }))
    .output(z.object({ names: z.array(z.string()), refused: z.array(z.string()) })),
};
