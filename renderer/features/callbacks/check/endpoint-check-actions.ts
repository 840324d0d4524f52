// Runs the endpoint check, after the first screen.
import { checkCaseIds } from '#contract/app-rpc/check-cases.ts';
import type { CheckReport } from '#contract/app-rpc/endpoint-check.ts';
import { idle, runRequest } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { saveFile } from '#renderer/ui/hooks/save-file.ts';
import type { EndpointCheckActions, EndpointCheckSlice } from './endpoint-check-slice.ts';

export function createEndpointCheckActions({
  client,
  read,
  change,
}: SliceTools<EndpointCheckSlice>): EndpointCheckActions {
  let isStopped = false;

  async function runAll(): Promise<void> {
    const { prepared } = read();
    if (!prepared) return;
    const { url, shownUrl, secret, monitorId } = prepared;
    let report: CheckReport = { url: shownUrl, startedAt: new Date().toISOString(), cases: [] };
    isStopped = false;
    change({ report });
    for (const id of checkCaseIds) {
      if (isStopped) return;
      change({ current: id });
      // One after the other, as the service sends.
      // oxlint-disable-next-line no-await-in-loop
      const checked = await client.endpointCheck.runCase({ url, isConfirmed: true, case: id, secret, monitorId });
      report = { ...report, cases: [...report.cases, checked] };
      change({ report });
    }
  }

  return {
    async prepare(input) {
      const found = await runRequest(
        (preparing) => change({ preparing }),
        () => client.endpointCheck.prepare({ url: input.url }),
      );
      if (!found) return;
      const { shownUrl, requests } = found;
      const lacksSecret = input.secret === null && found.secret === 'none';
      if (lacksSecret) change({ preparing: { state: 'failed', failure: noSecret, at: Date.now() } });
      else change({ prepared: { ...input, shownUrl, requests }, report: null, running: idle });
    },
    edit: () => change({ prepared: null, report: null, running: idle, saving: idle }),
    async run() {
      await runRequest((running) => change({ running }), runAll);
      change({ current: null });
    },
    stop() {
      isStopped = true;
    },
    async save(format) {
      const { report } = read();
      if (!report) return;
      const file = await runRequest(
        (saving) => change({ saving }),
        () => client.endpointCheck.report({ report, format }),
      );
      if (file) saveFile(file.fileName, file.mediaType, file.text);
    },
  };
}

const noSecret = {
  code: 'INVALID_INPUT',
  message: 'This connection has no webhook secret. Enter the one that your handler uses.',
  details: { field: 'secret' },
} as const;
