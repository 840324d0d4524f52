// "Develop a handler", the same as `rainbell dev`: what a sender sends to the user's handler, what the handler responds, and what is
// wrong with it.
import { Loader, NativeSelect, PasswordInput, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { checkCaseTitles, type CheckedCase, type HandlerSession } from '@rainbell/contract/app-rpc';
import { plural } from '@rainbell/shared';
import { useApp } from '../../store/use-app.ts';
import { Term } from '../../ui/controls/FactRows.tsx';
import { Card } from '../../ui/controls/Card.tsx';
import { CardScreen } from '../../ui/controls/CardScreen.tsx';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { boundFields } from '../../ui/hooks/bound-fields.ts';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { CodeView } from '../../viewers/CodeView.tsx';
import { LearnMore } from '../../widgets/LearnMore.tsx';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';
import { RelayedCard } from './RelayedCard.tsx';

export function HandlerScreen() {
  const { session, request, loading, load } = useApp((state) => state.handler);
  useEffect(() => void load(), [load]);
  return (
    <CardScreen
      title="Develop a handler"
      intro={
        <>
          Relays events to your webhook handler, shows each request beside the response, and names the handler’s bug.{' '}
          <LearnMore to="callbacks?at=develop-a-handler" about="developing a handler" />
        </>
      }
    >
      <RequestNotice
        request={loading}
        failedTitle="Couldn’t load the handler’s events"
        hasData={session !== undefined}
        onRetry={() => void load()}
      />
      <RequestNotice request={request} failedTitle="That didn’t work" />
      {session === null && <StartCard />}
      {session && (
        <>
          <SessionCard session={session} />
          <CheckCard session={session} />
          <RelayedCard session={session} />
        </>
      )}
    </CardScreen>
  );
}

const own = 'rainbell';

function StartCard() {
  const { start, senders, loadSenders } = useApp((state) => state.handler);
  const [form, setForm] = useState({ url: 'http://localhost:3000/', sender: own, secret: '' });
  const { text } = boundFields(form, setForm);
  useEffect(() => void loadSenders(), [loadSenders]);
  const isOwn = form.sender === own;
  const wanted = { url: form.url.trim(), sender: isOwn ? null : form.sender, secret: form.secret.trim() || null };
  return (
    <Card title="Your handler">
      <form className="rb-stack" onSubmit={(event) => event.preventDefault()}>
        <TextInput label="URL" inputMode="url" {...text('url')} />
        <NativeSelect
          label="Sender"
          data={[{ value: own, label: 'Rainbell' }, ...senders.map(({ id, name }) => ({ value: id, label: name }))]}
          {...text('sender')}
        />
        <PasswordInput
          label="Webhook secret"
          description={
            isOwn
              ? 'Leave empty to use the connection’s secret. A secret that you enter isn’t stored.'
              : 'The one that your handler has for this sender. It isn’t stored.'
          }
          autoComplete="off"
          {...text('secret')}
        />
        <p className="rb-note">
          Sends up to 500 test events to this URL, which your handler will process. Use only your own handler.
        </p>
        <div className="rb-buttons">
          <TaskButton
            variant="filled"
            type="submit"
            disabled={wanted.url === '' || (!isOwn && wanted.secret === null)}
            task={() => start(wanted)}
          >
            Start
          </TaskButton>
        </div>
      </form>
    </Card>
  );
}

function SessionCard({ session }: { readonly session: HandlerSession }) {
  const { stop, check, sendEvent, rain, secret, showSecret } = useApp((state) => state.handler);
  const { url, receiverUrl, canRain, accepted, refused } = session;
  return (
    <Card title={url}>
      <dl className="rb-terms">
        <Term name="Send events to" className="rb-row rb-tight rb-mono">
          <span>{receiverUrl}</span> <CopyIcon text={receiverUrl} label="Copy the URL" />
        </Term>
        <Term name="Secret" className="rb-row rb-tight">
          {secret === undefined && canRain && (
            <TaskButton size="compact-xs" task={showSecret}>
              Show secret
            </TaskButton>
          )}
          {secret && (
            <>
              <span className="rb-mono">{secret}</span> <CopyIcon text={secret} label="Copy the secret" />
            </>
          )}
          {(secret === null || !canRain) && 'The one that you entered, or the connection’s'}
        </Term>
        <Term name="Responses">
          {plural(refused, ['{accepted} with 2xx, # other', '{accepted} with 2xx, # others'], { accepted })}
        </Term>
      </dl>
      <div className="rb-row rb-wrap">
        <TaskButton variant="filled" task={sendEvent}>
          Send event
        </TaskButton>
        {canRain && <TaskButton task={rain}>Make it rain</TaskButton>}
        <TaskButton disabled={session.checking !== null} task={check}>
          Check
        </TaskButton>
        <TaskButton task={stop}>Stop</TaskButton>
      </div>
    </Card>
  );
}

/** The newest check of the handler, in the words of `rainbell dev`: the bug, what to do, a right handler, and the cases. */
function CheckCard({ session }: { readonly session: HandlerSession }) {
  const { checking, entries } = session;
  const checked = entries.findLast((entry) => entry.kind === 'checked');
  return (
    <Card title="Check">
      {checking !== null && (
        <p className="rb-row rb-tight" role="status">
          <Loader size="xs" aria-hidden /> {`${checking}…`}
        </p>
      )}
      {checked && (
        <>
          <p className="rb-strong rb-tone" data-tone={checked.isRight ? 'good' : 'bad'}>
            {`${checked.isRight ? 'Passed' : 'Failed'} · ${checked.summary}`}
          </p>
          <ul className="rb-lines" aria-label="Bugs">
            {checked.problems.map(({ cause, does, should }) => (
              <li key={cause}>
                <strong>
                  <ForeignText text={does} limit={1000} />
                </strong>{' '}
                {should}
              </li>
            ))}
          </ul>
          {checked.example && (
            <details>
              <summary>A right handler</summary>
              <CodeView source={checked.example} as="text" label="A right handler" />
            </details>
          )}
          {checked.cases.length > 0 && <Cases cases={checked.cases} />}
        </>
      )}
    </Card>
  );
}

const results = {
  passed: { label: 'Passed', tone: 'good' },
  failed: { label: 'Failed', tone: 'bad' },
  'not-visible': { label: 'Not verifiable', tone: 'plain' },
} as const;

function Cases({ cases }: { readonly cases: readonly CheckedCase[] }) {
  return (
    <details>
      <summary>Cases</summary>
      <ul className="rb-lines" aria-label="Cases">
        {cases.map(({ case: id, result, findings }) => (
          <li key={id}>
            <span className="rb-row">
              <span className="rb-fill">{checkCaseTitles[id]}</span>
              <span className="rb-small rb-strong rb-tone" data-tone={results[result].tone}>
                {results[result].label}
              </span>
            </span>
            {findings
              .filter((finding) => finding.result !== 'passed')
              .map(({ what, result: one, detail }) => (
                <p key={what} className="rb-note rb-break" data-bad={one === 'failed' || undefined}>
                  <ForeignText
                    text={`${one === 'failed' ? 'Expected' : results[one].label}: ${what}. ${detail}`}
                    limit={1500}
                  />
                </p>
              ))}
          </li>
        ))}
      </ul>
    </details>
  );
}
