// One token: its source, how long it lasts, its value on request, and its actions.
import { Button, TextInput } from '@mantine/core';
import { Badge } from '../../ui/controls/Badge.tsx';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { IconAlertTriangle, IconEye, IconEyeOff, IconKey, IconRefresh, IconUser } from '@tabler/icons-react';
import { useState } from 'react';
import type { TokenCard, TokenOwner } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { formatDuration } from '../../ui/text/durations.ts';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import { FactRows } from '../../ui/controls/FactRows.tsx';
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { CodeView } from '../../viewers/CodeView.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { TrafficButton } from '../../widgets/TrafficButton.tsx';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import { useNow } from '../../ui/hooks/use-now.ts';
import { formatCountdown, stateTones, methodNames } from './access-labels.ts';
import classes from './AccessScreen.module.css';
import { Deviations } from './Flows.tsx';
import type { Revealable, RevealedToken } from './session-slice.ts';

const titles: Readonly<Record<TokenOwner, string>> = { application: 'Application token', user: 'User token' };
const uses: Readonly<Record<TokenOwner, string>> = {
  application: 'For weather and monitors. The app gets it automatically.',
  user: 'Sign in below to get it. Used for weather if there is no application token. Not accepted for monitors.',
};

export function TokenPanel({ card }: { readonly card: TokenCard }) {
  const { owner } = card;
  const doing = useApp((state) => state.session.doing[owner]);
  const isInUse = useApp((state) => state.session.state?.tokenInUse === owner);
  const hasToken = card.obtainedAt !== null;
  return (
    <section
      className={`rb-card rb-stack rb-padded rb-break ${classes.token}`}
      aria-label={titles[owner]}
      data-section={owner}
    >
      <div className="rb-row">
        {owner === 'user' ? <IconUser size={19} aria-hidden /> : <IconKey size={19} aria-hidden />}
        <h2>{titles[owner]}</h2>
        {isInUse && hasToken && <Badge tone="accent">In use</Badge>}
        <StateBadge card={card} />
      </div>
      <Countdown card={card} isInUse={isInUse} />
      {hasToken ? <Facts card={card} /> : <p className="rb-dim">{uses[owner]}</p>}
      {card.lastProblem && (
        <p className="rb-notice" data-tone="bad" role="alert">
          <IconAlertTriangle size={17} aria-hidden /> <span className="rb-fill">{card.lastProblem.message}</span>
          <TrafficButton id={card.lastProblem.details.trafficId} />
        </p>
      )}
      <Deviations deviations={card.deviations} />
      {hasToken && (
        <div className="rb-column rb-part" key={card.obtainedAt}>
          <Masked card={card} what="access_token" />
          {card.refreshable && owner === 'user' && <Masked card={card} what="refresh_token" />}
        </div>
      )}
      <RequestNotice request={doing} failedTitle="Couldn’t change the token" loadingText="Waiting for the service" />
      <Actions card={card} isBusy={doing.state === 'loading'} />
    </section>
  );
}

function StateBadge({ card: { state, expiresAt } }: { readonly card: TokenCard }) {
  const now = useNow(1000);
  const isOver = state === 'valid' && expiresAt !== null && Date.parse(expiresAt) <= now;
  const { tone, label } = stateTones[isOver ? 'expired' : state];
  return <Badge tone={tone}>{label}</Badge>;
}

type CountdownProps = { readonly card: TokenCard; readonly isInUse: boolean };

function Countdown({ card: { state, expiresAt, obtainedAt, refreshable }, isInUse }: CountdownProps) {
  const now = useNow(1000);
  if (state === 'none' || obtainedAt === null) return null;
  if (expiresAt === null) return <p className="rb-dim">Lifetime unknown: the service didn’t send expires_in.</p>;
  const left = Date.parse(expiresAt) - now;
  return (
    <p className="rb-figure">
      {left > 0 ? formatCountdown(left) : refreshable ? 'Expired' : `Expired ${formatDuration(left)} ago`}
      <span>{describeRenewal(left, refreshable, isInUse)}</span>
    </p>
  );
}

function describeRenewal(left: number, refreshable: boolean, isInUse: boolean): string {
  if (left <= 0) return refreshable ? 'Refreshes on next use' : 'Sign in again';
  if (!refreshable) return 'Time left · then sign in again';
  return isInUse ? 'Time left · refreshes automatically' : 'Time left · refreshes on next use';
}

function Facts({
  card: { grant, scope, requestedScope, obtainedAt, expiresAt, refreshable },
}: {
  readonly card: TokenCard;
}) {
  const times = useLogTimes();
  const at = (instant: string | null) => {
    if (instant === null) return 'Unknown';
    const moment = Date.parse(instant);
    return `${times.clockSeconds(moment)} ${times.zoneName(moment)}, ${times.day(moment)}`;
  };
  const facts = [
    ['Grant', grant === null ? '–' : methodNames[grant]],
    ['Scope', scope === null ? formatRequested(requestedScope) : scope === '' ? 'None' : scope],
    ['Received', at(obtainedAt)],
    ['Expires', at(expiresAt)],
    ['Clock', 'Times use this computer’s clock'],
    ['Refresh', refreshable ? 'Automatic' : 'Needs a sign-in'],
  ] as const;
  return (
    <dl className="rb-facts">
      <FactRows facts={facts} />
    </dl>
  );
}

/** The service did not return the scope. */
function formatRequested(scope: string | null): string {
  return scope === null ? 'None requested, none returned' : `${scope} (as requested)`;
}

function Actions({ card, isBusy }: { readonly card: TokenCard; readonly isBusy: boolean }) {
  const { owner, refreshable } = card;
  const { refresh, deleteToken, revoke } = useApp((all) => all.session);
  const [isConfirming, setConfirming] = useState(false);
  const [endpoint, setEndpoint] = useState('');
  if (card.obtainedAt === null) return null;
  return (
    <div className={`rb-row rb-wrap ${classes.actions}`}>
      {refreshable && (
        <TaskButton variant="light" disabled={isBusy} leftSection={<IconRefresh />} task={() => refresh(owner)}>
          Refresh now
        </TaskButton>
      )}
      <TaskButton disabled={isBusy} task={() => deleteToken(owner)}>
        {owner === 'user' ? 'Sign out' : 'Delete token'}
      </TaskButton>
      <Button disabled={isBusy} onClick={() => setConfirming(true)}>
        Revoke…
      </Button>
      {isConfirming && (
        <ConfirmDialog
          title={owner === 'user' ? 'Revoke the user token?' : 'Revoke the application token?'}
          confirmLabel="Revoke"
          onConfirm={() => void revoke(owner, endpoint.trim())}
          onClose={() => setConfirming(false)}
        >
          Revokes the token and deletes it here. Other clients that use it lose access.
          <TextInput
            mt="sm"
            label="Revocation URL"
            description="Only needed if it is not in the service’s metadata. Look for it in the service’s documentation."
            value={endpoint}
            onChange={(event) => setEndpoint(event.currentTarget.value)}
          />
        </ConfirmDialog>
      )}
    </div>
  );
}

const names: Readonly<Record<Revealable, string>> = { access_token: 'Access token', refresh_token: 'Refresh token' };

/** The token is masked until the user reveals it, and this component has it only while it is shown. */
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
