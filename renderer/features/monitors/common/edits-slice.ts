// Writes one monitor: create, PATCH, PUT, and "set callback to this app". An edit carries what the user saw when it began, so that
// core notices a change made elsewhere; an edit in the table shows at once and is taken back if the service refuses it.
import type { AppMonitor, MonitorBase, MonitorNotes } from '@rainbell/contract/app-rpc';
import { idle, runCancelableRequest, toFailure } from '../../../store/request.ts';
import type { SliceTools } from '../../../store/slice.ts';
import { failedToast, type NewToast } from '../../../store/toasts-slice.ts';
import type { MonitorForm } from './monitor-form.ts';
import type { DeliveriesPart } from './deliveries-slice.ts';
import type { MonitorDraft, MonitorListState } from './monitor-list-slice.ts';
import type { UnsavedPart } from './unsaved-slice.ts';

export interface EditsPart extends ReturnType<typeof createEditsPart> {}

export function createEditsPart(
  {
    client,
    read,
    change,
  }: SliceTools<MonitorListState & { load(): Promise<void> } & DeliveriesPart & EditsPart & UnsavedPart>,
  show: (toast: NewToast) => void,
) {
  const put = (saved: AppMonitor) => {
    const { items } = read();
    const place = items.findIndex((monitor) => monitor.id === saved.id);
    change({ items: place < 0 ? [...items, saved] : items.with(place, saved) });
  };
  const putWritten = (written: AppMonitor, sent?: MonitorForm) => {
    read().rebaseFields(written, sent);
    put(written);
  };
  const save = async (
    call: (signal: AbortSignal) => Promise<AppMonitor>,
    done: (monitor: AppMonitor) => string,
    sent?: MonitorForm,
  ): Promise<boolean> => {
    const saved = await runCancelableRequest(
      (saving) => change({ saving }),
      call,
      'The service may have applied the change. The list shows the current state.',
    );
    if (!saved) {
      void read().load();
      return false;
    }
    putWritten(saved, sent);
    change({ dialog: null });
    show({ tone: 'good', message: done(saved) });
    void read().load();
    return true;
  };
  /** The details of a monitor that was deleted elsewhere close with the next list, so a toast says why nothing was saved. */
  const refused = (monitor: AppMonitor): false => {
    const { saving } = read();
    if (saving.state === 'failed' && saving.failure.code === 'NOT_FOUND') {
      show(failedToast(saving.failure, `Couldn’t save ${monitor.id}`));
      change({ dialog: null, saving: idle });
    }
    return false;
  };
  return {
    create: (draft: MonitorDraft & { notes?: MonitorNotes }): Promise<boolean> =>
      save(
        (signal) => client.monitors.create(draft, { signal }),
        ({ id, toThisApp }) => (toThisApp ? `Created ${id}, which sends callbacks to this app` : `Created ${id}`),
      ),
    /**
     * PATCH with the changed fields only; `monitor` is what the user saw when the edit began, `sent` the details' fields if it was
     * typed there.
     */
    update: async (monitor: AppMonitor, changes: Partial<MonitorDraft>, sent?: MonitorForm): Promise<boolean> =>
      (await save(
        (signal) => client.monitors.update({ id: monitor.id, changes, base: baseOf(monitor) }, { signal }),
        ({ id }) => `Saved ${id}`,
        sent,
      )) || refused(monitor),
    /** The same, from the table. */
    async updateInPlace(monitor: AppMonitor, changes: Partial<MonitorDraft>): Promise<void> {
      put({ ...monitor, ...shownAfter(changes) });
      try {
        putWritten(await client.monitors.update({ id: monitor.id, changes, base: baseOf(monitor) }));
        show({ tone: 'good', message: `Saved ${monitor.id}` });
      } catch (error) {
        const failure = toFailure(error);
        put(monitor);
        show(failedToast(failure, `Couldn’t save ${monitor.id}`));
        await read().load();
      }
    },
    /** PUT with everything. */
    replace: async (monitor: AppMonitor, draft: MonitorDraft, sent?: MonitorForm): Promise<boolean> =>
      (await save(
        (signal) => client.monitors.replace({ id: monitor.id, ...draft, base: baseOf(monitor) }, { signal }),
        ({ id }) => `Replaced ${id}`,
        sent,
      )) || refused(monitor),
    /** POST with the same fields. */
    duplicate: (draft: MonitorDraft): Promise<boolean> =>
      save(
        (signal) => client.monitors.create(draft, { signal }),
        ({ id }) => `Created copy ${id}`,
      ),
    /** Makes the monitor call this app, and says whether a test event arrived. */
    async callThisApp(id: string): Promise<void> {
      change({ busy: new Set([...read().busy, id]) });
      try {
        const { monitor, proof, tookMs } = await client.monitors.callThisApp({ id });
        putWritten(monitor);
        show(proofToast(id, proof, tookMs));
      } catch (error) {
        show(failedToast(toFailure(error), `Couldn’t set the callback URL for ${id}`));
      }
      change({ busy: new Set([...read().busy].filter((other) => other !== id)) });
      void read().load();
    },
  };
}

function baseOf({ callbackUri, geo }: AppMonitor): MonitorBase {
  return { callbackUri, geo };
}

function shownAfter({ geo, callback }: Partial<MonitorDraft>): Partial<AppMonitor> {
  return {
    ...(geo ? { geo } : {}),
    ...(callback?.kind === 'address' ? { callbackUri: callback.uri, toThisApp: false } : {}),
  };
}

function proofToast(id: string, proof: 'arrived' | 'missing' | 'untestable', tookMs: number | null): NewToast {
  if (proof === 'arrived')
    return {
      tone: 'good',
      message: `${id} now sends callbacks to this app: a test event arrived after ${tookMs ?? 0} ms`,
      seconds: 10,
    };
  if (proof === 'untestable')
    return {
      tone: 'plain',
      message: `${id} now sends callbacks to this app. This service has no test events, so the first event will show whether callbacks arrive.`,
      seconds: 10,
    };
  return {
    tone: 'bad',
    message: `${id} has this app’s URL, but no test event arrived within 10 s. Check that the service can reach this computer.`,
  };
}
