// The measure of the endpoint check: handlers in three languages, right ones and ones with a mistake per case, in processes of
// their own.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkCaseIds } from '#contract/app-rpc/check-cases.ts';
import type { CheckedCase } from '#contract/app-rpc/endpoint-check.ts';
import { createSendGuard } from '#core/callbacks/send-guard.ts';
import { createCheckSender } from '#core/endpoint-check/check-sender.ts';
import { diagnoseHandler } from '#core/endpoint-check/diagnose-handler.ts';
import { createEndpointCheck } from '#core/endpoint-check/endpoint-check.ts';
import { plainTransport } from '#core/http/transport.ts';
import { standardWebhooks } from '#core/senders/sender-rows.ts';
import { systemClock } from '#shared/time/clock.ts';
import { hasRuby } from './ruby.ts';

const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const handlers = fileURLToPath(new URL('handlers', import.meta.url));

/**
 * How long handlers with the mistake “slow” wait for a body. Even a busy machine sends any other body faster. Each of the six pieces of the
 * slow body takes twice as long, and the handler responds before the first one arrives.
 */
const shortLimitSeconds = 5;
const longBodyMs = 6 * 2 * shortLimitSeconds * 1000;

function openSender(slowBodyMs: number) {
  return createCheckSender({
    clock: systemClock,
    guard: createSendGuard({ adminPorts: () => [] }),
    authority: () => undefined,
    transport: () => plainTransport,
    // None of the handlers leaves a request unanswered: this is only for hangs.
    timing: { responseMs: 250_000, slowBodyMs, continueMs: 500, brokenOffMs: 1000 },
  });
}

async function checkAll(url: string, slowBodyMs = 60): Promise<CheckedCase[]> {
  const sender = openSender(slowBodyMs);
  const endpointCheck = createEndpointCheck({ sender, clock: systemClock });
  const cases: CheckedCase[] = [];
  for (const id of checkCaseIds) {
    // As the command runs them.
    // oxlint-disable-next-line no-await-in-loop
    cases.push(await endpointCheck.runCase({ url, case: id, secret, monitorId: null }));
  }
  return cases;
}

const languages = [
  { name: 'TypeScript', command: [process.execPath, `${handlers}/handler.ts`], canRun: true },
  { name: 'Python', command: ['/usr/bin/python3', `${handlers}/handler.py`], canRun: true },
  { name: 'Ruby', command: ['ruby', `${handlers}/handler.rb`], canRun: hasRuby() },
];

describe.each(languages)('a handler in $name', ({ command: [program = '', ...args], canRun }) => {
  let child: ChildProcess;
  let base = '';

  beforeAll(async () => {
    if (!canRun) return;
    child = spawn(program, args, {
      env: { ...process.env, WEBHOOK_SECRET: secret, SHORT_LIMIT_SECONDS: String(shortLimitSeconds) },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (!child.stdout) throw new Error('The handler has no output.');
    const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    base = `http://127.0.0.1:${port}`;
  });
  afterAll(async () => {
    if (!canRun) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });

  it.runIf(canRun)('passes every case if it is right', async () => {
    const cases = await checkAll(`${base}/right`);
    expect(cases.flatMap(({ findings }) => findings).filter(({ result }) => result === 'failed')).toEqual([]);
    expect(cases.map(({ result }) => result)).toEqual(checkCaseIds.map(() => 'passed'));
    const { problems } = await diagnoseHandler({
      send: openSender(60).send,
      url: `${base}/right`,
      profile: standardWebhooks,
      secret,
      monitorId: null,
      responseMs: 250_000,
      clock: systemClock,
    });
    expect(problems).toEqual([]);
  });

  it.runIf(canRun).concurrent.each(checkCaseIds)('fails exactly one case with the mistake “%s”', async (fault) => {
    const cases = await checkAll(`${base}/${fault}`, fault === 'slow' ? longBodyMs : undefined);
    expect(cases.filter(({ result }) => result === 'failed')).toEqual([expect.objectContaining({ case: fault })]);
  });
});
