// One callback: its body as JSON, text or bytes, its headers in their order, and what was answered. Bodies are only ever
// shown as text; nothing in them runs.
import { SegmentedControl } from '@mantine/core';
import { IconCode, IconTerminal2 } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { Callback } from '#contract/procedures/callbacks.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { CodeView } from '#renderer/ui/CodeView.tsx';
import { CopyIcon } from '#renderer/ui/CopyIcon.tsx';
import { sizeWords } from '#renderer/ui/durations.ts';
import { HeaderTable } from '#renderer/ui/HeaderTable.tsx';
import { isJson } from '#renderer/ui/json-text.ts';
import { RequestNotice } from '#renderer/ui/RequestNotice.tsx';
import { useLogTimes } from '#renderer/ui/use-log-times.ts';
import { callbackCurl, callbackFetch } from './callback-copy.ts';
import { bytesOf, hexDump, textOf } from './body-text.ts';
import { CallbackChecks } from './CallbackChecks.tsx';
import classes from './CallbackDetail.module.css';

export function CallbackDetail() {
  const selectedId = useApp((state) => state.callbacks.selectedId);
  const selected = useApp((state) => state.callbacks.selected);
  const request = useApp((state) => state.callbacks.selectedRequest);
  const select = useApp((state) => state.callbacks.select);
  if (selectedId === null) {
    return (
      <section className={`rb-card ${classes.empty}`} aria-label="Callback">
        <p>Choose a callback to see its body and headers.</p>
      </section>
    );
  }
  return (
    <section className={`rb-card ${classes.card}`} aria-label="Callback">
      <RequestNotice
        request={request}
        failedTitle="The callback could not be read"
        loadingWords="Reading…"
        onRetry={() => void select(selectedId)}
      />
      {selected && <Detail key={selected.id} callback={selected} />}
    </section>
  );
}

/** 0 stands for a rule that closed the connection. */
function answerWords(status: number): string {
  return status === 0 ? 'closed without an answer' : `answered ${status}`;
}

type Tab = 'body' | 'headers' | 'raw';

function Detail({ callback }: { readonly callback: Callback }) {
  const [tab, setTab] = useState<Tab>('body');
  const baseUrl = useApp((state) => state.frame.status?.receiver.baseUrl) ?? 'http://127.0.0.1:4545';
  const at = Date.parse(callback.receivedAt);
  const times = useLogTimes();
  return (
    <>
      <div className={classes.top}>
        <h2 className={classes.title}>
          {callback.method} <span className="rb-mono">{callback.target}</span>
        </h2>
        <CopyIcon text={callbackCurl(callback, baseUrl)} label="Copy as cURL" icon={<IconTerminal2 size={17} />} />
        <CopyIcon text={callbackFetch(callback, baseUrl)} label="Copy as fetch" icon={<IconCode size={17} />} />
      </div>
      <p className={classes.facts}>
        {times.day(at)}, {times.clockSeconds(at)}.{String(at % 1000).padStart(3, '0')} · from {callback.remoteAddress} ·
        HTTP/
        {callback.httpVersion} · {sizeWords(callback.sizeBytes)} · {answerWords(callback.answeredStatus)}
      </p>
      {callback.truncated && (
        <p className={classes.cut}>
          The body was cut at the receiver’s limit; {sizeWords(callback.sizeBytes)} are kept.
        </p>
      )}
      <SegmentedControl
        size="xs"
        aria-label="Part of the callback"
        value={tab}
        onChange={(value) => setTab(value as Tab)}
        data={[
          { value: 'body', label: 'Body' },
          { value: 'headers', label: `Headers ${callback.headers.length}` },
          { value: 'raw', label: 'Raw' },
        ]}
      />
      {tab === 'body' && <Body callback={callback} />}
      {tab === 'headers' && <HeaderTable headers={callback.headers} />}
      {tab === 'raw' && <Raw callback={callback} />}
      <CallbackChecks checks={callback.checks} />
    </>
  );
}

function Body({ callback }: { readonly callback: Callback }) {
  const bytes = useMemo(() => bytesOf(callback.bodyBase64), [callback.bodyBase64]);
  const text = useMemo(() => textOf(bytes), [bytes]);
  const [form, setForm] = useState<'text' | 'hex'>(text === undefined ? 'hex' : 'text');
  if (bytes.length === 0) return <p className={classes.none}>The request had no body.</p>;
  const shown = form === 'hex' || text === undefined ? hexDump(bytes) : text;
  return (
    <div className={classes.part}>
      <CodeView text={shown} label="Body" isJson={form === 'text' && text !== undefined && isJson(text)} />
      <div className={classes.tools}>
        <SegmentedControl
          size="xs"
          aria-label="Form of the body"
          value={form}
          onChange={(value) => setForm(value as 'text' | 'hex')}
          data={[
            { value: 'text', label: 'Text', disabled: text === undefined },
            { value: 'hex', label: 'Hex' },
          ]}
        />
        {text === undefined && <span>The bytes are not UTF-8 text.</span>}
        <CopyIcon text={text ?? shown} label="Copy the body" />
      </div>
    </div>
  );
}

/** The request as it stood on the wire, as far as it can be told from what is kept. */
function Raw({ callback }: { readonly callback: Callback }) {
  const text = useMemo(() => {
    const bytes = bytesOf(callback.bodyBase64);
    const head = [
      `${callback.method} ${callback.target} HTTP/${callback.httpVersion}`,
      ...callback.headers.map(([name, value]) => `${name}: ${value}`),
    ];
    return `${head.join('\r\n')}\r\n\r\n${textOf(bytes) ?? hexDump(bytes)}`;
  }, [callback]);
  return (
    <div className={classes.part}>
      <CodeView text={text} label="Raw request" />
      <div className={classes.tools}>
        <CopyIcon text={text} label="Copy the request" />
      </div>
    </div>
  );
}
