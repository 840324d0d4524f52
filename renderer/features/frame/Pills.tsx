// Token and receiver at a glance; each opens into what it stands for.
import { Button, UnstyledButton } from '@mantine/core';
import { IconBroadcast, IconKey } from '@tabler/icons-react';
import { type ReactNode, useId, useState } from 'react';
import type { TokenState } from '#contract/app-rpc/app.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { durationWords } from '#renderer/ui/text/durations.ts';
import { Panel } from '#renderer/ui/controls/Panel.tsx';
import { useNow } from '#renderer/ui/hooks/use-now.ts';
import { useMyTimes } from '#renderer/widgets/use-units.ts';
import classes from './Pills.module.css';

type Tone = 'good' | 'accent' | 'warn' | 'bad' | 'plain';

type PillProps = { tone: Tone; icon: ReactNode; words: string; label: string; title: string; children: ReactNode };

function Pill({ tone, icon, words, label, title, children }: Readonly<PillProps>) {
  const id = useId();
  return (
    <>
      <UnstyledButton
        className={classes.pill ?? ''}
        data-tone={tone}
        aria-label={label}
        aria-haspopup="dialog"
        popoverTarget={id}
      >
        {icon}
        <span className="rb-truncate rb-numbers">{words}</span>
      </UnstyledButton>
      <Panel id={id} label={title} align="end" className={classes.card}>
        <strong>{title}</strong>
        {children}
      </Panel>
    </>
  );
}

export function TokenPill() {
  const token = useApp((state) => state.frame.status?.token);
  const renew = useApp((state) => state.frame.renewToken);
  const goTo = useApp((state) => state.frame.goTo);
  const now = useNow(1000);
  const [outcome, setOutcome] = useState<string | null>(null);
  if (!token) return null;
  const { tone, words } = tokenPill(token, now);
  const onRenew = async () => {
    setOutcome('Asking for a new token…');
    const failure = await renew();
    setOutcome(failure ? failure.message : 'A new token is here.');
  };
  return (
    <Pill
      tone={tone}
      icon={<IconKey size={14} aria-hidden />}
      words={words}
      label={`Access token: ${words}`}
      title="Access token"
    >
      <TokenDetails token={token} />
      <Button size="xs" variant="light" onClick={() => void onRenew()}>
        Renew now
      </Button>{' '}
      <Button size="xs" variant="subtle" onClick={() => goTo('access')}>
        Open Access
      </Button>
      <p role="status">{outcome}</p>
    </Pill>
  );
}

function tokenPill(token: TokenState, now: number): { tone: Tone; words: string } {
  switch (token.state) {
    case 'none':
      return { tone: 'plain', words: 'no token' };
    case 'fetching':
      return { tone: 'accent', words: 'token…' };
    case 'failed':
      return { tone: 'bad', words: 'no token' };
    case 'valid': {
      const left = Date.parse(token.expiresAt) - now;
      if (left <= 0) return { tone: 'warn', words: 'token expired' };
      return { tone: left < 60_000 ? 'warn' : 'good', words: `app token · ${durationWords(left)}` };
    }
  }
}

function TokenDetails({ token }: { readonly token: TokenState }) {
  const times = useMyTimes();
  if (token.state === 'failed') return <p>{token.problem.message}</p>;
  if (token.state !== 'valid') return <p>The app asks for a token when it needs one.</p>;
  return (
    <dl className={classes.facts}>
      <dt>Grant</dt>
      <dd className="rb-mono">{token.grant}</dd>
      <dt>Obtained</dt>
      <dd>{`${times.clockSeconds(Date.parse(token.obtainedAt))} ${times.offsetName(Date.parse(token.obtainedAt))}`}</dd>
      <dt>Expires</dt>
      <dd>{times.clockSeconds(Date.parse(token.expiresAt))}, renewed before by itself</dd>
    </dl>
  );
}

export function ReceiverPill() {
  const receiver = useApp((state) => state.frame.status?.receiver);
  const goTo = useApp((state) => state.frame.goTo);
  if (!receiver) return null;
  const port = receiver.baseUrl === null ? receiver.state : `:${new URL(receiver.baseUrl).port}`;
  const tone = receiver.state === 'failed' ? 'bad' : receiver.notice === null ? 'accent' : 'warn';
  return (
    <Pill
      tone={tone}
      icon={<IconBroadcast size={14} aria-hidden />}
      words={`receiver ${port}`}
      label={`Callback receiver ${port}`}
      title="Callback receiver"
    >
      <p className="rb-mono">{receiver.baseUrl ?? receiver.state}</p>
      <p>{receiver.notice ?? 'Callbacks to this address are stored before they are answered.'}</p>
      <Button size="xs" variant="light" onClick={() => goTo('callbacks')}>
        Show callbacks
      </Button>{' '}
      <Button size="xs" variant="subtle" onClick={() => goTo('settings')}>
        Change the port
      </Button>
    </Pill>
  );
}
