// What the sign-in window may remember (docs/tokens.md T6), as core decides it.
import { describe, expect, test } from 'vitest';
import type { DialogRequest, Host } from '#core/ports/host.ts';
import { startFakeService } from '#test/core/fake-service.ts';
import { fieldsFor, startAccess, useOwn as connectOwn } from './access-harness.ts';

/** A host with a window that only records its requests. */
function notingHost() {
  const asked: DialogRequest[] = [];
  const forgotten: string[] = [];
  const person: Partial<Host> = {
    async openDialog(request) {
      asked.push(request);
      return { kind: 'closed' };
    },
    clearBrowserSession: async (id) => void forgotten.push(id),
  };
  return { asked, forgotten, person };
}

describe('the browser session (docs/tokens.md T6)', () => {
  test('is kept by choice, per connection, and the choice is there after a restart', async () => {
    const service = await startFakeService();
    const { asked, person, forgotten } = notingHost();
    const harness = await startAccess({ sandbox: service.introduction, person });
    const { client, host } = harness;
    expect((await client.session.state()).browserSession).toEqual({ isSaved: false });
    await client.session.saveBrowserSession({ isSaved: true });
    await client.session.signIn({ way: 'authorization_code' });
    await client.session.signIn({ way: 'authorization_code', fresh: true });
    const fields = fieldsFor(service.introduction, { proxyUrl: 'http://127.0.0.1:9' });
    const id = await connectOwn(harness, fields, 'hush hush');
    await client.session.signIn({ way: 'implicit' });
    // docs/tokens.md T18
    expect(asked.at(-1)?.transport).toEqual({ caPem: null, proxyUrl: 'http://127.0.0.1:9' });
    expect(asked.map(({ browserSession }) => browserSession)).toEqual([
      { connectionId: 'sandbox', isSaved: true, isFresh: false },
      { connectionId: 'sandbox', isSaved: true, isFresh: true },
      { connectionId: id, isSaved: false, isFresh: false },
    ]);
    expect(host.written.at(-1)).toMatchObject({ keptBrowserSessions: ['sandbox'] });
    expect(forgotten).toEqual([]);
  });

  test('is deleted on request, when it is no longer to be kept, and with its connection', async () => {
    const service = await startFakeService();
    const { person, forgotten } = notingHost();
    const harness = await startAccess({ sandbox: service.introduction, person });
    const { client, host } = harness;
    await client.session.saveBrowserSession({ isSaved: true });
    expect((await client.session.clearBrowserSession()).browserSession).toEqual({ isSaved: true });
    expect((await client.session.saveBrowserSession({ isSaved: false })).browserSession).toEqual({ isSaved: false });
    expect(forgotten).toEqual(['sandbox', 'sandbox']);
    const id = await connectOwn(harness, fieldsFor(service.introduction), 'hush hush');
    await client.session.saveBrowserSession({ isSaved: true });
    await client.connections.delete({ id });
    expect(forgotten.at(-1)).toBe(id);
    expect(host.written.at(-1)).toMatchObject({ keptBrowserSessions: [] });
  });
});
