// The process on the peer's computer (lan.ts): receives requests on port 8123, and sends those that the test asks for.
import { createServer } from 'node:http';

type Order = { id: number; url: string; request: RequestInit };

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString('utf8');
    process.send?.({ received: { path: request.url, headers: request.headers, body } });
    response.end('Thank you for the rain.');
  });
});
server.listen(8123, '::', () => process.send?.({}));

async function carryOut({ id, url, request }: Order): Promise<void> {
  try {
    const response = await fetch(url, { redirect: 'manual', ...request });
    const headers = Object.fromEntries(response.headers);
    process.send?.({ id, answer: { status: response.status, headers, text: await response.text() } });
  } catch (error) {
    process.send?.({ id, answer: String(error) });
  }
}

process.on('message', (order) => void carryOut(order as Order));
