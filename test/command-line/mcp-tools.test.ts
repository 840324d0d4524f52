// The tools of `rainbell mcp` beside a client that waits, in this process.
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createAgentServer } from '#command-line/agent/agent-server.ts';
import { createManualClock } from '#test/core/manual-clock.ts';

const unused = () => Promise.reject(new Error('Not part of this test.'));

it('reports every 10 s that it still waits, until it ends', async () => {
  const clock = createManualClock();
  const waiting = Promise.withResolvers<undefined>();
  const wait = vi.fn<() => Promise<undefined>>(() => waiting.promise);
  const server = createAgentServer({
    version: '1.0.0',
    reach: { stored: unused, service: unused, propose: unused, wait },
    clock,
  });
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test-agent', version: '1.0.0' });
  await Promise.all([server.connect(far), client.connect(near)]);
  onTestFinished(() => client.close());
  const seconds: number[] = [];
  const call = client.callTool(
    { name: 'wait_for_callback', arguments: { timeoutSeconds: 600 } },
    { onprogress: ({ progress }) => void seconds.push(progress) },
  );
  await expect.poll(() => wait.mock.calls).toHaveLength(1);
  for (let count = 0; count < 3; count += 1) clock.advance(10_000);
  await expect.poll(() => seconds).toEqual([10, 20, 30]);
  waiting.resolve(undefined);
  expect((await call).content).toMatchObject([{ text: expect.stringContaining('No callback arrived') }]);
  clock.advance(60_000);
  await client.listTools();
  expect(seconds).toHaveLength(3);
});
