// Signed callbacks by raw undici dispatch, the least that a delivery costs.
import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { Agent } from 'undici';

/** `post` resolves with the status. */
export function createSignedPost() {
  const agent = new Agent({ connections: 4, pipelining: 1 });
  const key = createSecretKey(randomBytes(24));
  return {
    post({ id, url, body }: { id: string; url: string; body: string }): Promise<number> {
      const { origin, pathname } = new URL(url);
      const timestamp = String(Math.floor(Date.now() / 1000));
      const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
      const headers = {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${signature}`,
      };
      return new Promise((resolve, reject) => {
        let status = 0;
        agent.dispatch(
          { origin, path: pathname, method: 'POST', headers, body },
          {
            onRequestStart() {},
            onResponseStart: (_, code) => void (status = code),
            onResponseData() {},
            onResponseEnd: () => resolve(status),
            onResponseError: (_, error) => reject(error),
          },
        );
      });
    },
    close: () => agent.close(),
  };
}
