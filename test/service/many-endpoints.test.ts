// Delivery to very many endpoints of which half hang (docs/performance.md, goal 9): the healthy ones do not wait.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { engines } from './engines.ts';
import { eventually } from './eventually.ts';
import { startMonitorService } from './monitor-service.ts';
import { fillWithMonitors, placesApart } from './process-harness.ts';

/** A server on every loopback address; resolves `all` when so many callbacks have come to different paths. */
async function startServer(answers: boolean, expected: number) {
  const paths = new Set<string>();
  let finish = () => {};
  const all = new Promise<void>((resolve) => void (finish = resolve));
  const server = createServer((request, response) => {
    request.resume();
    if (answers) response.writeHead(204).end();
    paths.add(request.url ?? '');
    if (paths.size === expected) finish();
  });
  await new Promise<void>((resolve) => void server.listen(0, '0.0.0.0', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, port: (server.address() as AddressInfo).port, all, paths };
}

/** How many times longer than alone this process takes now, because others use the machine; at least 1. */
function crowding(): number {
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  let used = 0;
  while (used < 100) used = process.cpuUsage(cpu).user / 1000;
  return Math.max(1, (performance.now() - started) / used);
}

// Linux answers on all of 127.0.0.0/8, so each endpoint can be a host of its own.
const layouts = process.platform === 'linux' ? (['one host each', 'two hosts'] as const) : (['two hosts'] as const);

describe.each(engines)('on %s', (engine) => {
  it.each(layouts)(
    'with 1,000 endpoints that hang and 1,000 healthy ones, %s, the healthy ones are all called within 5 seconds (docs/delivery.md S12)',
    { timeout: 90_000, retry: 1 },
    async (layout) => {
      const count = 1_000;
      const [service, hanging, healthy] = [
        await startMonitorService({ engine }),
        await startServer(false, count),
        await startServer(true, count),
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
      const before = crowding();
      const started = performance.now();
      await service.sweep();
      await healthy.all;
      const took = performance.now() - started;
      // Waiting for those that hang would take 15 seconds and more also on an idle machine.
      expect(took).toBeLessThan(5_000 * Math.max(before, crowding()));
      expect(hanging.paths.size).toBeGreaterThan(0);
    },
  );

  it(
    'callbacks of a host that refuses are all put off, also where 6,000 wait for it',
    { timeout: 60_000 },
    async () => {
      const count = 6_000;
      const service = await startMonitorService({ engine });
      const { server, port } = await startServer(true, 1);
      server.close();
      const callbacks = Array.from({ length: count }, (_, index) => `http://127.0.0.1:${port}/${index}`);
      const places = placesApart(50);
      await fillWithMonitors(service.database, callbacks, places);
      for (const place of places) service.rainAt(place);
      await service.sweep();
      await eventually(async () => {
        const rows = await service.db
          .selectFrom('deliveries')
          .select((select) => ['error', select.fn.countAll<number>().as('number')])
          .groupBy('error')
          .execute();
        const numbers = Object.fromEntries(rows.map(({ error, number }) => [error, Number(number)]));
        expect(numbers.refused).toBeLessThan(20);
        expect(numbers['host-silent']).toBe(count - Number(numbers.refused));
      });
    },
  );
});
