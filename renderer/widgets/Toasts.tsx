// The short messages: one at a time, over the status bar (in narrow windows over the header), so that they cover no screen.
import { plural } from '@rainbell/shared';
import { Button, CloseButton } from '@mantine/core';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import { useApp } from '../store/use-app.ts';
import type { Toast } from '../store/toasts-slice.ts';
import { ForeignText } from '../ui/text/ForeignText.tsx';
import classes from './Toasts.module.css';
import { TrafficButton } from './TrafficButton.tsx';

/** The region is rendered before its first message, so that screen readers announce that one, too. */
export function Toasts() {
  const items = useApp((state) => state.toasts.items);
  // Undo is offered for a few seconds only.
  const shown = items.findLast(({ tone, action }) => action && tone !== 'bad') ?? items.at(-1);
  return (
    <div className={classes.region} role="region" aria-label="Messages" aria-live="polite">
      {shown && <ToastCard key={shown.id} toast={shown} />}
    </div>
  );
}

function ToastCard({ toast }: { readonly toast: Toast }) {
  const dismiss = useApp((state) => state.toasts.dismiss);
  const { action } = toast;
  return (
    <div className={`rb-row ${classes.toast}`} data-tone={toast.tone}>
      {toast.tone === 'good' && <IconCheck className="rb-fixed rb-dotted" size={16} aria-hidden />}
      {toast.tone === 'bad' && <IconAlertTriangle className="rb-fixed rb-dotted" size={16} aria-hidden />}
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
          size="compact-xs"
          variant="light"
          onClick={() => {
            action.run();
            dismiss(toast.id);
          }}
        >
          {action.label}
        </Button>
      )}
      <TrafficButton id={toast.trafficId} />
      <CloseButton size="sm" aria-label="Close the message" onClick={() => dismiss(toast.id)} />
    </div>
  );
}
