// The power fails, and what was not synced is gone (power_loss_disk.py): whatever was acknowledged before is on the disk, in the app and
// in the service, which run as real processes. The next process starts on what survived.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { Agent, request } from 'undici';
import { describeReports } from '#shared/node/damage-reports.ts';
import { systemClock } from '#shared/time/clock.ts';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import type { Settings } from '#contract/app-rpc/settings.ts';
import { defaultSettings } from '#contract/app-rpc/default-settings.ts';
import { sandboxWebhookSecretsSchema } from '#contract/service-api/sandbox.ts';
import { openAppDatabase } from '#core/app/open-app-database.ts';
import { createCallbackPages } from '#core/receiver/records/callback-pages.ts';
import { openSecretFile } from '#core/hosting/secret-file.ts';
import { temporaryFolder } from '#test/core/temporary-folder.ts';
import { startCallbackEndpoint } from '#test/service/callback-endpoint.ts';
import { apiCaller } from '#test/service/monitor-service.ts';
import { openAppSession } from '#test/setup/app-client.ts';
import { startAppProcess } from '#test/stories/app-process.ts';
import { fetchAccessToken, startServiceProcess } from '#test/stories/service-process.ts';
import { createPowerLossDisk, missingDisk, type PowerLoss, type PowerLossDisk } from './power-loss-disk.ts';
import { listeningReceiver } from './started-processes.ts';

/** A copy that can be opened while the next process works on the original. */
function copySurvivors(disk: PowerLossDisk): string {
  const folder = temporaryFolder();
  // With the modes of folders, which Node's cpSync drops.
  execFileSync('cp', ['-a', join(disk.survivors, 'data'), folder]);
  return join(folder, 'data');
}

const isWhole = [{ integrity_check: 'ok' }];

/** Each third is long enough for a file of bodies. */
function bodyOf(name: string): string {
  return Number(name.split('-').at(-1)) % 3 === 2 ? name.padEnd(20_000, '.') : name;
}

/** Sends over 8 connections until they break; adds the names that were acknowledged. */
async function sendUntilCut(url: string, prefix: string, acknowledged: string[]): Promise<void> {
  const agent = new Agent({ connections: 8, pipelining: 1 });
  async function send(sender: number): Promise<void> {
    for (let index = 0; ; index += 1) {
      const name = `${prefix}-${sender}-${index}`;
      const answer = await request(`${url}/`, { method: 'POST', body: bodyOf(name), dispatcher: agent });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`answered ${answer.statusCode}`);
      acknowledged.push(name);
    }
  }
  await Promise.allSettled(Array.from({ length: 8 }, (_, sender) => send(sender)));
  await agent.destroy();
}

type Acknowledged = { callbacks: string[]; megabytes: number; secret: number };

const secretOf = (number: number) => `whsec_${Buffer.alloc(32, number).toString('base64')}`;

/** Changes one after the other until the disk fails; then changes fail. */
async function changeUntilCut(change: () => Promise<void>, cut: Promise<void>): Promise<void> {
  const isOver = cut.then(() => 'over');
  while ((await Promise.race([isOver, change().catch(() => 'over')])) !== 'over');
}

async function changeSecret(client: AppClient, acknowledged: Acknowledged): Promise<void> {
  await client.callbacks.setWebhookSecret({ secret: secretOf(acknowledged.secret + 1) });
  acknowledged.secret += 1;
}

async function changeSettings(client: AppClient, acknowledged: Acknowledged): Promise<void> {
  const keptLimits = { ...defaultSettings.keptLimits, keptMegabytes: acknowledged.megabytes + 1 };
  await client.settings.update({ keptLimits });
  acknowledged.megabytes += 1;
}

