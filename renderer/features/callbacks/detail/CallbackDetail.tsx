// One callback: the verdict, then request and response side by side, then the attempts of its delivery.
import { ActionIcon, Button } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { IconFileCertificate, IconGitCompare, IconSend, IconTerminal2, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Callback } from '@rainbell/contract/app-rpc';
import { CopyLink } from '../../../widgets/CopyLink.tsx';
import { useApp } from '../../../store/use-app.ts';
import { useCommands } from '../../../store/use-commands.ts';
import { useCopy } from '../../../store/use-copy.ts';
import { callbackCommands, readableHeaders } from '@rainbell/shared';
import { DetailCard } from '../../../widgets/DetailCard.tsx';
import { formatSize } from '../../../ui/text/durations.ts';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { SegmentedControl } from '../../../ui/controls/SegmentedControl.tsx';
import { useLogTimes } from '../../../widgets/use-log-times.ts';
import { HeaderTable } from '../../../viewers/HeaderTable.tsx';
import { callbackCode } from '../../../viewers/request-code.ts';
import { CallbackBody } from './CallbackBody.tsx';
import { CallbackResponse } from './CallbackResponse.tsx';
import { formatShortOutcome, isBadOutcome } from '../common/outcome-text.ts';
import { CopyAsDialog } from './CopyAsDialog.tsx';
import { DeliveryAttempts, EventOutcome } from './DeliveryAttempts.tsx';
import { HourStrip } from './HourStrip.tsx';
import { NoteEditor } from './NoteEditor.tsx';
import { ProofDialog } from './ProofDialog.tsx';
import { RawRequest } from './RawRequest.tsx';
import { SendDialog } from '../send/SendDialog.tsx';
import { SendList } from './SendList.tsx';
import { SignatureDiagnosis } from './SignatureDiagnosis.tsx';
import { VerdictCard } from './VerdictCard.tsx';
import { smallest, useSavedShare } from '../../../ui/controls/saved-share.ts';
import { SplitHandle } from '../../../ui/controls/SplitHandle.tsx';
import classes from './CallbackDetail.module.css';

export function CallbackDetail() {
  const selectedId = useApp((state) => state.callbacks.selectedId);
  const selected = useApp((state) => state.callbacks.selected);
  const request = useApp((state) => state.callbacks.selectedRequest);
  const select = useApp((state) => state.callbacks.select);
  return (
    <DetailCard
      label="Callback"
      isChosen={selectedId !== null}
      emptyText="Choose a callback to see its body and headers."
      loadingText="Loading callback"
      failedTitle="Couldn’t load the callback"
      request={request}
      onRetry={() => selectedId !== null && void select(selectedId)}
    >
      {selected && <Detail key={selected.id} callback={selected} />}
    </DetailCard>
  );
}

function Detail({ callback }: { readonly callback: Callback }) {
  const { ref, width } = useElementSize();
  const isRefused = callback.refusal !== null;
  return (
    <div ref={ref} className="rb-stack">
      <Head callback={callback} />
      <VerdictCard callback={callback} />
      {!isRefused && <EventOutcome callback={callback} />}
      <SignatureDiagnosis callback={callback} />
      {callback.truncated && (
        <p className="rb-notice" data-tone="warn">
          {callback.refusal
            ? `Only the first ${formatSize(callback.sizeBytes)} of the request is stored.`
            : `The body was truncated at the receiver’s limit; ${formatSize(callback.sizeBytes)} is stored.`}
        </p>
      )}
      <Halves callback={callback} areTabs={width > 0 && width < halvesFrom} />
      {!isRefused && <DeliveryAttempts callback={callback} />}
      <HourStrip callback={callback} />
      <NoteEditor callback={callback} />
    </div>
  );
}

function toneOf(callback: Callback): 'plain' | 'bad' | 'good' {
  if (callback.isByFeed) return 'plain';
  return isBadOutcome(callback) ? 'bad' : 'good';
}

function wayOf({ isByFeed, remoteAddress, httpVersion }: Callback): string {
  if (isByFeed) return `From the feed at ${remoteAddress}`;
  return httpVersion === '' ? remoteAddress : `${remoteAddress} · HTTP/${httpVersion}`;
}

/** Narrower, request and response are two tabs. */
const halvesFrom = 560;

