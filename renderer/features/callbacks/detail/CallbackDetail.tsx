// One callback: the verdict in one line, the body and its other parts as tabs, then the attempts of its delivery.
import { selectMonitors } from '../../monitors/selectors.ts';
import { Accordion, ActionIcon, Anchor, Button, Menu, SegmentedControl, Textarea } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import { type Callback, isAccepted } from '@rainbell/contract/app-rpc';
import { useApp } from '../../../store/use-app.ts';
import { useCommands } from '../../../store/use-commands.ts';
import { useCopy } from '../../../store/use-copy.ts';
import { callbackCommands, hiddenCharactersNote, readableHeaders } from '@rainbell/shared';
import { DetailCard } from '../../../widgets/DetailCard.tsx';
import { formatSize } from '../../../ui/text/durations.ts';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import { HeaderTable } from '../../../viewers/HeaderTable.tsx';
import { callbackCode } from '../../../viewers/request-code.ts';
import { CallbackBody } from './CallbackBody.tsx';
import { describeOutcome, formatShortOutcome } from '../common/outcome-text.ts';
import { CopyAsDialog } from './CopyAsDialog.tsx';
import { DeliveryAttempts } from './DeliveryAttempts.tsx';
import { HourStrip } from './HourStrip.tsx';
import { ProofDialog } from './ProofDialog.tsx';
import { RawRequest } from './RawRequest.tsx';
import { SendDialog } from '../send/SendDialog.tsx';
import { VerdictCard } from './VerdictCard.tsx';
import classes from './CallbackDetail.module.css';
import { CodeView } from '../../../viewers/CodeView.tsx';
import { formatSendOutcome, sendLabels, SendResponse } from '../send/SendResponse.tsx';
import { ListOutline, RequestNotice } from '../../../widgets/RequestNotice.tsx';

export function CallbackDetail() {
  const selectedId = useApp((state) => state.callbacks.selectedId);
  const selected = useApp((state) => state.callbacks.selected);
  const request = useApp((state) => state.callbacks.selectedRequest);
  const select = useApp((state) => state.callbacks.select);
  /** Stays open from one callback to the next. */
  const [isVerdictOpen, setVerdictOpen] = useState(false);
  return (
    <DetailCard
      label="Callback"
      isChosen={selectedId !== null}
      emptyText="Choose a callback to see its body and headers."
    >
      <RequestNotice
        request={request}
        failedTitle="Couldn’t load the callback"
        loadingText="Loading callback"
        outline={<ListOutline rows={4} />}
        onRetry={() => void select(selectedId)}
      />
      {selected && (
        <Detail key={selected.id} callback={selected} isVerdictOpen={isVerdictOpen} onVerdict={setVerdictOpen} />
      )}
    </DetailCard>
  );
}

type DetailProps = { callback: Callback; isVerdictOpen: boolean; onVerdict: (isOpen: boolean) => void };

function Detail({ callback, isVerdictOpen, onVerdict }: Readonly<DetailProps>) {
  return (
    <div className="rb-stack">
      <Head callback={callback} />
      <VerdictCard callback={callback} isOpen={isVerdictOpen} onOpen={onVerdict} />
      {callback.truncated && (
        <p className="rb-notice" data-tone="warn">
          {callback.refusal
            ? `Only the first ${formatSize(callback.sizeBytes)} of the request is stored.`
            : `The body was truncated at the receiver’s limit; ${formatSize(callback.sizeBytes)} is stored.`}
        </p>
      )}
      <Episode callback={callback} />
      <Actions callback={callback} />
      <Tabs callback={callback} />
      {callback.refusal === null && <DeliveryAttempts callback={callback} />}
      <HourStrip callback={callback} />
      <NoteEditor callback={callback} />
    </div>
  );
}

const partLabels: Readonly<Record<Callback['episode'][number]['type'], string>> = {
  'precipitation.expected': 'Expected',
  'precipitation.started': 'Started',
  'precipitation.ended': 'Ended',
  'precipitation.canceled': 'Canceled',
};