test.skipIf(missingDisk)('what the app acknowledged survives losses of power', async () => {
  // One kind of change a round: what syncs a folder for one would hide that another does not.
  const rounds: readonly { loss: PowerLoss; change?: typeof changeSecret }[] = [
    { loss: { after: 150, unsynced: 'lost', seed: 1 } },
    { loss: { after: 900, unsynced: 'lost', seed: 2 }, change: changeSecret },
    { loss: { after: 1_100, unsynced: 'mixed', seed: 3 }, change: changeSettings },
  ];
  const disk = createPowerLossDisk();
  const acknowledged: Acknowledged = {
    callbacks: [],
    megabytes: defaultSettings.keptLimits.keptMegabytes,
    secret: 0,
  };
  for (const [round, { loss, change }] of rounds.entries()) {
    await disk.powerOn();
    const app = await startAppProcess(join(disk.folder, 'data'));
    onTestFinished(() => void app.child.kill('SIGKILL'));
    const { client, disconnect } = await openAppSession(app.url);
    const receiver = await listeningReceiver(client);
    // The first waits for the sandbox to start.
    await change?.(client, acknowledged);
    const cut = disk.losePower(loss);
    const sending = sendUntilCut(receiver, `round-${round}`, acknowledged.callbacks);
    const changing = change && changeUntilCut(() => change(client, acknowledged), cut);
    await cut;
    app.child.kill('SIGKILL');
    disconnect();
    await sending;
    await changing;

    const folder = copySurvivors(disk);
    const database = openAppDatabase({ file: join(folder, 'app.sqlite'), clock: systemClock });
    expect([...database.remarks, ...describeReports([database.file])]).toEqual([]);
    expect(database.db.prepare('PRAGMA integrity_check').all()).toEqual(isWhole);
    const rows = [...createCallbackPages(database.db).rows({}, 'oldestFirst')];
    const stored = new Set(rows.map(({ body }) => body.toString()));
    expect(acknowledged.callbacks.filter((name) => !stored.has(bodyOf(name)))).toEqual([]);
    database.close();
    const file = join(folder, 'settings.json');
    const settings = (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}) as Partial<Settings>;
    // What was answered, or the change after it.
    const { megabytes, secret } = acknowledged;
    expect([megabytes, megabytes + 1]).toContain((settings.keptLimits ?? defaultSettings.keptLimits).keptMegabytes);
    const { secrets } = openSecretFile({ folder, clock: systemClock });
    expect([secret === 0 ? null : secretOf(secret), secretOf(secret + 1)]).toContain(
      await secrets.read('webhook-secret:sandbox'),
    );
  }
  expect(acknowledged.callbacks.length).toBeGreaterThan(100);
  expect(acknowledged.secret).toBeGreaterThan(1);
  expect(acknowledged.megabytes).toBeGreaterThan(defaultSettings.keptLimits.keptMegabytes + 1);
});

test.skipIf(missingDisk)('what the service acknowledged survives losses of power', async () => {
  const losses: readonly PowerLoss[] = [
    { after: 500, unsynced: 'mixed', seed: 5 },
    { after: 300, unsynced: 'lost', seed: 6 },
  ];
  const disk = createPowerLossDisk();
  const endpoint = await startCallbackEndpoint();
  const monitors = new Set<string>();
  const deleted: string[] = [];
  const tokens: string[] = [];
  const secrets: unknown[] = [];
  for (const [round, loss] of [...losses, undefined].entries()) {
    await disk.powerOn();
    const service = await startServiceProcess(['--provider', 'simulation', '--data', join(disk.folder, 'data')]);
    onTestFinished(() => void service.child.kill('SIGKILL'));
    const { baseUrl, clientSecret, password } = service.introduction;
    tokens.push(await fetchAccessToken(service.introduction));
    for (const token of tokens) expect((await apiCaller(baseUrl, token)('GET', '/v2/monitors/')).status).toBe(200);
    const call = apiCaller(baseUrl, tokens[0]);
    const webhooks = sandboxWebhookSecretsSchema.parse((await call('GET', '/sandbox/webhook-secrets')).json);
    secrets.push({ clientSecret, password, webhooks });
    expect(secrets.at(-1)).toEqual(secrets[0]);
    if (!loss) {
      await service.stop();
      break;
    }

    const cut = disk.losePower(loss);
    const geo = { lat: 10 * round, lng: 20 };
    const body = { monitor_type: 'precipitation', callback_uri: endpoint.url, geo };
    async function changeUntilRefused(): Promise<void> {
      for (let index = 0; ; index += 1) {
        const created = await call('POST', '/v2/monitors/', body);
        if (created.status !== 201) return;
        const { id } = created.json as { id: string };
        if (index % 5 !== 4) monitors.add(id);
        else if ((await call('DELETE', `/v2/monitors/${id}/`)).status === 204) deleted.push(id);
        if (index === 3) await call('POST', '/sandbox/scenarios', { center: geo, minutes: 180, radiusKm: 100 });
      }
    }
    const work = changeUntilRefused().catch(() => {});
    await cut;
    service.child.kill('SIGKILL');
    await work;

    const db = new DatabaseSync(join(copySurvivors(disk), 'service', 'service.sqlite'));
    expect(db.prepare('PRAGMA integrity_check').all()).toEqual(isWhole);
    const idsIn = (table: string) =>
      new Set(
        db
          .prepare(`SELECT id FROM ${table}`)
          .all()
          .map((row) => row['id']),
      );
    const ids = idsIn('monitors');
    expect([...monitors].filter((id) => !ids.has(id))).toEqual([]);
    expect(deleted.filter((id) => ids.has(id))).toEqual([]);
    const events = idsIn('events');
    const sent = endpoint.received.map(({ headers }) => String(headers['webhook-id']));
    expect(sent.filter((id) => !events.has(id))).toEqual([]);
    db.close();
  }
  const received = new Map(endpoint.received.map(({ headers, body }) => [headers['webhook-id'], body]));
  const ringing = [...received.values()].map((body) => (JSON.parse(body) as { id: string }).id);
  // The gate of an event that was sent is closed for an hour.
  expect(ringing.length).toBeGreaterThan(5);
  expect(new Set(ringing).size).toBe(ringing.length);
});
