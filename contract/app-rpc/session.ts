// Tokens and sign-in of the selected connection (docs/interface.md §3.1, §5). The application's token and the user's
// stand side by side; core picks the right one per call. No secret is in any answer, except in that of `reveal`.
import { z } from 'zod';
import { appProblemSchema } from './app-errors.ts';
import { grantKinds } from '#contract/service-api/oauth.ts';
import { headerListSchema, timestampSchema, procedure } from './base.ts';

export const tokenOwners = ['application', 'user'] as const;
export const tokenOwnerSchema = z.enum(tokenOwners);
export type TokenOwner = z.infer<typeof tokenOwnerSchema>;

/** What a token answer did otherwise than the RFC says, and was tolerated. */
export const deviationSchema = z.object({
  /** For instance `RFC 6749 §5.1`. */
  section: z.string(),
  message: z.string(),
});
export type Deviation = z.infer<typeof deviationSchema>;

export const tokenCardSchema = z.object({
  owner: tokenOwnerSchema,
  /** `expired`: cannot be refreshed, sign in again. `valid` holds for the time of the response; it ends at `expiresAt`. `fetching` may hold the facts of the token before. */
  state: z.enum(['none', 'fetching', 'valid', 'expired', 'failed']),
  grant: z.enum(grantKinds).nullable(),
  /** As granted; null where the service did not say. */
  scope: z.string().nullable(),
  obtainedAt: timestampSchema.nullable(),
  /** Null where there is no token, or the service did not say. */
  expiresAt: timestampSchema.nullable(),
  /** Whether it can be had anew without the person. */
  refreshable: z.boolean(),
  lastProblem: appProblemSchema.nullable(),
  deviations: z.array(deviationSchema),
});
export type TokenCard = z.infer<typeof tokenCardSchema>;

export const signInWays = ['authorization_code', 'implicit', 'client_credentials', 'password'] as const;
export type SignInWay = (typeof signInWays)[number];

export const sessionStateSchema = z.object({
  connectionId: z.string(),
  connectionName: z.string(),
  application: tokenCardSchema,
  user: tokenCardSchema,
  /** Whose token reads the weather. Only this one is refreshed before it expires. */
  tokenInUse: tokenOwnerSchema,
  /** Each way, and why it cannot be taken here; null where it can. */
  ways: z.array(z.object({ way: z.enum(signInWays), hindrance: z.string().nullable() })),
  /** Where the dialog can open: a window of the app (Electron), the person's browser. */
  windows: z.array(z.enum(['app', 'browser'])),
  /** What the app's own window remembers at the service; null where there is no such window. */
  browserSession: z.object({ isKept: z.boolean() }).nullable(),
  /** The dialog that is open, with its address where the person may have to open it by hand (browser window only). */
  open: z.object({ flowId: z.string(), way: z.enum(signInWays), address: z.string().nullable() }).nullable(),
});
export type SessionState = z.infer<typeof sessionStateSchema>;

const dialog = {
  /** Space-separated; absent asks for the connection's. */
  scope: z.string().max(1000).optional(),
  window: z.enum(['app', 'browser']).optional(),
  /** Somebody else: the app's window starts without cookies and storage. (The person's browser keeps its own.) */
  fresh: z.boolean().optional(),
};

export const signInInputSchema = z.discriminatedUnion('way', [
  z.object({ way: z.literal('authorization_code'), ...dialog, pkce: z.boolean().default(true) }),
  z.object({ way: z.literal('implicit'), ...dialog }),
  z.object({ way: z.literal('client_credentials') }),
  /** The password goes into one request and nowhere else (docs/interface.md §4.2). */
  z.object({
    way: z.literal('password'),
    username: z.string().min(1).max(500),
    password: z.string().min(1).max(1000),
    scope: z.string().max(1000).optional(),
  }),
]);
export type SignInInput = z.input<typeof signInInputSchema>;

const ended = { flowId: z.string(), message: z.string() };

/** How a sign-in ended: exactly one of these, each with a sentence. A person's "no" is a value, no error. */
export const signInResultSchema = z.discriminatedUnion('outcome', [
  z.object({ outcome: z.literal('approved'), ...ended, token: tokenCardSchema }),
  /** The person answered no in the dialog (`error=access_denied`). */
  z.object({ outcome: z.literal('denied'), ...ended }),
  /** The person closed the dialog, or `cancelSignIn` did. */
  z.object({ outcome: z.literal('closed'), ...ended }),
  z.object({ outcome: z.literal('timed_out'), ...ended }),
  /** The answer belongs to no attempt of ours: `state` is missing or another one. Nothing of it was used. */
  z.object({ outcome: z.literal('wrong_state'), ...ended }),
  /** The dialog or the token endpoint refused, in its own words. */
  z.object({
    outcome: z.literal('refused'),
    ...ended,
    error: z.string(),
    description: z.string().nullable(),
    problem: appProblemSchema.nullable(),
  }),
  z.object({ outcome: z.literal('network'), ...ended, problem: appProblemSchema }),
  /** The service answered 5xx. */
  z.object({ outcome: z.literal('server'), ...ended, problem: appProblemSchema }),
  /** The answer is not what the interface or the RFC allows. */
  z.object({ outcome: z.literal('protocol'), ...ended, problem: appProblemSchema }),
  /** The dialog could not be shown. */
  z.object({ outcome: z.literal('no_dialog'), ...ended }),
]);
export type SignInResult = z.infer<typeof signInResultSchema>;

