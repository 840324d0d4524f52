// Short messages at the window's edge: what was done, and a way to undo it while they are shown.
import { type Failure, runRequest } from './request.ts';
import type { SliceTools } from './slice.ts';

export type NewToast = {
  tone: 'good' | 'bad' | 'plain';
  message: string;
  /** How long it is shown; errors are shown until closed. */
  seconds?: number;
  action?: { label: string; run: () => void };
  /** The request behind bad news, in the traffic log. */
  trafficId?: number | undefined;
  /** Whether it is about the active connection's service. */
  isOfConnection?: boolean;
};
export type Toast = NewToast & { id: number; /** How often it was shown. */ count: number };

export interface ToastsSlice extends ReturnType<typeof createToastsSlice> {}

const defaultSeconds = 6;

/** Returns the toast of a failure, with its request. `what`: what failed, before the cause. */
export function failedToast({ message, details }: Pick<Failure, 'message' | 'details'>, what?: string): NewToast {
  const { trafficId } = details;
  return { tone: 'bad', message: what === undefined ? message : `${what}: ${message}`, trafficId };
}

/** Runs one call whose failure is a toast. Returns undefined then. */
export async function callOrToast<T>(
  show: (toast: NewToast) => void,
  call: () => Promise<T>,
  what?: string,
): Promise<T | undefined> {
  return runRequest((request) => {
    if (request.state === 'failed') show(failedToast(request.failure, what));
  }, call);
}

export function createToastsSlice({ read, change }: SliceTools<ToastsSlice>) {
  let lastId = 0;
  const dismiss = (id: number): void => change({ items: read().items.filter((toast) => toast.id !== id) });
  return {
    onConnectionChange: { does: 'keep', because: 'messages of the former connection get its name' } as const,
    items: [] as readonly Toast[],
    dismiss,
    /** Labels the messages about the former connection with its name, and removes their actions, which would reach the new one. */
    nameFormer: (connectionName: string): void =>
      change({ items: read().items.map((toast) => (toast.isOfConnection ? ofFormer(toast, connectionName) : toast)) }),
    show(toast: NewToast): number {
      const id = ++lastId;
      const { items } = read();
      // The actions of equal messages can differ.
      const equal = items.find(
        ({ tone, message, action }) => tone === toast.tone && message === toast.message && !action && !toast.action,
      );
      const others = items.filter((one) => one !== equal).slice(-3);
      change({ items: [...others, { ...toast, id, count: (equal?.count ?? 0) + 1 }] });
      if (toast.tone !== 'bad') setTimeout(() => dismiss(id), (toast.seconds ?? defaultSeconds) * 1000);
      return id;
    },
  };
}

/** The same message as one of a connection that is no longer active. */
export function ofFormer<T extends NewToast>({ action: _action, ...toast }: T, connectionName: string) {
  return { ...toast, message: `${connectionName}: ${toast.message}`, isOfConnection: false };
}
