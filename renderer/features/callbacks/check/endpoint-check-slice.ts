// The endpoint check: the dialog, and the cases as they run.
import type { CheckCaseId, CheckReportFormat } from '#contract/app-rpc/check-cases.ts';
import type { CheckReport } from '#contract/app-rpc/endpoint-check.ts';
import { laterActions } from '#renderer/store/later-actions.ts';
import { idle, type Request } from '#renderer/store/request.ts';
import type { Slice, SliceTools } from '#renderer/store/slice.ts';
import { laterModule } from '#renderer/ui/hooks/load-later.ts';

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

const loadActions = laterModule(() => import('./endpoint-check-actions.ts'));

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
    ...laterActions(
      { prepare: true, edit: true, run: true, stop: true, save: true },
      loadActions,
      ({ createEndpointCheckActions }) => createEndpointCheckActions(tools),
    ),
  };
}
