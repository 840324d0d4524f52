// Writing one monitor: create, PATCH, PUT, and "call this app". An edit carries what the person saw when it began, so that core
// can tell somebody else's change; an edit in the table shows at once and is taken back where the service refuses it.
import type { AppMonitor, MonitorBase, MonitorNotes } from '#contract/app-rpc/monitors.ts';
import { idle, runRequest, toFailure } from '#renderer/store/request.ts';
import type { SliceTools } from '#renderer/store/slice.ts';
import { failedToast, type NewToast } from '#renderer/store/toasts-slice.ts';
import type { MonitorForm } from './monitor-form.ts';
import type { MonitorDraft, MonitorsSlice } from './monitors-slice.ts';

export type EditsPart = {
  create(draft: MonitorDraft & { notes?: MonitorNotes }): Promise<boolean>;
  /**
   * PATCH with the changed fields only; `monitor` is what the person saw when the edit began, `sent` the details' fields where
   * it was typed there.
   */
  update(monitor: AppMonitor, changes: Partial<MonitorDraft>, sent?: MonitorForm): Promise<boolean>;
  /** The same, from the table. */
  updateInPlace(monitor: AppMonitor, changes: Partial<MonitorDraft>): Promise<void>;
  /** PUT with everything. */
  replace(monitor: AppMonitor, draft: MonitorDraft, sent?: MonitorForm): Promise<boolean>;
  /** POST with the same fields. */
  duplicate(draft: MonitorDraft): Promise<boolean>;
  /** POST of what was deleted elsewhere; what a person wrote of it goes along to the new id. */
  recreate(draft: MonitorDraft, notes: MonitorNotes): Promise<boolean>;
  /** Makes the monitor call this app, and says whether a test event arrived. */
  callThisApp(id: string): Promise<void>;
};

export function createEditsPart(
  { client, read, change }: SliceTools<MonitorsSlice>,
  show: (toast: NewToast) => void,
): EditsPart {
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
    call: () => Promise<AppMonitor>,
    done: (monitor: AppMonitor) => string,
    sent?: MonitorForm,
  ): Promise<boolean> => {
    const saved = await runRequest((saving) => change({ saving }), call);
    if (!saved) return false;
    putWritten(saved, sent);
    change({ dialog: null });
    show({ tone: 'good', message: done(saved) });
    void read().load();
    return true;
  };
  /** The list is read again, since what stands there is not what was seen. */
  const refused = (monitor: AppMonitor, changes: Partial<MonitorDraft>): false => {
    const { saving } = read();
    const isGone = saving.state === 'failed' && saving.failure.code === 'NOT_FOUND';
    if (isGone) change({ dialog: { kind: 'gone', monitor, changes }, saving: idle });
    void read().load();
    return false;
  };
  return {
    create: (draft) =>
      save(
        () => client.monitors.create(draft),
        (monitor) => `${monitor.id} is registered${monitor.toThisApp ? ' and calls this app' : ''}.`,
      ),
    update: async (monitor, changes, sent) =>
      (await save(
        () => client.monitors.update({ id: monitor.id, changes, base: baseOf(monitor) }),
        ({ id }) => `${id} is changed.`,
        sent,
      )) || refused(monitor, changes),
    async updateInPlace(monitor, changes) {
      put({ ...monitor, ...shownAfter(changes) });
      try {
        putWritten(await client.monitors.update({ id: monitor.id, changes, base: baseOf(monitor) }));
        show({ tone: 'good', message: `${monitor.id} is changed.` });
      } catch (error) {
        const failure = toFailure(error);
        put(monitor);
        if (failure.code === 'NOT_FOUND') change({ dialog: { kind: 'gone', monitor, changes }, saving: idle });
        else show(failedToast(failure, `${monitor.id} was not changed`));
        await read().load();
      }
    },
    replace: async (monitor, draft, sent) =>
      (await save(
        () => client.monitors.replace({ id: monitor.id, ...draft, base: baseOf(monitor) }),
        ({ id }) => `${id} is replaced.`,
        sent,
      )) || refused(monitor, draft),
    duplicate: (draft) =>
      save(
        () => client.monitors.create(draft),
        ({ id }) => `${id} is registered as a copy.`,
      ),
    recreate: (draft, { name, tags, note }) =>
      save(
        async () => {
          const monitor = await client.monitors.create(draft);
          await client.monitors.setNotes({ id: monitor.id, notes: { name, tags, note } });
          change({ selectedId: monitor.id });
          return { ...monitor, name, tags, note };
        },
        ({ id }) => `It is registered again, under the new id ${id}.`,
      ),
    async callThisApp(id) {
      change({ asking: new Set([...read().asking, id]) });
      try {
        const { monitor, proof, tookMs } = await client.monitors.callThisApp({ id });
        putWritten(monitor);
        show(proofToast(id, proof, tookMs));
      } catch (error) {
        show(failedToast(toFailure(error), `${id} does not call this app`));
      }
      change({ asking: new Set([...read().asking].filter((other) => other !== id)) });
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
      message: `${id} calls this app: a test event arrived after ${tookMs ?? 0} ms.`,
      seconds: 10,
    };
  if (proof === 'untestable')
    return {
      tone: 'plain',
      message: `${id} calls this app now. This service sends no test events, so its first event will prove it.`,
      seconds: 10,
    };
  return {
    tone: 'bad',
    message: `${id} has this app’s address now, but no test event arrived within 10 s. Can the service reach this machine?`,
  };
}
