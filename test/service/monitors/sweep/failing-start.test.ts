// A service whose database cannot be written when it starts, such as on a full disk.
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { startMonitorService, turin } from '#test/service/monitor-service.ts';

it('checks the weather as soon as the database can be written again', async () => {
  const first = await startMonitorService();
  await first.addMonitor('http://127.0.0.1:9/');
  await first.sweep();
  await sql`
    create trigger full_disk before update on watch_cells
    begin select raise(abort, 'database or disk is full'); end`.execute(first.db);
  await first.close();

  const { location, folder, clock } = first;
  const { db, looks, sweep } = await startMonitorService({ location, folder, clock });
  await expect(sweep()).rejects.toThrow('database or disk is full');
  expect(looks).toEqual([]);
  await sql`drop trigger full_disk`.execute(db);
  clock.advance(300_000);
  await expect.poll(() => looks).toEqual([turin]);
});
