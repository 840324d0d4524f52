// What core found when it held the callback against the interface, in words, each with its mark.
import { IconAlertTriangle, IconCheck, IconHelp, IconX, type TablerIcon } from '@tabler/icons-react';
import type { CallbackCheck } from '#contract/app-rpc/callbacks.ts';
import { ForeignText } from '#renderer/ui/text/ForeignText.tsx';
import classes from './CallbackDetail.module.css';

const marks: Readonly<Record<CallbackCheck['verdict'], { icon: TablerIcon; words: string }>> = {
  ok: { icon: IconCheck, words: 'kept:' },
  warning: { icon: IconAlertTriangle, words: 'warning:' },
  error: { icon: IconX, words: 'broken:' },
  unknown: { icon: IconHelp, words: 'not known:' },
};

export function CallbackChecks({ checks }: { readonly checks: readonly CallbackCheck[] }) {
  if (checks.length === 0) return null;
  return (
    <ul className={classes.checks} aria-label="Checks against the interface">
      {checks.map(({ check, verdict, message }) => {
        const { icon: Icon, words } = marks[verdict];
        return (
          <li key={`${check} ${message}`} data-verdict={verdict}>
            <Icon size={15} aria-label={words} />
            <span>
              <ForeignText text={message} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}
