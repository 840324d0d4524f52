// The account to sign in with in the sandbox, shown on request. Like a token, it is only in this component, and only while it is
// shown.
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import { useApp } from '../../store/use-app.ts';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import classes from './AccessScreen.module.css';
import type { SandboxAccount as Account } from './session-slice.ts';

export function SandboxAccount() {
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const loadAccount = useApp((state) => state.session.sandboxAccount);
  const [account, setAccount] = useState<Account | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  if (!isSandbox) return null;
  const show = async () => {
    const account = await loadAccount();
    setProblem('failure' in account ? account.failure.message : null);
    setAccount('account' in account ? account.account : null);
  };
  if (account === null) {
    return (
      <div>
        <TaskButton leftSection={<IconUser />} task={() => show()}>
          Show the sandbox’s account
        </TaskButton>
        {problem !== null && <p role="alert">{problem}</p>}
      </div>
    );
  }
  return (
    <div className="rb-column rb-part" role="group" aria-label="The sandbox’s account">
      <Line name="Username" text={account.username} copyLabel="Copy the username" />
      <Line name="Password" text={account.password} copyLabel="Copy the password" />
    </div>
  );
}

type LineProps = { readonly name: string; readonly text: string; readonly copyLabel: string };

function Line({ name, text, copyLabel }: LineProps) {
  return (
    <div className="rb-row">
      <span className={`rb-fixed rb-small ${classes.revealName}`}>{name}</span>
      <code className="rb-code rb-fill">{text}</code>
      <CopyIcon text={text} label={copyLabel} />
    </div>
  );
}
