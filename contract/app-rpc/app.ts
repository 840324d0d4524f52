// The app itself: its state for the frame around the screens, and the stream of notices.
import { eventIterator } from '@orpc/contract';
import { z } from 'zod';
import { settingsSchema } from './settings.ts';
import { appProblemSchema } from './app-errors.ts';
import { damageReportSchema } from '@rainbell/shared';
import { doneSchema, timestampSchema, procedure } from './base.ts';
import { tokenCardSchema } from './session.ts';
import { updateStateSchema } from './updates.ts';

export const connectionStateSchema = z.object({
  name: z.string(),
  baseUrl: z.string().nullable(),
  state: z.enum(['starting', 'ready', 'failed']),
  problem: appProblemSchema.nullable(),
  isSandbox: z.boolean(),
});
export type ConnectionState = z.infer<typeof connectionStateSchema>;

/** `absent`: the service has no feed. `paused`: the receiver stores nothing now. `failed`: will be retried. */
export const feedStateSchema = z.object({
  state: z.enum(['off', 'starting', 'reading', 'paused', 'absent', 'failed']),
  /** Why it is `failed`; null otherwise. */
  problem: appProblemSchema.nullable(),
  /** Events may be lost: the service no longer has the last one read. */
  hasGap: z.boolean(),
});
export type FeedState = z.infer<typeof feedStateSchema>;

export const receiverStateSchema = z.object({
  state: z.enum(['starting', 'listening', 'failed']),
  /** Base URL, for example `http://127.0.0.1:4545`; `https` if TLS is on. */
  baseUrl: z.string().nullable(),
  /** Why it listens on another port than the configured one, or does not listen; null if all is well. */
  notice: z.string().nullable(),
});
export type ReceiverState = z.infer<typeof receiverStateSchema>;

/** The desktop integration: what the system supports, and which settings are not in effect. */
export const desktopStateSchema = z.object({
  platform: z.enum(['linux', 'mac', 'windows']),
  /** Only an installed app can be a login item. */
  canOpenAtLogin: z.boolean(),
  /** Why the login item is not as the settings say; null if it is. */
  loginItemProblem: z.string().nullable(),
});
export type DesktopState = z.infer<typeof desktopStateSchema>;

export const appStatusSchema = z.object({
  version: z.string(),
  /** Versions of the runtime, such as Node and SQLite, by name. */
  versions: z.record(z.string(), z.string()),
  host: z.enum(['electron', 'headless']),
  /** How secrets are stored, as a sentence for the user. */
  secretsProtection: z.string(),
  connection: connectionStateSchema,
  /** The one that reads the weather. */
  token: tokenCardSchema,
  receiver: receiverStateSchema,
  feed: feedStateSchema,
  /** Who can reach the receiver: only this machine unless `lan`, and by plain HTTP unless `tls`. */
  exposure: z.object({ tls: z.boolean(), lan: z.boolean() }),
  callbackCount: z.int(),
  newestCallbackId: z.int(),
  /** Messages about the start for the user, for example a settings file that was backed up. */
  notices: z.array(z.string()),
  /** Whether a newer version of the app exists. */
  update: updateStateSchema,
  /** Null in a browser host. */
  desktop: desktopStateSchema.nullable(),
  /** Damaged databases of the data folder that the user has not acknowledged; every screen shows them. */
  damage: z.array(damageReportSchema),
  /** Whether `restart` works: a program in a terminal is started again by its user. */
  canRestart: z.boolean(),
});
export type AppStatus = z.infer<typeof appStatusSchema>;

/** How the receiver can be reached. By default only from this computer and without TLS. */
export const receiverAccessSchema = z.object({
  port: z.int().nullable(),
  tls: z.boolean(),
  lan: z.boolean(),
  /** With `lan`: URLs for other computers, each with the token in its path; without it they get 404. */
  lanUrls: z.array(z.string()),
  /** With `tls`: the certificate authority that other computers must trust, as PEM, and its SHA-256 fingerprint. */
  authority: z.object({ pem: z.string(), fingerprint: z.string(), expiresAt: timestampSchema }).nullable(),
});
export type ReceiverAccess = z.infer<typeof receiverAccessSchema>;

