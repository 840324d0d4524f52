// One exchange: the answer's body, both sides' headers, and how long each phase took.
import { IconAlertTriangle, IconRepeat, IconTerminal2 } from '@tabler/icons-react';
import type { TrafficEntry } from '@rainbell/contract/app-rpc';
import { useApp } from '../../store/use-app.ts';
import { Badge } from '../../ui/controls/Badge.tsx';
import { CopyIcon } from '../../ui/controls/CopyIcon.tsx';
import { DetailCard } from '../../widgets/DetailCard.tsx';
import { formatSize } from '../../ui/text/durations.ts';
import { ForeignText } from '../../ui/text/ForeignText.tsx';
import { ListOutline, RequestNotice } from '../../widgets/RequestNotice.tsx';
import { readableHeaders } from '@rainbell/shared';
import { useLogTimes } from '../../widgets/use-log-times.ts';
import { CodeView } from '../../viewers/CodeView.tsx';
import { HeaderTable } from '../../viewers/HeaderTable.tsx';
import { requestCode } from '../../viewers/request-code.ts';
import { ActionIcon, SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { ConfirmDialog } from '../../ui/dialogs/ConfirmDialog.tsx';

export function TrafficDetail() {
  const { selectedId, selected, selectedRequest, replaying, select } = useApp((state) => state.traffic);
  return (
    <DetailCard
      label="Request details"
      isChosen={selectedId !== null}
      emptyText="Choose a request to see its headers and body."
    >
      <RequestNotice
        request={selectedRequest}
        failedTitle="Couldn’t load the request details"
        loadingText="Loading request details"
        outline={<ListOutline rows={4} />}
        onRetry={() => void select(selectedId)}
      />
      <RequestNotice request={replaying} failedTitle="Couldn’t send the request again" />
      {selected && <Detail key={selected.id} entry={selected} />}
    </DetailCard>
  );
}

function Detail({ entry }: { readonly entry: TrafficEntry }) {
  const { tab, showTab } = useApp((state) => state.traffic);
  const times = useLogTimes();
  const at = Date.parse(entry.at);
  const { method, url, status, connectionName, problem, requestHeaders: headers, requestBody: body } = entry;
  const curl = requestCode('cURL', { method, url, headers, body });
  return (
    <>
      <div className="rb-row">
        <h2 className="rb-fill rb-break">
          {method}{' '}
          <span className="rb-mono">
            <ForeignText text={url} canShowMore />
          </span>
        </h2>
        <ReplayButton entry={entry} />
        <CopyIcon text={curl} label="Copy as cURL" icon={<IconTerminal2 size={17} />} />
      </div>
      <p className="rb-note">
        <Badge tone={status === null || status >= 400 ? 'bad' : 'good'}>{status ?? 'no response'}</Badge>{' '}
        {connectionName} · {times.day(at)}, {times.clockMilliseconds(at)} · {formatSize(entry.sizeBytes)}
      </p>
      {problem && (
        <p className="rb-notice" data-tone="bad">
          <IconAlertTriangle size={17} aria-hidden />{' '}
          <span>
            <ForeignText text={problem.message} canShowMore />
          </span>
        </p>
      )}
      {entry.kind === 'token' && (
        <p>
          Token requests can’t be sent again: their secrets aren’t stored, and a refresh token may work only once. Get a
          new token on the Access screen.
        </p>
      )}
      <Timing timing={entry.timing} />
      <SegmentedControl
        size="xs"
        aria-label="Part of the request"
        value={tab}
        onChange={showTab}
        data={[
          { value: 'answer', label: 'Response' },
          { value: 'request', label: 'Request' },
          { value: 'headers', label: 'Headers' },
        ]}
      />
      {tab === 'answer' && (
        <Body
          text={entry.responseBody}
          label="Response body"
          copyLabel="Copy the response body"
          isCut={entry.truncated}
          none="The response has no body."
        />
      )}
      {tab === 'request' && (
        <Body
          text={entry.requestBody ?? ''}
          label="Request body"
          copyLabel="Copy the request body"
          isCut={false}
          none="The request had no body."
        />
      )}
      {tab === 'headers' && <Headers entry={entry} />}
    </>
  );
}

/** A reused connection has neither lookup nor connect; without a response the last phase is the wait for one. */
function Timing({ timing }: Pick<TrafficEntry, 'timing'>) {
  const { lookedUpMs, connectedMs, securedMs, firstByteMs, totalMs } = timing;
  const ends: readonly [name: string, ms: number | null][] = [
    ['DNS lookup', lookedUpMs],
    ['Connect', connectedMs],
    ['TLS', securedMs],
    [firstByteMs === null ? 'Wait (no response)' : 'Wait for the first byte', firstByteMs ?? totalMs],
    ['Read the response', firstByteMs === null ? null : totalMs],
  ];
  const passed = ends.flatMap(([name, ms]) => (ms === null ? [] : [{ name, ms }]));
  return (
    <ul className="rb-row rb-wrap rb-note" aria-label="Timing">
      {passed.map(({ name, ms }, index) => (
        <li key={name}>{`${name} ${formatMilliseconds(Math.max(0, ms - (passed[index - 1]?.ms ?? 0)))}`}</li>
      ))}
      <li>{`${formatMilliseconds(totalMs)} in total`}</li>
    </ul>
  );
}

function formatMilliseconds(ms: number): string {
  return `${Number(ms.toFixed(1)).toLocaleString('en')} ms`;
}

type BodyProps = { text: string; label: string; copyLabel: string; isCut: boolean; none: string };

function Body({ text, label, copyLabel, isCut, none }: Readonly<BodyProps>) {
  if (text === '') return <p className="rb-dim">{none}</p>;
  return (
    <div className="rb-column">
      <CodeView source={text} label={label} />
      <div className="rb-row rb-wrap rb-note">
        {isCut && <span>Only the first part is stored.</span>}
        <CopyIcon text={text} label={copyLabel} />
      </div>
    </div>
  );
}

function Headers({ entry: { requestHeaders, responseHeaders } }: { readonly entry: TrafficEntry }) {
  return (
    <div className="rb-column">
      <h3>Request</h3>
      <HeaderTable headers={requestHeaders} />
      <h3>Response</h3>
      {responseHeaders.length === 0 ? (
        <p className="rb-dim">No response</p>
      ) : (
        <HeaderTable headers={readableHeaders(responseHeaders)} />
      )}
    </div>
  );
}

/** Sends an exchange again: a GET at once, what may change something only after asking. */
function ReplayButton({ entry: { id, kind, method, url, connectionName } }: { readonly entry: TrafficEntry }) {
  const { replay, replaying } = useApp((state) => state.traffic);
  const [isConfirming, setConfirming] = useState(false);
  // A token request holds secrets, which the log does not keep.
  if (kind === 'token') return null;
  return (
    <>
      <ActionIcon
        aria-label="Send again"
        title="Send again with the current token"
        loading={replaying.state === 'loading'}
        onClick={() => (method === 'GET' ? void replay(id) : setConfirming(true))}
      >
        <IconRepeat />
      </ActionIcon>
      {isConfirming && (
        <ConfirmDialog
          title={`Send this ${method} again?`}
          confirmLabel="Send again"
          tone="plain"
          onConfirm={() => replay(id)}
          onClose={() => setConfirming(false)}
        >
          This may change data on {connectionName}.
          <p>
            {method}{' '}
            <span className="rb-mono rb-break">
              <ForeignText text={url} canShowMore />
            </span>
          </p>
          <RequestNotice request={replaying} failedTitle="Couldn’t send the request again" />
        </ConfirmDialog>
      )}
    </>
  );
}
