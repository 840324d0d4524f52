// One exchange: the answer's body, both sides' headers, when what happened, and the call as cURL.
import { IconAlertTriangle, IconTerminal2 } from '@tabler/icons-react';
import type { Exchange } from '#contract/app-rpc/traffic.ts';
import { CopyLink } from '#renderer/widgets/CopyLink.tsx';
import { useApp } from '#renderer/store/use-app.ts';
import { CopyIcon } from '#renderer/ui/controls/CopyIcon.tsx';
import { DetailCard } from '#renderer/widgets/DetailCard.tsx';
import { formatSize } from '#renderer/ui/text/durations.ts';
import { ForeignText } from '#renderer/ui/text/ForeignText.tsx';
import { RequestNotice } from '#renderer/widgets/RequestNotice.tsx';
import { SegmentedControl } from '#renderer/ui/controls/SegmentedControl.tsx';
import { useLogTimes } from '#renderer/widgets/use-log-times.ts';
import styles from '#renderer/widgets/DetailCard.module.css';
import { CodeView } from '#renderer/viewers/CodeView.tsx';
import { HeaderTable } from '#renderer/viewers/HeaderTable.tsx';
import { ReplayButton } from './ReplayButton.tsx';
import { Waterfall } from './Waterfall.tsx';
import classes from './ExchangeDetail.module.css';
import { Button } from '@mantine/core';

export function ExchangeDetail() {
  const { selectedId, selected, selectedRequest, replaying, select } = useApp((state) => state.traffic);
  return (
    <DetailCard
      label="Exchange"
      isChosen={selectedId !== null}
      emptyText="Choose an exchange to see its headers and body."
      request={selectedRequest}
      onRetry={() => selectedId !== null && void select(selectedId)}
    >
      {replaying.state === 'failed' && <RequestNotice request={replaying} failedTitle="It was not sent again" />}
      {selected && <Detail key={selected.id} exchange={selected} />}
    </DetailCard>
  );
}

function Detail({ exchange }: { readonly exchange: Exchange }) {
  const { tab, showTab } = useApp((state) => state.traffic);
  const times = useLogTimes();
  const at = Date.parse(exchange.at);
  const { method, url, status, connectionName, problem } = exchange;
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.title}>
          {method}{' '}
          <span className="rb-mono">
            <ForeignText text={url} canShowMore />
          </span>
        </h2>
        <ReplayButton exchange={exchange} />
        <CopyLink label="Copy link to this exchange" item={exchange.id} />
        <CopyIcon text={exchange.curl} label="Copy as cURL" icon={<IconTerminal2 size={17} />} />
      </div>
      <p className={styles.facts}>
        <span className="rb-badge" data-tone={status === null || status >= 400 ? 'bad' : 'good'}>
          {status ?? 'no answer'}
        </span>{' '}
        {connectionName} · {times.day(at)}, {times.clockMilliseconds(at)} · {formatSize(exchange.sizeBytes)}
      </p>
      {problem && (
        <p className={classes.problem}>
          <IconAlertTriangle size={17} aria-hidden />{' '}
          <span>
            <ForeignText text={problem.message} canShowMore />
          </span>
        </p>
      )}
      {exchange.kind === 'token' && <TokenCallNote />}
      <Waterfall timing={exchange.timing} />
      <SegmentedControl
        size="xs"
        aria-label="Part of the exchange"
        value={tab}
        onChange={showTab}
        data={[
          { value: 'answer', label: 'Answer' },
          { value: 'request', label: 'Request' },
          { value: 'headers', label: 'Headers' },
          { value: 'curl', label: 'cURL' },
        ]}
      />
      {tab === 'answer' && (
        <Body
          text={exchange.responseBody}
          label="Body of the answer"
          isCut={exchange.truncated}
          none="The answer has no body."
        />
      )}
      {tab === 'request' && (
        <Body
          text={exchange.requestBody ?? ''}
          label="Body of the request"
          isCut={false}
          none="The request had no body."
        />
      )}
      {tab === 'headers' && <Headers exchange={exchange} />}
      {tab === 'curl' && <Body text={exchange.curl} label="The call as cURL" isCut={false} none="" />}
    </>
  );
}

type BodyProps = { text: string; label: string; isCut: boolean; none: string };

function Body({ text, label, isCut, none }: Readonly<BodyProps>) {
  if (text === '') return <p className={styles.none}>{none}</p>;
  return (
    <div className={styles.part}>
      <CodeView source={text} label={label} />
      <div className={styles.tools}>
        {isCut && <span>More was received than is kept.</span>}
        <CopyIcon text={text} label={`Copy: ${label.toLowerCase()}`} />
      </div>
    </div>
  );
}

function Headers({ exchange: { requestHeaders, responseHeaders } }: { readonly exchange: Exchange }) {
  return (
    <div className={styles.part}>
      <h3>Request</h3>
      <HeaderTable headers={requestHeaders} />
      <h3>Answer</h3>
      {responseHeaders.length === 0 ? (
        <p className={styles.none}>There was none.</p>
      ) : (
        <HeaderTable headers={responseHeaders} />
      )}
    </div>
  );
}

/** Why a call of the token endpoint is not sent again, and where a new token is had instead. */
function TokenCallNote() {
  const goTo = useApp((state) => state.frame.goTo);
  return (
    <p className={classes.note}>
      A token call is not sent again: its secrets are not kept here, and a refresh token may work only once.{' '}
      <Button size="compact-xs" variant="light" onClick={() => goTo('access')}>
        Refresh now on Access
      </Button>
    </p>
  );
}
