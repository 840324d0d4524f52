// What the procedures return is not checked in the app (core/app/rpc-serving.ts): here, those that few other tests call, beside the real
// service. The client fails for each undeclared member; and no secret is in any output, except where the contract says so.
import { expect, it } from 'vitest';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { monitorBody, startTarget, startWithReceiver } from '../callbacks/callback-harness.ts';
import { withDeclaredOutputs } from '../declared-outputs.ts';
import { fieldsFor, startRealService } from '#test/core/session/access-harness.ts';

const place = { lat: 45.07, lng: 7.69 };
const typedSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const everything = { query: '' };

async function settingsNotice(client: AppClient) {
  for await (const notice of await client.app.notices()) if (notice.topic === 'settings') return notice;
  return undefined;
}

it('procedures return what they declare, and no secret', async () => {
  const [introduction, target] = [await startRealService(), await startTarget()];
  const { core, client, statusWhere, host, post } = await startWithReceiver();
  core.connectSandbox(introduction);
  await statusWhere(({ token }) => token.state === 'valid');
  const { id } = await client.monitors.create({ geo: place, callback: { kind: 'this-app' } });
  await client.callbacks.setWebhookSecret({ secret: typedSecret });
  for (let count = 0; count < 2; count += 1) await post('/hooks', JSON.stringify(monitorBody(id)));
  await client.forecast.get(place);
  const fields = fieldsFor(introduction, { name: 'Team' });
  const created = await client.connections.create({ ...fields, clientSecret: introduction.clientSecret });
  const { callbacks, data, monitorFronts, monitors, places, rules, sandbox, sends, session } = client;
  const request = { id: 1, url: target.url, edited: { method: 'POST', headers: [], bodyBase64: '' } };
  const silence = { until: '2030-01-01T00:00:00.000Z', note: '', monitors: { kind: 'tag' as const, tag: 'x' } };
  const outputs = [
    await client.app.status(),
    await client.app.changePublicBase({ base: null }),
    await client.app.receiverAccess(),
    await settingsNotice(client),
    await client.settings.update({ theme: 'dark' }),
    await client.connections.list(),
    await client.connections.update({ ...created, name: 'Crew' }),
    await client.connections.test({ id: created.id }),
    await callbacks.unread(),
    await callbacks.markRead({ throughId: 1 }),
    await callbacks.count({ ...everything, throughId: 2 }),
    await callbacks.sorted({ ...everything, order: 'largest', throughId: 2, offset: 0 }),
    await callbacks.get({ id: 1 }),
    await sends.replay(request),
    await callbacks.proof({ id: 1 }),
    await callbacks.importPiece({ importId: null, format: 'ndjson', piece: '', isLast: true }),
    await callbacks.diagnoseSignature({ id: 1, secrets: [{ secret: typedSecret, origin: 'current' }] }),
    await callbacks.endpoints(),
    await data.describe(),
    await data.backUp(),
    await data.cancelRestore(),
    await client.forecast.history(place),
    await client.monitorBulk.close(),
    await monitorFronts.acknowledge({ id: 'none', note: '' }).catch(() => {}),
    await monitorFronts.silence(silence),
    await monitorFronts.endSilence({ id: 'none' }),
    await monitorFronts.list({}),
    await monitors.list(),
    await monitors.replaceViews({ views: [{ name: 'All', query: '' }] }),
    await monitors.views(),
    await monitors.explain({ id }),
    await monitors.deliveryStates(),
    await places.search({ text: 'Turin' }),
    await places.nearest({ locations: [place] }),
    await rules.held(),
    await rules.get(),
    await sandbox.state(),
    await sandbox.startWeatherFault({ kind: 'slow' }),
    await sandbox.stopWeatherFault(),
    await session.cancelSignIn(),
    await session.saveBrowserSession({ isSaved: true }),
    await session.clearBrowserSession(),
    await session.state(),
    await client.traffic.list({ includesBackground: true }),
    await client.diagnostics.preview(),
  ];
  const secrets = [introduction.clientSecret, introduction.password, typedSecret, ...host.stored.values()];
  const told = JSON.stringify(outputs);
  expect(secrets.filter((secret) => told.includes(secret))).toEqual([]);
  const { username, password, clientId, clientSecret } = introduction;
  expect(await sandbox.account()).toEqual({ username, password, clientId, clientSecret });
});

it('the client of the tests fails for a member that the contract does not declare, or that is missing', async () => {
  const returning = (output: unknown) =>
    withDeclaredOutputs({
      app: { restart: async () => output },
      callbacks: { webhookSecret: async () => output },
    } as never);
  await expect(returning({}).app.restart()).resolves.toEqual({});
  await expect(returning({ token: 'secret' }).app.restart()).rejects.toThrow('app.restart does not return');
  await expect(returning({}).callbacks.webhookSecret()).rejects.toThrow('callbacks.webhookSecret does not return');
});
