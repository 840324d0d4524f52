// Entry of a thread that names all places at once: the real one reads 135,000 towns first, for each service of a test
// (places.test.ts tests it).
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', ({ call }: { call: string }) => {
  parentPort?.postMessage({ call, location: { country: 'Italy', locality: `At ${call}` } });
});
