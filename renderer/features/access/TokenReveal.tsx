// The token, masked until the user reveals it. It is only in this component, and only while it is shown.
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { IconEye, IconEyeOff } from '@tabler/icons-react';
import { useState } from 'react';
import type { TokenCard } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { CodeView } from '../../viewers/CodeView.tsx';
import classes from './AccessScreen.module.css';
import type { Revealable, RevealedToken } from './session-slice.ts';

const names: Readonly<Record<Revealable, string>> = { access_token: 'Access token', refresh_token: 'Refresh token' };

export function TokenReveal({ card }: { readonly card: TokenCard }) {
  const hasRefreshToken = card.refreshable && card.owner === 'user';
  return (
    <div className="rb-column rb-part">
      <Masked card={card} what="access_token" />
      {hasRefreshToken && <Masked card={card} what="refresh_token" />}
    </div>
  );
}

function Masked({ card: { owner }, what }: { readonly card: TokenCard; readonly what: Revealable }) {
  const reveal = useApp((state) => state.session.reveal);
  const [shown, setShown] = useState<RevealedToken | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const name = names[what].toLowerCase();
  const toggle = async () => {
    setProblem(null);
    if (shown) return setShown(null);
    const { value, failure } = await reveal(owner, what);
    setShown(value ?? null);
    setProblem(failure?.message ?? null);
  };
  return (
    <div>
      <div className="rb-row">
        <span className={`rb-fixed rb-small ${classes.revealName}`}>{names[what]}</span>
        <code className={`rb-code rb-fill ${shown ? '' : 'rb-truncate'}`}>
          {shown ? <ForeignText text={shown.token} limit={4000} canShowMore /> : '••••••••••••••••'}
        </code>
        {shown && <CopyIcon text={shown.token} label={`Copy the ${name}`} />}
        <TaskButton
          size="compact-xs"
          variant="subtle"
          leftSection={shown ? <IconEyeOff /> : <IconEye />}
          aria-label={shown ? `Hide the ${name} (${owner})` : `Reveal the ${name} (${owner})`}
          task={() => toggle()}
        >
          {shown ? 'Hide' : 'Reveal'}
        </TaskButton>
      </div>
      {problem !== null && <p role="alert">{problem}</p>}
      {shown?.jwt && (
        <>
          <p className="rb-dim">Decoded JWT (signature not verified):</p>
          <CodeView source={shown.jwt.header} label="JWT header" />
          <CodeView source={shown.jwt.claims} label="JWT claims" />
        </>
      )}
    </div>
  );
}
