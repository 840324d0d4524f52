// Delivery to very many endpoints of which half hang (docs/delivery.md S12): the healthy ones do not wait.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { waitForCount } from '#test/service/eventually.ts';
import { startMonitorService } from '#test/service/monitor-service.ts';
import { fillWithMonitors, placesApart } from '#test/service/process-harness.ts';

/** A server on every loopback address, and the paths that were called. */
async function startServer(answers: boolean) {
  const paths = new Set<string>();
  const server = createServer((request, response) => {
    request.resume();
    if (answers) response.writeHead(204).end();
    paths.add(request.url ?? '');
  });
  await new Promise<void>((resolve) => void server.listen(0, '0.0.0.0', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, paths };
}

// Linux answers on all of 127.0.0.0/8, so each endpoint can be a host of its own.
const layouts = process.platform === 'linux' ? (['one host each', 'two hosts'] as const) : (['two hosts'] as const);

it.each(layouts)('all healthy endpoints are called while as many hang without an end, %s', async (layout) => {
  // Several times what is sent at once.
  const count = 500;
  const [service, hanging, healthy] = [
    // Longer than the test: a healthy endpoint that waits for one that hangs is never called.
    await startMonitorService({ config: { deliveryTimeoutSeconds: 600 } }),
    await startServer(false),
    await startServer(true),
  ];
  const host = (index: number) =>
    layout === 'two hosts' ? '127.0.0.1' : `127.0.${1 + Math.floor(index / 250)}.${1 + (index % 250)}`;
  const callbacks = Array.from({ length: 2 * count }, (_, index) => {
    const { port } = index % 2 === 0 ? hanging : healthy;
    return `http://${host(index)}:${port}/${index}`;
  });
  const places = placesApart(50);
  await fillWithMonitors(service.database, callbacks, places);
  for (const place of places) service.rainAt(place);
  await service.sweep();
  await waitForCount(count, () => {
    // A busy machine may not connect in time, and tries again by this clock.
    service.clock.advance(100);
    return healthy.paths.size;
  });
  expect(hanging.paths.size).toBeGreaterThan(0);
});
