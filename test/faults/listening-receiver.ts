import type { AppClient } from '#contract/app-rpc/contract.ts';

/** The receiver's address, as soon as it listens. */
export async function listeningReceiver(client: AppClient): Promise<string> {
  for await (const notice of await client.app.notices()) {
    if (notice.topic !== 'status') continue;
    const { receiver } = await client.app.status();
    if (receiver.baseUrl !== null) return receiver.baseUrl;
  }
  throw new Error('the notices ended');
}
