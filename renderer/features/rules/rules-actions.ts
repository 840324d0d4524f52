// Reads and changes the receiver's rules, and answers held requests: loaded after the first screen.
import { runRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import type { RulesActions, RulesSlice } from './rules-slice.ts';

export function createRulesActions({ client, change }: SliceTools<RulesSlice>): RulesActions {
  return {
    async loadHeld() {
      const result = await client.rules.held().catch(() => undefined);
      if (result) change({ held: result.held });
    },
    async respondToHeld(callbackId, response) {
      const done = await runRequest(
        (responding) => change({ responding }),
        () => client.rules.respondToHeld({ callbackId, ...response }),
      );
      return done !== undefined;
    },
    async load() {
      const values = await runRequest(
        (request) => change({ request }),
        () => client.rules.get(),
      );
      if (values) change({ values });
    },
    async replace(wanted) {
      const values = await runRequest(
        (saving) => change({ saving }),
        () => client.rules.replace(wanted),
      );
      if (values) change({ values });
      return values !== undefined;
    },
  };
}