/** Reports that something changed; except for settings, the screen then loads what it shows. Conflated: a slow screen gets the newest. */
export const noticeSchema = z.discriminatedUnion('topic', [
  z.object({ topic: z.literal('status') }),
  z.object({ topic: z.literal('callbacks'), newestId: z.int(), total: z.int() }),
  z.object({ topic: z.literal('monitors') }),
  z.object({ topic: z.literal('sandbox') }),
  z.object({ topic: z.literal('settings'), values: settingsSchema }),
  z.object({ topic: z.literal('connections') }),
  z.object({ topic: z.literal('session') }),
  z.object({ topic: z.literal('traffic'), newestId: z.int() }),
  /** Rows on screen may be outdated: deleted, restored, annotated, imported, or checked again. */
  z.object({ topic: z.literal('callback-changes'), version: z.int() }),
  /** More held requests need the user's response: `rules.held`. */
  z.object({ topic: z.literal('held-requests') }),
  /** The replay of many has progressed, or ended: `sends.replayRun`. */
  z.object({ topic: z.literal('replay') }),
  /** The handler that is being developed: `handler.state`. */
  z.object({ topic: z.literal('handler') }),
  /** The agents' proposed changes differ: `agents.consents`. */
  z.object({ topic: z.literal('consents') }),
  /** Callbacks were read, here or in another window. */
  z.object({ topic: z.literal('callbacks-read'), version: z.int() }),
  /** Responses to the newest callbacks have an outcome. At most four times a second. */
  z.object({ topic: z.literal('callback-outcomes'), version: z.int() }),
  /** The user selected a callback outside the screens, in a notification; `version` grows with each selection. */
  z.object({ topic: z.literal('show-callback'), id: z.int(), version: z.int() }),
  /** The same for a monitor. */
  z.object({ topic: z.literal('show-monitor'), id: z.string(), version: z.int() }),
  /** Notifications wait for a tab to show them: `notifications.take`. */
  z.object({ topic: z.literal('notifications'), newestId: z.int() }),
]);
export type Notice = z.infer<typeof noticeSchema>;

export const app = {
  status: procedure.output(appStatusSchema),
  /** Never ends. The first notices report the current state, so a reconnecting client misses nothing. */
  notices: procedure.output(eventIterator(noticeSchema)),
  /** Hides a report permanently. NOT_FOUND if it does not exist anymore, or waits for a restart. */
  acknowledgeDamage: procedure.input(z.object({ id: z.string().max(200) })).output(doneSchema),
  /** Quits the app cleanly and starts it again, for example to open the copy of a damaged database. UNAVAILABLE without `canRestart`. */
  restart: procedure.output(doneSchema),
  /** A URL of the screens that works once, for a second start of the app. UNAVAILABLE in the desktop app, which has none. */
  newAddress: procedure
    .input(
      z.object({
        /** The link's hash, such as `#/callbacks/21079`. */
        hash: z
          .string()
          .max(8192)
          .regex(/^#\/[!-~]*$/)
          .optional(),
      }),
    )
    .output(z.object({ url: z.string() })),
  /** Moves the receiver to another port and saves it; PORT_TAKEN names the next free one. */
  moveReceiver: procedure.input(z.object({ port: settingsSchema.shape.receiverPort.unwrap() })).output(doneSchema),
  receiverAccess: procedure.output(receiverAccessSchema),
  /** Turns TLS or LAN access on or off and saves the choice; the receiver restarts on its port. */
  changeReceiverAccess: procedure.input(z.object({ tls: z.boolean(), lan: z.boolean() })).output(receiverAccessSchema),
  /** The URL of a tunnel to the receiver; null for none. Saved only after a request to it has arrived here. */
  changePublicBase: procedure.input(z.object({ base: z.string().max(2048).nullable() })).output(doneSchema),
};
