// What the receiver's thread runs, in the thread of the test, over a real database and real HTTP.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Endpoint } from '#contract/app-rpc/callbacks.ts';
import { receiverRulesSchema } from '#contract/app-rpc/rules.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { closedAccess, receiverLimits, type ReceiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { createCallbackWriter } from '#core/receiver/records/callback-writer.ts';
import type { ReceivedCallback } from '#core/receiver/requests/received-callback.ts';
import { type ReceiverReport, type RunningReceiver, runReceiver } from '#core/receiver/server/run-receiver.ts';
import { createManualClock } from '#test/core/manual-clock.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';

type RunOptions = {
  limits?: Partial<ReceiverLimits>;
  rules?: object;
  endpoints?: readonly Endpoint[];
  /** Stored before it starts. */
  rows?: readonly ReceivedCallback[];
};

export async function startRunning({ limits = {}, rules = {}, rows = [], ...options }: RunOptions = {}) {
  const clock = createManualClock(Date.parse('2026-11-21T12:00:00Z'));
  const database = openAppDatabase({ file: join(temporaryFolder(), 'app.sqlite'), clock });
  createCallbackWriter(database.db).append(rows);
  const posted: ReceiverReport[] = [];
  const receiver = runReceiver({
    file: database.file,
    limits: { ...receiverLimits, ...limits },
    rules: receiverRulesSchema.parse(rules),
    ...options,
    clock,
    post: (message) => void posted.push(message),
    random: () => 0.5,
  });
  /** As from another thread: what throws, rejects. */
  const call = async <Name extends keyof RunningReceiver>(name: Name, ...args: Parameters<RunningReceiver[Name]>) =>
    (receiver[name] as (...given: typeof args) => ReturnType<RunningReceiver[Name]>)(...args);
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await call('close');
  };
  onTestFinished(async () => {
    await close();
    database.close();
  });
  const port = await call('listen', 0, closedAccess);
  const url = (path = '/', of = port) => `http://127.0.0.1:${of}${path}`;
  const post = (path = '/', body = 'x', of = port) => fetch(url(path, of), { method: 'POST', body });
  return {
    call,
    clock,
    close,
    db: database.db,
    file: database.file,
    pages: createCallbackPages(database.db),
    port,
    post,
    url,
    /** Returns what was reported of a kind after the last look at it. */
    reported(kind: ReceiverReport['kind']) {
      const found = posted.filter((message) => message.kind === kind);
      posted.splice(0, Infinity, ...posted.filter((message) => message.kind !== kind));
      return found;
    },
  };
}
