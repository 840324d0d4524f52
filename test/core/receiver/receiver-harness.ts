// A receiver in its own thread over a real database file.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { receiverRulesSchema, type ReceiverRules } from '#contract/app-rpc/rules.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { receiverLimits, type ReceiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { createReceiver } from '#core/receiver/server/receiver.ts';
import { quietLog, threadEntries } from '../core-harness.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export type ReceiverHarness = Awaited<ReturnType<typeof startReceiver>>;

/** Port 0 takes any free one. */
export async function startReceiver({
  limits = {},
  rules = receiverRulesSchema.parse({}),
  port = 0,
  folder = temporaryFolder(),
}: {
  limits?: Partial<ReceiverLimits>;
  rules?: ReceiverRules;
  port?: number;
  folder?: string;
} = {}) {
  const database = openAppDatabase({ file: join(folder, 'app.sqlite'), clock: systemClock });
  const counts: { newestId: number; total: number }[] = [];
  const receiver = createReceiver({
    workerUrl: threadEntries.receiver,
    file: database.file,
    port,
    limits: () => ({ ...receiverLimits, ...limits }),
    rules: () => rules,
    clock: systemClock,
    log: quietLog,
    onState: () => {},
    onChanged: (changed) => void counts.push(changed),
  });
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    await receiver.close();
    database.close();
  };
  onTestFinished(close);
  await receiver.started();
  const actualPort = receiver.port() ?? 0;
  return {
    receiver,
    db: database.db,
    pages: createCallbackPages(database.db),
    baseUrl: `http://127.0.0.1:${actualPort}`,
    port: actualPort,
    folder,
    counts,
    close,
  };
}
