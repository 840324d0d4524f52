// Dialogs that are open just now, in the database: what was asked, bound to the browser session that asked. Forms carry
// only a random id, which counts once.
import type { Kysely, Selectable } from 'kysely';
import type { Clock } from '#contract/clock.ts';
import type { SessionTables } from '../accounts/session-tables.ts';
import type { Tables } from '../database/tables.ts';
import type { DialogRequest } from './dialog-request.ts';
import { hashOf, newSecret } from './random-text.ts';

const lifetimeMs = 30 * 60_000;

export type Dialog = Selectable<SessionTables['dialogs']>;

export type DialogStore = {
  /** Returns the id for the form. */
  open(sessionId: string, request: DialogRequest): Promise<string>;
  /** Undefined where it is over, unknown, or of another browser. */
  find(id: string, sessionId: string): Promise<Dialog | undefined>;
  /** Takes the dialog along when the session id changes at sign-in. */
  move(id: string, fromSessionId: string, toSessionId: string): Promise<void>;
  /** Ends it; true for exactly one of any number of calls. */
  finish(dialog: Dialog): Promise<boolean>;
};

export function createDialogStore({ db, clock }: { db: Kysely<Tables>; clock: Clock }): DialogStore {
  return {
    async open(sessionId, { application, scope, codeChallenge, redirectUri, responseType, rawState }) {
      await db.deleteFrom('dialogs').where('expires_at', '<=', clock.now()).execute();
      const id = newSecret();
      const row: Dialog = {
        hash: hashOf(id),
        session_hash: hashOf(sessionId),
        application_id: application.id,
        client_id: application.client_id,
        response_type: responseType,
        redirect_uri: redirectUri,
        scope: scope.join(' '),
        raw_state: rawState,
        code_challenge: codeChallenge,
        expires_at: clock.now() + lifetimeMs,
      };
      await db.insertInto('dialogs').values(row).execute();
      return id;
    },
    find: (id, sessionId) =>
      db
        .selectFrom('dialogs')
        .selectAll()
        .where('hash', '=', hashOf(id))
        .where('session_hash', '=', hashOf(sessionId))
        .where('expires_at', '>', clock.now())
        .executeTakeFirst(),
    async move(id, fromSessionId, toSessionId) {
      await db
        .updateTable('dialogs')
        .set({ session_hash: hashOf(toSessionId) })
        .where('hash', '=', hashOf(id))
        .where('session_hash', '=', hashOf(fromSessionId))
        .execute();
    },
    async finish({ hash }) {
      const change = await db.deleteFrom('dialogs').where('hash', '=', hash).executeTakeFirst();
      return change.numDeletedRows === 1n;
    },
  };
}
