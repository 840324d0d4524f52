// An honest client at a steady pace, each request on a connection of its own, as a newcomer would make it. What it saw is
// what the attack is judged by. It has a thread of its own, or it would measure how busy the attacker is.
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { runInThread, startThread } from './thread.ts';

export type HonestRequest = { url: string; method: 'GET' | 'POST'; headers: Record<string, string>; body?: string };
export type Experience = { latenciesMs: number[]; failures: string[] };

type HonestTask = { asked: HonestRequest; everyMs: number };

const patienceMs = 5_000;

/** Asks every `everyMs`; `stop` resolves with what it saw, once its last request is answered. */
export const startHonestClient = (task: HonestTask) => startThread<Experience>(import.meta.url, task);

async function sendRequests({ asked, everyMs }: HonestTask, stopped: AbortSignal): Promise<Experience> {
  const experience: Experience = { latenciesMs: [], failures: [] };
  const under = new Set<Promise<void>>();
  while (!stopped.aborted) {
    const one = sendOnce(asked).then(
      (latencyMs) => void experience.latenciesMs.push(latencyMs),
      (error: unknown) => void experience.failures.push(error instanceof Error ? error.message : String(error)),
    );
    under.add(one);
    void one.finally(() => under.delete(one));
    await pause(everyMs, undefined, { signal: stopped }).catch(() => {});
  }
  await Promise.all(under);
  return experience;
}

/** Milliseconds until the whole response arrived. Rejects unless it is a 2xx. */
function sendOnce({ url, method, headers, body }: HonestRequest): Promise<number> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const asking = request(url, { method, headers, agent: false, timeout: patienceMs }, (answer) => {
      answer.resume();
      answer.once('error', reject);
      answer.once('end', () => {
        const status = answer.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(performance.now() - startedAt);
        else reject(new Error(`answered ${status}`));
      });
    });
    asking.once('timeout', () => asking.destroy(new Error(`no answer within ${patienceMs} ms`)));
    asking.once('error', reject);
    asking.end(body);
  });
}

await runInThread(sendRequests);