function Head({ callback }: { readonly callback: Callback }) {
  const { id, method, target, refusal } = callback;
  const [open, setOpen] = useState<'send' | 'copy' | 'proof' | null>(null);
  const baseUrl = useApp((state) => state.frame.status?.receiver.baseUrl) ?? 'http://127.0.0.1:4545';
  const remove = useApp((state) => state.callbackSelection.remove);
  const selectMany = useApp((state) => state.callbackSelection.selectMany);
  const times = useLogTimes();
  const copy = useCopy();
  const at = Date.parse(callback.receivedAt);
  const canResend = refusal === null;
  useCommands(callbackCommands, {
    'callback.curl': canResend
      ? () => copy({ text: callbackCode('cURL', callback, baseUrl).text, message: 'Callback copied as cURL' })
      : undefined,
    'callback.resend': canResend ? () => setOpen('send') : undefined,
  });
  return (
    <header className={`rb-column ${classes.head}`}>
      <div className={`rb-row rb-wrap ${classes.title}`} data-subject>
        <h2>
          <b className="rb-mono rb-tone" data-tone={method === 'POST' ? 'good' : 'accent'}>
            {method}
          </b>{' '}
          <span className="rb-mono">
            <ForeignText text={target} canShowMore />
          </span>
        </h2>
        <span className="rb-row rb-tight rb-note">
          {`${times.day(at)} ${times.clockMilliseconds(at)} ${times.zoneName(at)} · ${wayOf(callback)} · ${formatSize(callback.sizeBytes)}`}
        </span>
        <span className="rb-row rb-tight rb-note rb-end">
          #{id.toLocaleString('en')}
          <CopyLink label="Copy link to this callback" item={id} />
          {canResend && (
            <ActionIcon
              variant="subtle"
              size="sm"
              aria-label="Export as a page"
              title="Export as a page"
              onClick={() => setOpen('proof')}
            >
              <IconFileCertificate size={16} />
            </ActionIcon>
          )}
        </span>
      </div>
      <div className={`rb-row rb-wrap ${classes.actions}`}>
        {canResend && (
          <>
            <Button variant="default" leftSection={<IconSend size={15} />} onClick={() => setOpen('send')}>
              Replay
            </Button>
            <Button variant="default" leftSection={<IconTerminal2 size={15} />} onClick={() => setOpen('copy')}>
              Copy as…
            </Button>
          </>
        )}
        <Button variant="default" leftSection={<IconGitCompare size={15} />} onClick={() => selectMany([id])}>
          Select to compare
        </Button>
        <span className="rb-fill" />
        <Button
          variant="default"
          className="rb-tone"
          data-tone="bad"
          leftSection={<IconTrash size={15} />}
          onClick={() => void remove({ kind: 'ids', ids: [id] })}
        >
          Delete
        </Button>
      </div>
      {open === 'send' && <SendDialog callback={callback} onClose={() => setOpen(null)} />}
      {open === 'proof' && <ProofDialog callback={callback} onClose={() => setOpen(null)} />}
      {open === 'copy' && <CopyAsDialog callback={callback} baseUrl={baseUrl} onClose={() => setOpen(null)} />}
    </header>
  );
}

type Half = 'request' | 'response';

function Halves({ callback, areTabs }: { readonly callback: Callback; readonly areTabs: boolean }) {
  const tab = useApp((state) => state.callbacks.tab);
  const showTab = useApp((state) => state.callbacks.showTab);
  const { share, resize } = useSavedShare('callbacks.half', 45);
  const half: Half = tab === 'response' ? 'response' : 'request';
  if (callback.refusal !== null) return <RequestHalf callback={callback} />;
  if (areTabs)
    return (
      <div className="rb-column">
        <SegmentedControl<Half>
          size="xs"
          aria-label="Request or response"
          value={half}
          onChange={(wanted) => showTab(wanted === 'response' ? 'response' : 'body')}
          data={[
            { value: 'request', label: 'Request' },
            { value: 'response', label: 'Response' },
          ]}
        />
        {half === 'request' ? <RequestHalf callback={callback} /> : <ResponseHalf callback={callback} />}
      </div>
    );
  return (
    <div
      className={classes.halves}
      style={{ gridTemplateColumns: `minmax(0, ${100 - share}fr) 1px minmax(0, ${share}fr)` }}
    >
      <RequestHalf callback={callback} />
      <SplitHandle
        label="Width of the request pane"
        share={share}
        onResize={resize}
        onCollapse={() => resize(smallest)}
      />
      <ResponseHalf callback={callback} />
    </div>
  );
}

const requestTabs = ['body', 'headers', 'raw', 'sent'] as const;

function RequestHalf({ callback }: { readonly callback: Callback }) {
  const chosen = useApp((state) => state.callbacks.tab);
  const showTab = useApp((state) => state.callbacks.showTab);
  const tab = callback.refusal !== null ? 'body' : (requestTabs.find((one) => one === chosen) ?? 'body');
  return (
    <section className="rb-column rb-break" aria-label="Request">
      <h3>Request</h3>
      <SegmentedControl
        size="xs"
        aria-label="Callback details"
        value={tab}
        onChange={showTab}
        data={
          callback.refusal !== null
            ? [{ value: 'body', label: 'First bytes' }]
            : [
                { value: 'body', label: 'Body' },
                { value: 'headers', label: `Headers ${callback.headers.length}` },
                { value: 'raw', label: 'Raw' },
                { value: 'sent', label: `Sent ${callback.sends.length}` },
              ]
        }
      />
      {tab === 'body' && <CallbackBody callback={callback} />}
      {tab === 'headers' && (
        <>
          <HeaderTable headers={readableHeaders(callback.headers)} />
          {callback.trailers.length > 0 && (
            <>
              <h4>Trailers</h4>
              <HeaderTable headers={readableHeaders(callback.trailers)} label="Trailers" />
            </>
          )}
        </>
      )}
      {tab === 'raw' && <RawRequest callback={callback} />}
      {tab === 'sent' && <SendList sends={callback.sends} />}
    </section>
  );
}

function ResponseHalf({ callback }: { readonly callback: Callback }) {
  return (
    <section className="rb-column rb-break" aria-label="Response">
      <h3>
        Response{' '}
        <span className="rb-badge" data-tone={toneOf(callback)}>
          {formatShortOutcome(callback)}
        </span>
      </h3>
      <CallbackResponse callback={callback} />
    </section>
  );
}
