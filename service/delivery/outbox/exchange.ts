// One POST through undici's `dispatch`, without the streams and signals of `request`: reads no more of the response than needed and
// limits the total time, including a slow body (docs/delivery.md S4, S5).
import type { Dispatcher } from 'undici';
import { retryAfterSeconds } from '@rainbell/contract/service-api';

export type DeliveryResponse = {
  status: number;
  /** The first 2 KB. */
  text: string;
  retryAfterSeconds: number | undefined;
};

type Post = { dispatcher: Dispatcher; url: URL; headers: Record<string, string>; body: string; timeoutMs: number };

const responseLimitBytes = 64 * 1024;
const maxStoredBytes = 2 * 1024;

/** Fails with a TimeoutError after `timeoutMs`, and with undici's or the system's error if there was no response. */
export function sendPost({ dispatcher, url, headers, body, timeoutMs }: Post): Promise<DeliveryResponse> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail(timedOut()), timeoutMs);
    let running: Dispatcher.DispatchController | undefined;
    let isOver = false;
    let status = 0;
    let waitSeconds: number | undefined;
    const stored: Buffer[] = [];
    let storedBytes = 0;
    let readBytes = 0;

    /** Returns true for the first outcome only. */
    function isFirst(): boolean {
      if (isOver) return false;
      isOver = true;
      clearTimeout(timer);
      return true;
    }

    function succeed(): void {
      if (isFirst()) resolve({ status, text: textOf(stored), retryAfterSeconds: waitSeconds });
    }

    /** Whatever still runs is cut off. */
    function fail(error: Error): void {
      if (!isFirst()) return;
      // A 2xx counts once its head arrives: the receiver has the event, even if the body fails.
      if (status >= 200 && status < 300) resolve({ status, text: textOf(stored), retryAfterSeconds: waitSeconds });
      else reject(error);
      running?.abort(error);
    }

    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(controller) {
        running = controller;
        // It timed out while waiting for a connection: send nothing anymore.
        if (isOver) controller.abort(timedOut());
      },
      onResponseStart(_controller, code, responseHeaders) {
        // The final response comes last, and replaces interim ones (1xx).
        status = code;
        const header = (name: string) => [responseHeaders[name]].flat()[0];
        waitSeconds = retryAfterSeconds(header('retry-after'), header('date'));
      },
      onResponseData(_controller, chunk) {
        readBytes += chunk.length;
        if (storedBytes < maxStoredBytes) {
          // A copy, because undici reuses the chunk's memory.
          const part = Buffer.from(chunk.subarray(0, maxStoredBytes - storedBytes));
          stored.push(part);
          storedBytes += part.length;
        }
        if (readBytes <= responseLimitBytes) return;
        succeed();
        running?.abort(new Error('The response is too long.'));
      },
      onResponseEnd() {
        running = undefined;
        succeed();
      },
      onResponseError(_controller, error) {
        running = undefined;
        fail(error);
      },
    };
    dispatcher.dispatch(
      { origin: url.origin, path: url.pathname + url.search, method: 'POST', headers, body },
      handler,
    );
  });
}

function timedOut(): Error {
  return Object.assign(new Error('The callback timed out.'), { name: 'TimeoutError' });
}

function textOf(stored: readonly Buffer[]): string {
  if (stored.length === 0) return '';
  // PostgreSQL text cannot hold NUL.
  return Buffer.concat(stored).toString('utf8').replaceAll('\0', '\uFFFD');
}
