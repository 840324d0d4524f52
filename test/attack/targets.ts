// What is attacked: the service, the callback receiver, and the headless host, each in a real process on a free port with its
// own data folder, with the request that an honest client sends and the requests that need no credentials.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { defaultSettings } from '#contract/app-rpc/default-settings.ts';
import { openAppSession } from '#test/setup/app-client.ts';
import { startAppProcess } from '#test/stories/app-process.ts';
import { fetchAccessToken, startServiceProcess } from '#test/stories/service-process.ts';
import { type AnonymousRequest, hostRequests, receiverRequests, serviceRequests } from './anonymous-requests.ts';
import type { HonestRequest } from './honest-client.ts';
import { addGreedyAccounts, type GreedyAccounts } from './greedy-accounts.ts';
import type { HonestAccount } from './greedy-rounds.ts';
import { intrusionsOf, newUrl, type Intrusion } from './intrusions.ts';
import { longHeads, type SlowKind } from './slow-attacks.ts';

export type Target = {
  name: string;
  port: number;
  honest: HonestRequest;
  /** The same request to a server that no one attacks. */
  bystander: HonestRequest;
  anonymous: readonly AnonymousRequest[];
  /** Attacks for what only the user may have. */
  intrusions?: readonly Intrusion[];
  /** Instead of the usual slow and malformed ones. */
  slow?: readonly SlowKind[];
  /** Accounts of this service that take all they can get, and an honest one. */
  greedy?: GreedyAccounts & { honest: HonestAccount };
  /** Called before its first round. */
  prepare?: () => Promise<void>;
  residentBytes(): number;
  hasEnded(): boolean;
};

export async function startTargets(folders: {
  service: string;
  app: string;
}): Promise<{ targets: Target[]; stop: () => Promise<void> }> {
  const service = await startServiceProcess(['--provider', 'simulation', '--data', folders.service]);
  const app = await startAppProcess(folders.app);
  const { client, disconnect } = await openAppSession(app.url);
  const receiver = await listeningReceiver(() => client.app.status());
  const token = await fetchAccessToken(service.introduction);
  const greedy = await addGreedyAccounts(folders.service, service.introduction);
  const weather = '/v2/weather/?location_lat=45.07&location_lng=7.69';
  const host = new URL(app.url).origin;
  const bystander = await startBystander();
  const receiverTarget: Omit<Target, 'name' | 'anonymous' | 'bystander'> = {
    ...processOf(app.child),
    port: Number(new URL(receiver).port),
    honest: {
      url: `${receiver}/honest`,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"id":"x"}',
    },
  };
  const targets: Omit<Target, 'bystander'>[] = [
    {
      ...processOf(service.child),
      name: 'service',
      port: Number(new URL(service.introduction.baseUrl).port),
      honest: get(`${service.introduction.baseUrl}${weather}`, { authorization: `Bearer ${token}` }),
      anonymous: await serviceRequests(service.introduction),
      greedy: { ...greedy, honest: { baseUrl: service.introduction.baseUrl, token } },
    },
    { ...receiverTarget, name: 'receiver', anonymous: receiverRequests(new URL(receiver).host) },
    {
      ...processOf(app.child),
      name: 'headless host',
      port: Number(new URL(host).port),
      honest: get(`${host}/`, {}),
      anonymous: await hostRequests(host),
      intrusions: intrusionsOf({ origin: host, dataFolder: folders.app, receiver }),
    },
    {
      ...receiverTarget,
      name: 'receiver at 256 KB of headers',
      anonymous: [],
      slow: [longHeads],
      async prepare() {
        // A new session: the attacks before may have ended the first one's connection.
        const { client, disconnect } = await openAppSession(await newUrl(folders.app));
        await client.settings.update({ keptLimits: { ...defaultSettings.keptLimits, headerKilobytes: 256 } });
        const { state, baseUrl } = (await client.app.status()).receiver;
        disconnect();
        if (state !== 'listening' || baseUrl !== receiver) throw new Error('The receiver has another URL now.');
      },
    },
  ];
  return {
    targets: targets.map((target) => ({ ...target, bystander: { ...target.honest, url: bystander.url } })),
    async stop() {
      disconnect();
      bystander.stop();
      greedy.close();
      await Promise.all([service.stop(), app.stop()]);
    },
  };
}

async function startBystander(): Promise<{ url: string; stop: () => void }> {
  const child = fork(new URL('bystander-server.ts', import.meta.url));
  const [port] = (await once(child, 'message')) as [number];
  return { url: `http://127.0.0.1:${port}/`, stop: () => child.disconnect() };
}

function get(url: string, headers: Record<string, string>): HonestRequest {
  return { url, method: 'GET', headers };
}

function processOf(child: ChildProcess): Pick<Target, 'residentBytes' | 'hasEnded'> {
  return {
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    // From Linux's /proc; on other systems memory is not judged.
    residentBytes() {
      try {
        const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
        return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) * 1024;
      } catch {
        return 0;
      }
    },
  };
}

async function listeningReceiver(status: () => Promise<{ receiver: { baseUrl: string | null } }>): Promise<string> {
  for (let count = 0; count < 1_000; count += 1) {
    const { receiver } = await status();
    if (receiver.baseUrl !== null) return receiver.baseUrl;
  }
  throw new Error('The receiver is not listening.');
}
