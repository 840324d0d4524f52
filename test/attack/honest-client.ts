// An honest client at a steady pace, each request on a connection of its own, as a newcomer would make it. What it saw is
// what the attack is judged by.
import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

export type HonestRequest = { url: string; method: 'GET' | 'POST'; headers: Record<string, string>; body?: string };
export type Experience = { latenciesMs: number[]; failures: string[] };

const patienceMs = 5_000;

/** Asks every `everyMs` until `stopped`; each answer must have the status that the first one had. */
export async function askAllTheWhile(asked: HonestRequest, everyMs: number, stopped: AbortSignal): Promise<Experience> {
  const experience: Experience = { latenciesMs: [], failures: [] };
  const under = new Set<Promise<void>>();
  while (!stopped.aborted) {
    const one = askOnce(asked).then(
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

/** Milliseconds until the whole answer was there. Rejects unless it is a 2xx. */
export function askOnce({ url, method, headers, body }: HonestRequest): Promise<number> {
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
