// The messages, each with what can be done about it.
import { plural } from '@rainbell/shared';
import { Button, CloseButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { type RefObject, useLayoutEffect } from 'react';
import { useApp } from '../store/use-app.ts';
import type { Toast } from '../store/toasts-slice.ts';
import { ForeignText } from '../ui/text/ForeignText.tsx';
import { keepClear } from './keep-clear.ts';
import classes from './Toasts.module.css';
import { TrafficButton } from './TrafficButton.tsx';

type Props = { items: readonly Toast[]; stack: RefObject<HTMLElement | null> };

export function ToastCards({ items, stack }: Readonly<Props>) {
  useLayoutEffect(() => {
    const element = stack.current;
    return element
      ? keepClear(
          element,
          items.flatMap(({ about }) => about ?? []),
        )
      : undefined;
  }, [items, stack]);
  return items.map((toast) => <ToastCard key={toast.id} toast={toast} />);
}

function ToastCard({ toast }: { readonly toast: Toast }) {
  const dismiss = useApp((state) => state.toasts.dismiss);
  const { action } = toast;
  return (
    <div className={`rb-row ${classes.toast}`} data-tone={toast.tone}>
      {toast.tone === 'good' && <IconCheck size={18} aria-hidden />}
      {toast.tone === 'bad' && <IconAlertTriangle size={18} aria-hidden />}
      <span className="rb-fill rb-break">
        <ForeignText text={toast.message} limit={400} />
      </span>
      {toast.count > 1 && (
        <span className="rb-badge" data-tone="plain">
          {plural(toast.count, ['# time', '# times'])}
        </span>
      )}
      {action && (
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            action.run();
            dismiss(toast.id);
          }}
        >
          {action.label}
        </Button>
      )}
      <TrafficButton id={toast.trafficId} size="compact-sm" />
      <CloseButton size="sm" aria-label="Close the message" onClick={() => dismiss(toast.id)} />
    </div>
  );
}
