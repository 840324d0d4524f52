// A database too large to be read whole at the start is read in steps afterwards.
import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkedAtStartBytes } from '#core/database/damage-watch.ts';
import { startCore } from '#test/core/core-harness.ts';
import { callback, openStore } from './app-store.ts';
import { overwrite } from './damage.ts';

test('damage in the middle of a large app.sqlite is found without anyone asking for those rows', async () => {
  const { folder, file, db, writer, close } = openStore();
  // Only the content matters here, not that it survives a loss of power.
  db.exec('PRAGMA synchronous = OFF');
  const batch = Array.from({ length: 2000 }, (_, index) => ({ ...callback(index), body: Buffer.alloc(1800, 'y') }));
  for (let rows = 0; rows < 10_000; rows += batch.length) writer.append(batch);
  close();
  expect(statSync(file).size).toBeGreaterThan(checkedAtStartBytes);
  overwrite(file, 8_000_000, 400_000);
  const { statusWhere } = await startCore({ dataFolder: folder });
  const { damage } = await statusWhere((status) => status.damage.length > 0);
  expect(damage).toMatchObject([{ database: 'app.sqlite', state: 'pending' }]);
});
