// The table of metags: users' weather reports at a place (docs/interface.md §4.1, scope `post_metag`).
import type { Status } from '@rainbell/contract/service-api';

declare module '../database/tables.ts' {
  interface Tables {
    metags: {
      id: string;
      application_id: string;
      account_id: string;
      latitude: number;
      longitude: number;
      status: Status;
      created_at: number;
    };
  }
}