/** One step of a flow. Secrets in `url` and `fields` are masked before they are kept. */
export const flowStepSchema = z.object({
  at: timestampSchema,
  kind: z.enum(['dialog', 'redirect', 'request', 'answer', 'end']),
  /** What happened, in words. */
  title: z.string(),
  method: z.string().nullable(),
  url: z.string().nullable(),
  status: z.number().int().nullable(),
  tookMs: z.number().nullable(),
  /** The request in the traffic log. */
  exchangeId: z.number().int().nullable(),
  /** Parameters of the address or members of the body, in order. */
  fields: headerListSchema,
  deviations: z.array(deviationSchema),
});
export type FlowStep = z.infer<typeof flowStepSchema>;

/** A sign-in, refresh or revocation from its begin to its end; the last 50 of all connections, in memory. */
export const flowSchema = z.object({
  id: z.string(),
  connectionId: z.string(),
  connectionName: z.string(),
  way: z.enum([...signInWays, 'refresh', 'revoke']),
  startedAt: timestampSchema,
  endedAt: timestampSchema.nullable(),
  /** As `signInResultSchema`'s; for refresh and revoke `approved` or what failed. Null while it runs. */
  outcome: z.string().nullable(),
  message: z.string().nullable(),
  steps: z.array(flowStepSchema),
});
export type Flow = z.infer<typeof flowSchema>;

export const spoilKinds = ['expire', 'break_refresh', 'slow', 'wrong_clock'] as const;
export type SpoilKind = (typeof spoilKinds)[number];

const ownerInput = z.object({ owner: tokenOwnerSchema });

export const session = {
  state: procedure.output(sessionStateSchema),
  /** Resolves when it ended. One dialog per connection: while one is open, another sign-in by dialog ends the first (`closed`). */
  signIn: procedure.input(signInInputSchema).output(signInResultSchema),
  cancelSignIn: procedure.output(sessionStateSchema),
  /**
   * "Refresh now". Throws what the token endpoint answered; the token before stays unless it is INVALID_GRANT. `scope`
   * narrows this token and those after it (RFC 6749 §6); an empty one asks for all that was granted again.
   */
  refresh: procedure.input(ownerInput.extend({ scope: z.string().max(1000).optional() })).output(sessionStateSchema),
  forget: procedure.input(ownerInput).output(sessionStateSchema),
  /** Whether the connection's next sign-in in the app's window finds the person signed in; `false` forgets at once. */
  keepBrowserSession: procedure.input(z.object({ keep: z.boolean() })).output(sessionStateSchema),
  /** Cookies, storage and caches of the dialog, now; the choice stays. */
  forgetBrowserSession: procedure.output(sessionStateSchema),
  /**
   * Revokes the token (RFC 7009) at `endpoint`, or where the service announces it, then deletes it here. `revoked: false`: it
   * announces nothing, so nothing happened, and `endpoint` is needed.
   */
  revoke: procedure
    .input(ownerInput.extend({ endpoint: z.string().max(2048).optional() }))
    .output(z.object({ revoked: z.boolean(), message: z.string(), session: sessionStateSchema })),
  /** The token itself, on explicit request. `claims`: pretty-printed JSON where it is a JWT, read here and not verified. */
  reveal: procedure
    .input(ownerInput.extend({ what: z.enum(['access_token', 'refresh_token']) }))
    .output(z.object({ token: z.string(), jwt: z.object({ header: z.string(), claims: z.string() }).nullable() })),
  /**
   * For trying things out, on the sandbox alone (UNAVAILABLE elsewhere): the app holds the token for expired; holds a
   * refresh token that the service does not know; waits some seconds before it sends the next token request; holds a token
   * from tomorrow, as after the machine's clock was set back.
   */
  spoil: procedure.input(ownerInput.extend({ how: z.enum(spoilKinds) })).output(sessionStateSchema),
  /** Newest first. */
  flows: procedure.output(z.array(flowSchema)),
};
