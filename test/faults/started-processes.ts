// The app and the service as processes that are ready for requests. They end with the test.
import { onTestFinished } from 'vitest';
import type { AppClient } from '#contract/app-rpc/contract.ts';
import { apiCaller } from '#test/service/monitor-service.ts';
import { openAppSession } from '#test/setup/app-client.ts';
import { type AppProcess, startAppProcess } from '#test/stories/app-process.ts';
import { fetchAccessToken, startServiceProcess } from '#test/stories/service-process.ts';

/** The receiver's address, as soon as it listens. */
export async function listeningReceiver(client: AppClient): Promise<string> {
  for await (const notice of await client.app.notices()) {
    if (notice.topic !== 'status') continue;
    const { receiver } = await client.app.status();
    if (receiver.baseUrl !== null) return receiver.baseUrl;
  }
  throw new Error('the notices ended');
}

type ReceivingApp = {
  app: AppProcess;
  client: AppClient;
  /** Sends a callback. */
  send(body: string, path?: string): Promise<Response>;
};

export async function startReceivingApp(
  dataFolder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ReceivingApp> {
  const app = await startAppProcess(dataFolder, environment);
  onTestFinished(async () => void (await app.stop()));
  const { client, disconnect } = await openAppSession(app.url);
  onTestFinished(disconnect);
  const receiver = await listeningReceiver(client);
  return { app, client, send: (body, path = '/hook') => fetch(`${receiver}${path}`, { method: 'POST', body }) };
}

/** `call` has a token of the sandbox's application. */
export async function startCallableService(
  flags: readonly string[],
  environment: Readonly<Record<string, string>> = {},
) {
  const service = await startServiceProcess(flags, environment);
  onTestFinished(async () => void (await service.stop()));
  const token = await fetchAccessToken(service.introduction);
  return { service, token, call: apiCaller(service.introduction.baseUrl, token) };
}
