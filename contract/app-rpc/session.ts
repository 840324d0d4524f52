// Tokens and sign-in of the selected connection (docs/interface.md §3.1, §5). The application token and the user token are
// separate; core picks the right one per request. No response except that of `reveal` contains a secret.
import { z } from 'zod';
import { appProblemSchema } from './app-errors.ts';
import { grantKinds } from '../service-api/oauth.ts';
import { headerListSchema, timestampSchema, procedure } from './base.ts';

export const tokenOwners = ['application', 'user'] as const;
export const tokenOwnerSchema = z.enum(tokenOwners);
export type TokenOwner = z.infer<typeof tokenOwnerSchema>;

/** A tolerated deviation of a token response from the RFC. */
export const deviationSchema = z.object({
  /** For example `RFC 6749 §5.1`. */
  section: z.string(),
  message: z.string(),
});
export type Deviation = z.infer<typeof deviationSchema>;

export const tokenCardSchema = z.object({
  owner: tokenOwnerSchema,
  /** `expired`: the user must sign in again. `valid`: until `expiresAt`. `fetching` may include the previous token's details. */
  state: z.enum(['none', 'fetching', 'valid', 'expired', 'failed']),
  grant: z.enum(grantKinds).nullable(),
  /** As granted; null if the service did not return it. */
  scope: z.string().nullable(),
  /** Applies if the service did not return a scope (RFC 6749 §5.1); null if none was requested. */
  requestedScope: z.string().nullable(),
  obtainedAt: timestampSchema.nullable(),
  /** Null if there is no token, or the service did not return its lifetime. */
  expiresAt: timestampSchema.nullable(),
  /** Whether it can be refreshed without the user. */
  refreshable: z.boolean(),
  lastProblem: appProblemSchema.nullable(),
  deviations: z.array(deviationSchema),
});
export type TokenCard = z.infer<typeof tokenCardSchema>;

export const signInMethods = ['authorization_code', 'implicit', 'client_credentials', 'password'] as const;
export type SignInMethod = (typeof signInMethods)[number];

/** One step of a flow. Secrets in `url` and `fields` are masked before it is stored. */
export const flowStepSchema = z.object({
  at: timestampSchema,
  kind: z.enum(['dialog', 'redirect', 'request', 'answer', 'end']),
  /** Says what happened. */
  title: z.string(),
  method: z.string().nullable(),
  url: z.string().nullable(),
  status: z.int().nullable(),
  tookMs: z.number().nullable(),
  /** The request in the traffic log. */
  trafficId: z.int().nullable(),
  /** Parameters of the URL or members of the body, in order. */
  fields: headerListSchema,
  deviations: z.array(deviationSchema),
});
export type FlowStep = z.infer<typeof flowStepSchema>;

/** A complete sign-in, refresh, or revocation; the last 50 of all connections, in memory. */
export const flowSchema = z.object({
  id: z.string(),
  connectionId: z.string(),
  connectionName: z.string(),
  way: z.enum([...signInMethods, 'refresh', 'revoke']),
  startedAt: timestampSchema,
  endedAt: timestampSchema.nullable(),
  /** As that of `signInResultSchema`; for refresh and revoke `approved` or what failed. Null while it runs. */
  outcome: z.string().nullable(),
  message: z.string().nullable(),
  steps: z.array(flowStepSchema),
});
export type Flow = z.infer<typeof flowSchema>;

export const sessionStateSchema = z.object({
  connectionId: z.string(),
  connectionName: z.string(),
  application: tokenCardSchema,
  user: tokenCardSchema,
  /** Whose token reads the weather. Only this one is refreshed before it expires. */
  tokenInUse: tokenOwnerSchema,
  /** Each grant type, and why it is not available here; null if it is. */
  ways: z.array(z.object({ way: z.enum(signInMethods), unavailableReason: z.string().nullable() })),
  /** Where the sign-in page can open: in an app window (Electron), or in the user's browser. */
  windows: z.array(z.enum(['app', 'browser'])),
  /** Whether the app's own window keeps its session with the service; null if there is no such window. */
  browserSession: z.object({ isSaved: z.boolean() }).nullable(),
  /** The open sign-in page, with its URL if the user may have to open it (browser window only). */
  open: z.object({ address: z.string().nullable() }).nullable(),
  /** Of this connection, newest first. */
  flows: z.array(flowSchema),
});
export type SessionState = z.infer<typeof sessionStateSchema>;

