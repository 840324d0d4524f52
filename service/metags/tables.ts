// The table of metags: users' weather reports at a place (docs/interface.md §4.1, scope `post_metag`).
import type { Status } from '@rainbell/contract/service-api';
import { bigint, double, type RowsOf, table, text } from '../database/table.ts';

export const metagTables = {
  metags: table(
    {
      id: text('PRIMARY KEY'),
      application_id: text(),
      account_id: text(),
      latitude: double(),
      longitude: double(),
      status: text<Status>(),
      created_at: bigint(),
    },
    { indexes: { metags_by_age: '(created_at, latitude)' } },
  ),
};

declare module '../database/tables.ts' {
  interface Tables extends RowsOf<typeof metagTables> {}
}
