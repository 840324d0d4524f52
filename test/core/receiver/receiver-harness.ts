// A receiver in its own thread over a real database file.
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '#shared/time/clock.ts';
import { receiverRulesSchema, type ReceiverRules } from '#contract/app-rpc/rules.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackPages, type CallbackPages } from '#core/receiver/records/callback-pages.ts';
import { receiverLimits, type ReceiverLimits } from '#core/receiver/access/receiver-limits.ts';
import { createReceiver, type Receiver } from '#core/receiver/server/receiver.ts';
import { quietLog, threadEntries } from '../core-harness.ts';
import { temporaryFolder } from '../temporary-folder.ts';

export type ReceiverHarness = {
  receiver: Receiver;
  pages: CallbackPages;
  baseUrl: string;
  port: number;
  folder: string;
  counts: { newestId: number; total: number }[];
  close: () => Promise<void>;
};

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
} = {}): Promise<ReceiverHarness> {
  const database = openAppDatabase({ file: join(folder, 'app.sqlite'), clock: systemClock });
  const counts: ReceiverHarness['counts'] = [];
  let onState = () => {};
  const started = new Promise<void>((resolve) => {
    onState = resolve;
  });
  const receiver = createReceiver({
    workerUrl: threadEntries.receiver,
    file: database.file,
    port,
    limits: () => ({ ...receiverLimits, ...limits }),
    rules: () => rules,
    clock: systemClock,
    log: quietLog,
    onState: () => onState(),
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
  await started;
  const actualPort = receiver.port() ?? 0;
  return {
    receiver,
    pages: createCallbackPages(database.db),
    baseUrl: `http://127.0.0.1:${actualPort}`,
    port: actualPort,
    folder,
    counts,
    close,
  };
}