const dialog = {
  /** Space-separated; if absent, the connection's. */
  scope: z.string().max(1000).optional(),
  window: z.enum(['app', 'browser']).optional(),
  /** Sign in as someone else: the app's window starts without cookies and storage. The user's browser keeps its own. */
  fresh: z.boolean().optional(),
};

export const signInInputSchema = z.discriminatedUnion('way', [
  z.object({ way: z.literal('authorization_code'), ...dialog, pkce: z.boolean().default(true) }),
  z.object({ way: z.literal('implicit'), ...dialog }),
  z.object({ way: z.literal('client_credentials') }),
  /** The password is sent in one request and not stored (docs/interface.md §4.2). */
  z.object({
    way: z.literal('password'),
    username: z.string().min(1).max(500),
    password: z.string().min(1).max(1000),
    scope: z.string().max(1000).optional(),
  }),
]);
export type SignInInput = z.input<typeof signInInputSchema>;

const ended = { flowId: z.string(), message: z.string() };

/** How a sign-in ended: exactly one of these, with a message. A user's refusal is a value, not an error. */
export const signInResultSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('approved'), ...ended, token: tokenCardSchema }),
  /** The user denied access (`error=access_denied`). */
  z.object({ outcome: z.literal('denied'), ...ended }),
  /** The user closed the sign-in page, or `cancelSignIn` did. */
  z.object({ outcome: z.literal('closed'), ...ended }),
  z.object({ outcome: z.literal('timed_out'), ...ended }),
  /** The response does not belong to a pending sign-in: `state` is missing or different. Nothing in it was used. */
  z.object({ outcome: z.literal('wrong_state'), ...ended }),
  /** The sign-in page or the token endpoint returned an error. */
  z.object({
    outcome: z.literal('refused'),
    ...ended,
    /** The service's code; null if it sent none. */
    error: z.string().nullable(),
    description: z.string().nullable(),
    problem: appProblemSchema.nullable(),
  }),
  z.object({ outcome: z.literal('network'), ...ended, problem: appProblemSchema }),
  /** The service returned 5xx. */
  z.object({ outcome: z.literal('server'), ...ended, problem: appProblemSchema }),
  /** The response violates the interface or the RFC. */
  z.object({ outcome: z.literal('protocol'), ...ended, problem: appProblemSchema }),
  /** The sign-in page could not be shown. */
  z.object({ outcome: z.literal('no_dialog'), ...ended }),
]);
export type SignInResult = z.infer<typeof signInResultSchema>;

const ownerInput = z.object({ owner: tokenOwnerSchema });

export const session = {
  state: procedure.output(sessionStateSchema),
  /** Resolves when it has ended. One sign-in page per connection: opening another one ends the first (`closed`). */
  signIn: procedure.input(signInInputSchema).output(signInResultSchema),
  cancelSignIn: procedure.output(sessionStateSchema),
  /** Refreshes the token. Throws the token endpoint's error; the previous token stays except after INVALID_GRANT. */
  refresh: procedure.input(ownerInput).output(sessionStateSchema),
  deleteToken: procedure.input(ownerInput).output(sessionStateSchema),
  /** Sets whether the app's window keeps the user signed in for the connection's next sign-in; `false` clears it now. */
  saveBrowserSession: procedure.input(z.object({ isSaved: z.boolean() })).output(sessionStateSchema),
  /** Deletes the sign-in page's cookies, storage, and caches now; the setting stays. */
  clearBrowserSession: procedure.output(sessionStateSchema),
  /** Revokes the token (RFC 7009) at `endpoint` (on the service's hosts) or as its metadata says, and deletes it. UNAVAILABLE without either. */
  revoke: procedure.input(ownerInput.extend({ endpoint: z.string().max(2048).optional() })).output(sessionStateSchema),
  /** Returns the token itself, on explicit request. `claims`: pretty-printed JSON if it is a JWT (decoded, not verified). */
  reveal: procedure
    .input(ownerInput.extend({ what: z.enum(['access_token', 'refresh_token']) }))
    .output(z.object({ token: z.string(), jwt: z.object({ header: z.string(), claims: z.string() }).nullable() })),
};
