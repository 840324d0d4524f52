// The positions of events in the feed.
import { expect, it } from 'vitest';
import { feedHorizon, takeFeedPositions } from '#service/delivery/schema/feed-positions.ts';
import { openDeliveryRows } from '../delivery-rows.ts';

it('on SQLite each transaction continues after the last position', async () => {
  const { db } = await openDeliveryRows();
  const take = (count: number) => db.transaction().execute((trx) => takeFeedPositions(trx, 'sqlite', count));
  expect([await take(3), await take(1), await take(2)]).toEqual([1, 4, 5]);
  const stored = await db.selectFrom('feed_positions').selectAll().execute();
  expect(stored).toEqual([{ name: 'events', last_position: 6 }]);
});

it('only PostgreSQL limits what a reader may see', () => {
  expect(feedHorizon('sqlite')).toBeUndefined();
  expect(feedHorizon('postgres')).toBeDefined();
});
