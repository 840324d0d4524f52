// The list of an application's monitors as JSON. It is kept until one of them changes in any process, because building it costs a
// thousand times as much as finding out that nothing changed.
import { LRUCache } from 'lru-cache';
import { giveWay, readInSteps } from '../http/request-slot.ts';
import { etagOf } from '../http/etag.ts';
import { monitorJson, type MonitorRow } from './monitor-json.ts';
import type { MonitorStore } from './monitor-store.ts';

type MonitorList = { version: number; etag: string; json: Buffer };

const rememberedBytes = 64 * 2 ** 20;
const perStep = 500;

export function createMonitorLists(store: Pick<MonitorStore, 'listVersion' | 'listAfter'>) {
  const sizeCalculation = ({ json }: MonitorList) => json.length;
  const known = new LRUCache<string, MonitorList>({ maxSize: rememberedBytes, sizeCalculation });

  async function build(applicationId: string): Promise<Buffer> {
    const rows = await readInSteps<MonitorRow>(perStep, (last) =>
      store.listAfter(applicationId, last?.id ?? '', perStep),
    );
    rows.sort((one, other) => one.created_at - other.created_at || (one.id < other.id ? -1 : 1));
    const parts: string[] = [];
    for (let start = 0; start < rows.length; start += perStep) {
      const step = rows.slice(start, start + perStep);
      parts.push(step.map(monitorJson).join(','));
      await giveWay();
    }
    return Buffer.from(`{"objects":[${parts.join(',')}],"meta":{}}`);
  }

  return async (applicationId: string): Promise<MonitorList> => {
    // Read first: a change meanwhile makes the next request build the list again.
    const version = await store.listVersion(applicationId);
    const found = known.get(applicationId);
    if (found?.version === version) return found;
    const json = await build(applicationId);
    const list = { version, etag: etagOf(json), json };
    known.set(applicationId, list);
    return list;
  };
}
