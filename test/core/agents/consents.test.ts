// Changes that agents propose: refused after a time, canceled, and bounded in number. test/command-line/mcp.test.ts has decisions.
import { expect, it } from 'vitest';
import { consentMs, createConsents } from '#core/agents/consents.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const request = { agent: 'a', title: 'Delete a monitor', facts: [] as [string, string][] };

function start() {
  const clock = createManualClock();
  return { clock, consents: createConsents({ clock, onChanged: () => {} }) };
}

it('is refused when the time is over, or the agent cancels', async () => {
  const { consents, clock } = start();
  const canceling = new AbortController();
  const late = consents.request(request, new AbortController().signal);
  const canceled = consents.request(request, canceling.signal);
  canceling.abort();
  await expect(canceled).rejects.toThrow('The agent canceled its request.');
  expect(consents.pending()).toHaveLength(1);
  clock.advance(consentMs);
  await expect(late).rejects.toThrow('No one allowed this change in Rainbell within 45 s');
  expect(consents.pending()).toEqual([]);
});

it('lets at most 5 wait', async () => {
  const { consents } = start();
  const leaving = new AbortController();
  const waiting = Array.from({ length: 5 }, () => consents.request(request, leaving.signal).catch(() => {}));
  await expect(consents.request(request, leaving.signal)).rejects.toThrow('5 changes are already waiting');
  leaving.abort();
  await Promise.all(waiting);
});
