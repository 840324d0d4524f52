// The sandbox's account and application, shown on request. Like a token, they are only in this component, and only while it shows them.
import { IconUser } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useApp } from '../../store/use-app.ts';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { focusOnce } from '../../ui/hooks/focus-once.ts';
import classes from './AccessScreen.module.css';
import type { SandboxAccount as Account } from './session-slice.ts';

type Props = {
  label: string;
  buttonLabel: string;
  /** What is shown of it, each with its name. */
  rows: readonly (readonly [name: string, value: keyof Account])[];
  children?: (account: Account) => ReactNode;
};

export function SandboxAccount({ label, buttonLabel, rows, children }: Readonly<Props>) {
  const load = useApp((state) => state.session.sandboxAccount);
  const [loaded, setLoaded] = useState<Awaited<ReturnType<typeof load>> | null>(null);
  if (!loaded?.value) {
    return (
      <div>
        <TaskButton leftSection={<IconUser />} task={async () => setLoaded(await load())}>
          {buttonLabel}
        </TaskButton>
        {loaded?.failure && <p role="alert">{loaded.failure.message}</p>}
      </div>
    );
  }
  return (
    <div className="rb-column rb-part rb-whole" role="group" aria-label={label} tabIndex={-1} ref={focusOnce}>
      {rows.map(([name, value]) => (
        <div key={name} className="rb-row">
          <span className={`rb-fixed rb-small ${classes.revealName}`}>{name}</span>
          <code className="rb-code rb-fill">{loaded.value[value]}</code>
          <CopyIcon text={loaded.value[value]} label={`Copy the ${name.charAt(0).toLowerCase()}${name.slice(1)}`} />
        </div>
      ))}
      {children?.(loaded.value)}
    </div>
  );
}
