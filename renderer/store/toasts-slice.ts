// Short messages at the window's edge: what was done, and a way to undo it while they stand.
import type { SliceTools } from './slice.ts';

export type NewToast = {
  tone: 'good' | 'bad' | 'plain';
  message: string;
  /** How long it stands; bad news stand until closed. */
  seconds?: number;
  action?: { label: string; run: () => void };
};
export type Toast = NewToast & { id: number };

export type ToastsSlice = {
  items: readonly Toast[];
  show(toast: NewToast): number;
  dismiss(id: number): void;
};

const defaultSeconds = 6;

export function createToastsSlice({ read, change }: SliceTools<ToastsSlice>): ToastsSlice {
  let lastId = 0;
  const dismiss = (id: number) => change({ items: read().items.filter((toast) => toast.id !== id) });
  return {
    items: [],
    dismiss,
    show(toast) {
      const id = ++lastId;
      change({ items: [...read().items.slice(-3), { ...toast, id }] });
      if (toast.tone !== 'bad') setTimeout(() => dismiss(id), (toast.seconds ?? defaultSeconds) * 1000);
      return id;
    },
  };
}
