// Both hosts keep the embedded service running by the same rules, shown here with a process that only pretends.
import { describe, expect, it } from 'vitest';
import type { ServiceIntroduction } from '#contract/service-api/sandbox.ts';
import { type ServiceRunEvents, superviseService } from '#core/hosting/service-supervisor.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const introduction: ServiceIntroduction = {
  baseUrl: 'http://127.0.0.1:8420',
  authUrl: 'http://127.0.0.1:8420',
  clientId: 'id',
  clientSecret: 'secret',
  redirectUri: 'http://127.0.0.1:9/cb',
  username: 'user',
  password: 'password',
};

function supervise() {
  const clock = createManualClock();
  const runs: ServiceRunEvents[] = [];
  const asked: string[] = [];
  const reported: string[] = [];
  const supervisor = superviseService({
    clock,
    start(events) {
      runs.push(events);
      return { requestClose: () => void asked.push('close'), end: () => void asked.push('end') };
    },
    onReady: ({ baseUrl }) => void reported.push(`ready ${baseUrl}`),
    onFailed: ({ message }) => void reported.push(message),
  });
  const crash = () => runs.at(-1)?.onExit();
  return { clock, runs, asked, reported, supervisor, crash };
}

describe('the supervisor of the service', () => {
  it('restarts it after a crash, with growing pauses, and says when', () => {
    const { clock, runs, reported, crash } = supervise();
    crash();
    expect(reported.at(-1)).toContain('Restarting it in 1 s');
    clock.advance(999);
    expect(runs).toHaveLength(1);
    clock.advance(1);
    expect(runs).toHaveLength(2);
    crash();
    clock.advance(5000);
    crash();
    expect(reported.at(-1)).toContain('Restarting it in 30 s');
    clock.advance(30_000);
    expect(runs).toHaveLength(4);
  });

  it('gives up when it stops again and again, and says what to do', () => {
    const { clock, runs, reported, crash } = supervise();
    for (const pauseMs of [1000, 5000, 30_000]) {
      crash();
      clock.advance(pauseMs);
    }
    crash();
    clock.advance(3_600_000);
    expect(runs).toHaveLength(4);
    expect(reported.at(-1)).toContain('Start Rainbell again');
  });

  it('forgives the crashes before when it ran for a minute', () => {
    const { clock, runs, reported, crash } = supervise();
    crash();
    clock.advance(1000);
    crash();
    clock.advance(5000);
    runs.at(-1)?.onMessage({ kind: 'ready', introduction });
    clock.advance(60_000);
    crash();
    expect(reported.at(-1)).toContain('Restarting it in 1 s');
  });

  it('passes on why it could not start', () => {
    const { runs, reported } = supervise();
    runs[0]?.onMessage({ kind: 'failed', message: 'The folder is full.' });
    expect(reported).toEqual(['The weather service on this computer could not start: The folder is full.']);
  });

  it('asks it to end, waits, and ends it by force when it does not', async () => {
    const { clock, runs, asked, supervisor, crash } = supervise();
    const closing = supervisor.close();
    expect(asked).toEqual(['close']);
    clock.advance(5000);
    expect(asked).toEqual(['close', 'end']);
    crash();
    await closing;
    clock.advance(60_000);
    expect(runs).toHaveLength(1);
  });

  it('does not wait for a service that is between two starts', async () => {
    const { clock, runs, supervisor, crash } = supervise();
    crash();
    await supervisor.close();
    clock.advance(60_000);
    expect(runs).toHaveLength(1);
  });
});
