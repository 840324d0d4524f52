// A thread whose functions are called by messages. Each call has a number, and its reply has the same one.
import type { MessagePort, Worker } from 'node:worker_threads';

type Functions = Readonly<Record<string, (...args: never[]) => unknown>>;

type Call = { call: number; name: string; args: readonly unknown[] };
type Reply = { kind: 'done'; call: number; result: unknown } | { kind: 'failed'; call: number; message: string };

type CalledThreadOptions<Report> = {
  create: () => Worker;
  /** Makes the error of a call that the thread could not do, or that it did not finish, and then without a message. */
  failed: (message?: string) => Error;
  /** Gets what the thread sends that replies to no call. */
  onReport?: (report: Report) => void;
  onEnd?: () => void;
};

/** `Served`: the functions that the thread passes to `serveCalls`. */
export function createCalledThread<Served extends Functions, Report extends { kind: string } = never>({
  create,
  failed,
  onReport,
  onEnd,
}: CalledThreadOptions<Report>) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let calls = 0;
  let worker: Worker | undefined;

  function hear(message: Reply | Report): void {
    if (!isReply(message)) return onReport?.(message);
    const call = waiting.get(message.call);
    waiting.delete(message.call);
    if (message.kind === 'done') call?.resolve(message.result);
    else call?.reject(failed(message.message));
  }

  return {
    /** Starts the thread unless it runs. */
    start(): Worker {
      if (worker) return worker;
      worker = create().on('message', hear);
      return worker.once('exit', () => {
        worker = undefined;
        for (const call of waiting.values()) call.reject(failed());
        waiting.clear();
        onEnd?.();
      });
    },
    async call<Name extends keyof Served>(
      name: Name & string,
      ...args: Parameters<Served[Name]>
    ): Promise<Awaited<ReturnType<Served[Name]>>> {
      if (!worker) throw failed();
      calls += 1;
      const answer = Promise.withResolvers<unknown>();
      waiting.set(calls, answer);
      worker.postMessage({ call: calls, name, args } satisfies Call);
      return (await answer.promise) as Awaited<ReturnType<Served[Name]>>;
    },
    async terminate(): Promise<void> {
      await worker?.terminate();
    },
  };
}

function isReply(message: { kind: string }): message is Reply {
  return message.kind === 'done' || message.kind === 'failed';
}

/** In the thread: calls its functions, and replies. */
export function serveCalls(port: MessagePort, served: object): void {
  const functions = served as Readonly<Record<string, (...args: readonly unknown[]) => unknown>>;

  async function answer({ call, name, args }: Call): Promise<Reply> {
    try {
      return { kind: 'done', call, result: await functions[name]?.(...args) };
    } catch (error) {
      return { kind: 'failed', call, message: error instanceof Error ? error.message : String(error) };
    }
  }

  port.on('message', (message: Call) => void answer(message).then((reply) => port.postMessage(reply)));
}
