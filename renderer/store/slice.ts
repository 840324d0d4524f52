// What a slice of the store gets: the client, and read and change of its own part. Slices call the client; components never do.
import type { AppClient } from '#contract/procedures/contract.ts';

export type SliceTools<Slice> = {
  client: AppClient;
  read(): Slice;
  change(part: Partial<Slice>): void;
};