/** The events of one rain as one story: Expected 13:45 → Started 14:02 → Ended 15:40, 6.1 mm. */
function Episode({ callback: { id, episode } }: { readonly callback: Callback }) {
  const times = useLogTimes();
  if (episode.length === 0) return null;
  return (
    <ol className={`rb-row rb-wrap ${classes.episode}`} aria-label="Episode">
      {episode.map(({ callbackId, type, at, amount }) => {
        const time = at === null || type === 'precipitation.canceled' ? '' : ` ${times.clock(Date.parse(at))}`;
        const total = type === 'precipitation.ended' && amount !== null ? `, ${amount} mm` : '';
        const text = `${partLabels[type]}${time}${total}`;
        return (
          <li key={type}>
            {callbackId === id ? (
              <b>{text}</b>
            ) : (
              <Anchor inherit href={`#/callbacks/${callbackId}`}>
                {text}
              </Anchor>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function wayOf({ isByFeed, remoteAddress, httpVersion }: Callback): string {
  if (isByFeed) return `From the feed at ${remoteAddress}`;
  return httpVersion === '' ? remoteAddress : `${remoteAddress} · HTTP/${httpVersion}`;
}

function Head({ callback }: { readonly callback: Callback }) {
  const { id, method, target, sender, monitorId, isMonitorOwn } = callback;
  const name = useApp((state) => selectMonitors(state).find((one) => one.id === monitorId)?.name ?? '');
  const times = useLogTimes();
  const at = Date.parse(callback.receivedAt);
  return (
    <header className={`rb-row rb-wrap ${classes.title}`}>
      <h2 className="rb-medium">
        {sender !== undefined && <b>{sender} </b>}
        {monitorId !== null && isMonitorOwn && (
          <Anchor inherit href={`#/monitors/${encodeURIComponent(monitorId)}`} className="rb-strong">
            <ForeignText text={name === '' ? monitorId : name} limit={60} />
          </Anchor>
        )}
        {monitorId !== null && !isMonitorOwn && (
          <span className="rb-dim">
            Claimed monitor: <ForeignText text={monitorId} limit={60} />
          </span>
        )}{' '}
        <b className="rb-mono rb-tone" data-tone={method === 'POST' ? 'good' : 'accent'}>
          {method}
        </b>{' '}
        <span className="rb-mono">
          <ForeignText text={target} canShowMore />
        </span>
      </h2>
      <span className="rb-note">
        {`${times.day(at)} ${times.clockMilliseconds(at)} ${times.zoneName(at)} · #${id.toLocaleString('en')}`}
      </span>
    </header>
  );
}

function Actions({ callback }: { readonly callback: Callback }) {
  const { id, refusal } = callback;
  const [open, setOpen] = useState<'send' | 'copy' | 'proof' | null>(null);
  const baseUrl = useApp((state) => state.frame.status?.receiver.baseUrl) ?? 'http://127.0.0.1:4545';
  const remove = useApp((state) => state.callbackSelection.remove);
  const copy = useCopy();
  const canResend = refusal === null;
  useCommands(callbackCommands, {
    'callback.curl': canResend
      ? () => copy({ text: callbackCode('cURL', callback, baseUrl).text, message: 'Callback copied as cURL' })
      : undefined,
    'callback.resend': canResend ? () => setOpen('send') : undefined,
  });
  return (
    <div className="rb-row">
      {canResend && (
        <>
          <Button variant="filled" onClick={() => setOpen('send')}>
            Replay
          </Button>
          <Button onClick={() => setOpen('copy')}>Copy as…</Button>
        </>
      )}
      <span className="rb-fill" />
      <Menu>
        <Menu.Target>
          <ActionIcon variant="default" aria-label="More actions">
            <IconDots />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {canResend && <Menu.Item onClick={() => setOpen('proof')}>Export as a page…</Menu.Item>}
          <Menu.Item color="red" onClick={() => void remove({ kind: 'ids', ids: [id] })}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {open === 'send' && <SendDialog callback={callback} onClose={() => setOpen(null)} />}
      {open === 'proof' && <ProofDialog id={id} onClose={() => setOpen(null)} />}
      {open === 'copy' && <CopyAsDialog callback={callback} baseUrl={baseUrl} onClose={() => setOpen(null)} />}
    </div>
  );
}

function Tabs({ callback }: { readonly callback: Callback }) {
  const chosen = useApp((state) => state.callbacks.tab);
  const showTab = useApp((state) => state.callbacks.showTab);
  const { refusal, headers, trailers, sends } = callback;
  const tab = refusal === null ? chosen : 'body';
  return (
    <section className="rb-column rb-break" aria-label="Contents">
      {refusal === null ? (
        <SegmentedControl
          size="xs"
          aria-label="Callback details"
          value={tab}
          onChange={showTab}
          data={[
            { value: 'body', label: 'Body' },
            { value: 'headers', label: `Headers ${headers.length}` },
            { value: 'raw', label: 'Raw' },
            { value: 'response', label: `Response ${formatShortOutcome(callback)}` },
            { value: 'sent', label: `Sent ${sends.length}` },
          ]}
        />
      ) : (
        <h3>First bytes</h3>
      )}
      {tab === 'body' && <CallbackBody callback={callback} />}
      {tab === 'headers' && (
        <>
          <HeaderTable headers={readableHeaders(headers)} />
          {trailers.length > 0 && (
            <>
              <h4>Trailers</h4>
              <HeaderTable headers={readableHeaders(trailers)} label="Trailers" />
            </>
          )}
        </>
      )}
      {tab === 'raw' && <RawRequest callback={callback} />}
      {tab === 'response' && <CallbackResponse callback={callback} />}
      {tab === 'sent' && <SendList sends={sends} />}
      <p className="rb-note">{`${formatSize(callback.sizeBytes)} · ${wayOf(callback)}`}</p>
    </section>
  );
}

/** What was sent, or what was planned if the connection ended first. */
function CallbackResponse({ callback }: { readonly callback: Callback }) {
  const { answer, outcome } = callback;
  const body = answer?.body ?? '';
  const facts = [
    ...describeOutcome(callback),
    ...(outcome.bytesSent === null ? [] : [`sent: ${formatSize(outcome.bytesSent)}`]),
  ];
  return (
    <div className="rb-column">
      <p className="rb-note">
        {facts.join(' · ')}
        {outcome.kind !== 'answered' && answer?.action === 'answer' && (
          <>
            <br />
            The planned response is shown below.
          </>
        )}
      </p>
      {answer?.action === 'answer' && <HeaderTable headers={answer.headers} />}
      {body !== '' && <CodeView source={body} label="Response body" />}
    </div>
  );
}

function SendList({ sends }: Pick<Callback, 'sends'>) {
  const times = useLogTimes();
  if (sends.length === 0) return <p className="rb-dim">Not replayed or forwarded yet.</p>;
  return (
    <Accordion variant="contained" aria-label="Replays and forwards of this callback">
      {sends.map((send) => (
        <Accordion.Item key={send.id} value={String(send.id)}>
          <Accordion.Control>
            <span className="rb-small rb-break" data-bad={isAccepted(send) ? undefined : true}>
              {times.clockSeconds(Date.parse(send.startedAt))} · {sendLabels[send.kind]} ·{' '}
              <ForeignText text={`${URL.parse(send.url)?.host ?? send.url} · ${formatSendOutcome(send)}`} limit={300} />
            </span>
          </Accordion.Control>
          <Accordion.Panel>
            <SendResponse send={send} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  );
}

/** The user's own note, saved when the field loses focus. */
function NoteEditor({ callback }: { readonly callback: Pick<Callback, 'id' | 'note'> }) {
  const { setNote, noting } = useApp((state) => state.callbacks);
  const [note, setTyped] = useState(callback.note);
  const save = () => {
    if (note !== callback.note) void setNote(callback.id, note);
  };
  return (
    <>
      <Textarea
        spellCheck
        label="Note"
        placeholder="Only for you. To search notes, use note:text"
        autosize
        maxRows={6}
        maxLength={10_000}
        description={hiddenCharactersNote(note)}
        value={note}
        onChange={(event) => setTyped(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save();
        }}
      />
      <RequestNotice request={noting} failedTitle="Couldn’t save the note" />
    </>
  );
}
