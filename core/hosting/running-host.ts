// Handles a second start on the same data folder: the running host returns a new URL to open. It writes its address and a secret
// into a file that only its owner can read; a request with the secret returns a URL with a new ticket. A killed host leaves the
// file behind; then nothing responds at that address, or another program rejects the request.
import { request } from 'node:http';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { writePrivateFile } from '@rainbell/shared/node';

const runningHostSchema = z.object({
  port: z.number().int().min(1).max(65_535),
  secret: z.string().regex(/^[\w-]{43}$/),
});
export type RunningHost = z.infer<typeof runningHostSchema>;

/** Path of the request on the running host. */
export const openPath = '/open';
const replySchema = z.object({ url: z.url({ protocol: /^http$/, hostname: /^127\.0\.0\.1$/ }) });
const limitMs = 5000;
const maxReplyLength = 64 * 1024;

/** Returns the function that removes the file. Throws the system's error if the file can't be written. */
export function announceHost(dataFolder: string, host: RunningHost): () => void {
  writePrivateFile(fileIn(dataFolder), `${JSON.stringify(host)}\n`);
  return () => rmSync(fileIn(dataFolder), { force: true });
}

/** Returns an address that works once, for a hash such as `#/callbacks`; undefined if no host of this folder answers. */
export async function requestRunningHost(dataFolder: string, hash: string | undefined): Promise<string | undefined> {
  try {
    const { port, secret } = runningHostSchema.parse(JSON.parse(readFileSync(fileIn(dataFolder), 'utf8')));
    const reply = replySchema.parse(JSON.parse(await post(port, secret, JSON.stringify({ hash: hash ?? null }))));
    return new URL(reply.url).port === String(port) ? reply.url : undefined;
  } catch {
    return undefined;
  }
}

/** Not through a proxy of the environment, which `fetch` may use. */
function post(port: number, secret: string, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
    const options = { host: '127.0.0.1', port, path: openPath, method: 'POST', headers, timeout: limitMs };
    const sent = request(options, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        if (text.length > maxReplyLength) response.destroy(new Error('The response is too long.'));
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(text);
        else reject(new Error(`The host returned ${response.statusCode}.`));
      });
    });
    sent.on('timeout', () => sent.destroy(new Error('The host did not respond.')));
    sent.on('error', reject);
    sent.end(body);
  });
}

function fileIn(dataFolder: string): string {
  return join(dataFolder, 'running-host.json');
}
