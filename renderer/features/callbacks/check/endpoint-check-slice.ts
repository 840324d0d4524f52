// The endpoint check: the dialog, and the cases as they run.
import { type CheckCaseId, checkCaseIds, type CheckReport, type CheckReportFormat } from '@rainbell/contract/app-rpc';
import { idle, runRequest } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { saveFile } from '../../../ui/hooks/save-file.ts';

export interface EndpointCheckSlice extends ReturnType<typeof createEndpointCheckSlice> {}

export type PreparedCheck = CheckInput & { shownUrl: string; requests: number };
/** `secret` and `monitorId`: null for the connection's secret, and for a made-up monitor. */
export type CheckInput = { url: string; secret: string | null; monitorId: string | null };

export function createEndpointCheckSlice(tools: SliceTools<EndpointCheckSlice>) {
  return {
    onConnectionChange: { does: 'reset', keeping: [] } as const,
    isOpen: false,
    /** What the user has to confirm; null before a URL was checked. */
    prepared: null as PreparedCheck | null,
    preparing: idle,
    running: idle,
    /** The case that runs. */
    current: null as CheckCaseId | null,
    report: null as CheckReport | null,
    saving: idle,
    open: (isOpen: boolean): void => tools.change({ isOpen }),
    ...createEndpointCheckActions(tools),
  };
}

function createEndpointCheckActions({ client, read, change }: SliceTools<EndpointCheckSlice>) {
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
    /** Looks at the URL without sending anything to it. */
    async prepare(input: CheckInput): Promise<void> {
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
    /** Back to the form. */
    edit: (): void => change({ prepared: null, report: null, running: idle, saving: idle }),
    /** Runs all cases against the prepared URL: the user has confirmed it. */
    async run(): Promise<void> {
      await runRequest((running) => change({ running }), runAll);
      change({ current: null });
    },
    /** Ends the run after the case that runs. */
    stop(): void {
      isStopped = true;
    },
    async save(format: CheckReportFormat): Promise<void> {
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
