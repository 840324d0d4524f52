// One callback: its body, its headers in their order, what was answered, what the checks found, and what was sent from it.
import { ActionIcon } from '@mantine/core';
import {
  IconCode,
  IconRepeat,
  IconTerminal2,
  IconGripVertical,
  IconAlertTriangle,
  IconCheck,
  IconHelp,
  IconX,
  type TablerIcon,
} from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Callback, CallbackCheck } from '#contract/app-rpc/callbacks.ts';
import { CopyLink } from '#renderer/widgets/CopyLink.tsx';
import { useApp } from '#renderer/store/use-app.ts';
import { useCommands } from '#renderer/store/use-commands.ts';
import { useCopy } from '#renderer/store/use-copy.ts';
import { callbackCommands } from '#shared/commands/list-commands.ts';
import { CopyIcon } from '#renderer/ui/controls/CopyIcon.tsx';
import { DetailCard } from '#renderer/widgets/DetailCard.tsx';
import { formatSize } from '#renderer/ui/text/durations.ts';
import { ForeignText } from '#renderer/ui/text/ForeignText.tsx';
import { SegmentedControl } from '#renderer/ui/controls/SegmentedControl.tsx';
import { useLogTimes } from '#renderer/widgets/use-log-times.ts';
import styles from '#renderer/widgets/DetailCard.module.css';
import { bytesOf, hexDump, textOf } from '#renderer/viewers/body-text.ts';
import { CodeView } from '#renderer/viewers/CodeView.tsx';
import { HeaderTable } from '#renderer/viewers/HeaderTable.tsx';
import { callbackCurl, callbackFetch } from './callback-copy.ts';
import { CallbackBody } from './CallbackBody.tsx';
import { CallbackResponse } from './CallbackResponse.tsx';
import { formatOutcome } from '#renderer/features/callbacks/common/outcome-text.ts';
import { DeliveryMatch } from './DeliveryMatch.tsx';
import { HourStrip } from './HourStrip.tsx';
import { NoteEditor } from './NoteEditor.tsx';
import { SendDialog } from '#renderer/features/callbacks/send/SendDialog.tsx';
import { SendList } from './SendList.tsx';
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
      request={request}
      onRetry={() => selectedId !== null && void select(selectedId)}
    >
      {selected && <Detail key={selected.id} callback={selected} />}
    </DetailCard>
  );
}

function Detail({ callback }: { readonly callback: Callback }) {
  const tab = useApp((state) => state.callbacks.tab);
  const showTab = useApp((state) => state.callbacks.showTab);
  const [isSending, setSending] = useState(false);
  const baseUrl = useApp((state) => state.frame.status?.receiver.baseUrl) ?? 'http://127.0.0.1:4545';
  const at = Date.parse(callback.receivedAt);
  const times = useLogTimes();
  const copy = useCopy();
  useCommands(callbackCommands, {
    'callback.curl': () => copy('The callback as cURL', callbackCurl(callback, baseUrl)),
    'callback.fetch': () => copy('The callback as fetch', callbackFetch(callback, baseUrl)),
    'callback.resend': () => setSending(true),
  });
  return (
    <>
      <div className={styles.head}>
        <DragHandle id={callback.id} />
        <h2 className={styles.title}>
          {callback.method}{' '}
          <span className="rb-mono">
            <ForeignText text={callback.target} canShowMore />
          </span>
        </h2>
        <ActionIcon variant="subtle" aria-label="Send again" title="Send again" onClick={() => setSending(true)}>
          <IconRepeat size={17} />
        </ActionIcon>
        <CopyIcon
          text={() => callbackCurl(callback, baseUrl)}
          label="Copy as cURL"
          icon={<IconTerminal2 size={17} />}
        />
        <CopyLink label="Copy link to this callback" item={callback.id} />
        <CopyIcon text={() => callbackFetch(callback, baseUrl)} label="Copy as fetch" icon={<IconCode size={17} />} />
      </div>
      <p className={styles.facts}>
        {times.day(at)}, {times.clockMilliseconds(at)} · from {callback.remoteAddress} · HTTP/
        {callback.httpVersion} · {formatSize(callback.sizeBytes)} · {formatOutcome(callback)}
      </p>
      <DeliveryMatch callback={callback} />
      {callback.truncated && (
        <p className={classes.cut}>
          The body was cut at the receiver’s limit; {formatSize(callback.sizeBytes)} are kept.
        </p>
      )}
      <SegmentedControl
        size="xs"
        aria-label="Part of the callback"
        value={tab}
        onChange={showTab}
        data={[
          { value: 'body', label: 'Body' },
          { value: 'headers', label: `Headers ${callback.headers.length}` },
          { value: 'raw', label: 'Raw' },
          { value: 'response', label: 'Response' },
          { value: 'sent', label: `Sent ${callback.sends.length}` },
        ]}
      />
      {tab === 'body' && <CallbackBody callback={callback} />}
      {tab === 'headers' && (
        <>
          <HeaderTable headers={callback.headers} />
          {callback.trailers.length > 0 && <HeaderTable headers={callback.trailers} label="Trailers" />}
        </>
      )}
      {tab === 'raw' && <Raw callback={callback} />}
      {tab === 'response' && <CallbackResponse callback={callback} />}
      {tab === 'sent' && <SendList sends={callback.sends} />}
      <CallbackChecks checks={callback.checks} />
      <HourStrip callback={callback} />
      <NoteEditor callback={callback} />
      {isSending && <SendDialog callback={callback} onClose={() => setSending(false)} />}
    </>
  );
}

/** The request as it stood on the wire, as far as it can be told from what is kept. */
function Raw({ callback }: { readonly callback: Callback }) {
  const source = useMemo(() => ({ base64: callback.bodyBase64 }), [callback.bodyBase64]);
  const lines = [
    `${callback.method} ${callback.target} HTTP/${callback.httpVersion}`,
    ...callback.headers.map(([name, value]) => `${name}: ${value}`),
  ];
  const head = `${lines.join('\r\n')}\r\n\r\n`;
  const copy = () => {
    const bytes = bytesOf(callback.bodyBase64);
    return `${head}${textOf(bytes) ?? hexDump(bytes)}`;
  };
  return (
    <div className={styles.part}>
      <CodeView source={source} head={head} label="Raw request" />
      <div className={styles.tools}>
        <CopyIcon text={copy} label="Copy the request" />
      </div>
    </div>
  );
}

/**
 * Drags a callback out of the window as a JSON file, into a folder, an e-mail, or an issue. Only the desktop app can.
 */
function DragHandle({ id }: { readonly id: number }) {
  const isDesktop = useApp((state) => state.frame.status?.desktop != null);
  const dragOut = useApp((state) => state.callbackFiles.dragOut);
  if (!isDesktop) return null;
  return (
    <span
      className={classes.drag}
      draggable
      title="Drag out as a JSON file"
      // The system's drag takes over from the page's, which knows no files.
      onDragStart={(event) => {
        event.preventDefault();
        void dragOut(id);
      }}
    >
      <IconGripVertical size={17} aria-hidden />
    </span>
  );
}

const marks: Readonly<Record<CallbackCheck['verdict'], { icon: TablerIcon; words: string }>> = {
  ok: { icon: IconCheck, words: 'kept:' },
  warning: { icon: IconAlertTriangle, words: 'warning:' },
  error: { icon: IconX, words: 'broken:' },
  unknown: { icon: IconHelp, words: 'not known:' },
};

/** What core found when it held the callback against the interface, in words, each with its mark. */
function CallbackChecks({ checks }: { readonly checks: readonly CallbackCheck[] }) {
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
