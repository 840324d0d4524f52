// The endpoint check: the dialog, and the cases as they run.
import { type CheckCaseId, checkCaseIds, type CheckReport, type CheckReportFormat } from '@rainbell/contract/app-rpc';
import { idle, type Request, runRequest } from '../../../store/request.ts';
import type { Slice, SliceTools } from '../../../store/slice.ts';
import { saveFile } from '../../../ui/hooks/save-file.ts';

export type EndpointCheckSlice = EndpointCheckActions & {
  isOpen: boolean;
  /** What the user has to confirm; null before a URL was checked. */
  prepared: PreparedCheck | null;
  preparing: Request;
  running: Request;
  /** The case that runs. */
  current: CheckCaseId | null;
  report: CheckReport | null;
  saving: Request;
  open(isOpen: boolean): void;
};

export type PreparedCheck = CheckInput & { shownUrl: string; requests: number };
/** `secret` and `monitorId`: null for the connection's secret, and for a made-up monitor. */
export type CheckInput = { url: string; secret: string | null; monitorId: string | null };

export type EndpointCheckActions = {
  /** Looks at the URL without sending anything to it. */
  prepare(input: CheckInput): Promise<void>;
  /** Back to the form. */
  edit(): void;
  /** Runs all cases against the prepared URL: the user has confirmed it. */
  run(): Promise<void>;
  /** Ends the run after the case that runs. */
  stop(): void;
  save(format: CheckReportFormat): Promise<void>;
};

export function createEndpointCheckSlice(tools: SliceTools<EndpointCheckSlice>): Slice<EndpointCheckSlice> {
  return {
    onConnectionChange: { does: 'reset', keeping: [] },
    isOpen: false,
    prepared: null,
    preparing: idle,
    running: idle,
    current: null,
    report: null,
    saving: idle,
    open: (isOpen) => tools.change({ isOpen }),
    ...createEndpointCheckActions(tools),
  };
}

function createEndpointCheckActions({ client, read, change }: SliceTools<EndpointCheckSlice>): EndpointCheckActions {
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
