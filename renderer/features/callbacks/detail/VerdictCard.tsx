// The verdict on a callback, first of all: its name, and a sentence for each thing that was checked.
import { selectMonitors } from '../../monitors/selectors.ts';
import { Anchor, Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
  IconShieldCheck,
  IconShieldExclamation,
  IconShieldQuestion,
  IconShieldX,
  type TablerIcon,
} from '@tabler/icons-react';
import { type Callback, type Verdict, verdictLabels } from '@rainbell/contract/app-rpc';
import { type VerdictTone, verdictTones } from '../common/verdict-tones.ts';
import { useApp } from '../../../store/use-app.ts';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { linkedParts, verdictSentences } from './verdict-sentences.ts';
import classes from './CallbackDetail.module.css';

const shields: Readonly<Record<VerdictTone, TablerIcon>> = {
  good: IconShieldCheck,
  warn: IconShieldExclamation,
  bad: IconShieldX,
  mute: IconShieldQuestion,
};

const verdictIcons: Readonly<Record<Verdict, { icon: TablerIcon; label: string }>> = {
  ok: { icon: IconCircleCheck, label: 'Passed' },
  warning: { icon: IconAlertTriangle, label: 'Warning' },
  error: { icon: IconCircleX, label: 'Failed' },
  unknown: { icon: IconCircleMinus, label: 'Not checked' },
};

export function VerdictCard({ callback }: { readonly callback: Callback }) {
  const { verdictName, monitorId, isMonitorOwn, refusal, kind, sender } = callback;
  const openEndpoints = useApp((state) => state.callbackEndpoints.open);
  const canAddSecret = sender !== undefined && /^(signed|unknown-secret|unsigned|handshake)$/.test(verdictName);
  const name = useApp((state) => selectMonitors(state).find(({ id }) => id === monitorId)?.name ?? '');
  const tone = verdictTones[verdictName];
  const Shield = shields[tone];
  return (
    <section className="rb-column rb-part" aria-label="Verdict">
      <h3 className="rb-row rb-wrap rb-tone" data-tone={tone}>
        <Shield size={20} aria-hidden />
        {verdictName === 'verified' && sender === undefined
          ? kind === 'retry'
            ? 'Verified retry'
            : 'Verified event'
          : verdictLabels[verdictName]}
        {sender !== undefined && <span>Sender: {sender}</span>}
        {monitorId !== null && isMonitorOwn && (
          <span className="rb-dim rb-break">
            Monitor:{' '}
            <Anchor inherit href={`#/monitors/${encodeURIComponent(monitorId)}`}>
              <ForeignText text={name === '' ? monitorId : name} limit={60} />
            </Anchor>
          </span>
        )}
        {monitorId !== null && !isMonitorOwn && (
          <span className="rb-dim rb-break">
            Claimed monitor: <ForeignText text={monitorId} limit={60} />
          </span>
        )}
      </h3>
      <ul className={`rb-column rb-tight ${classes.checks}`} aria-label="Checks">
        {verdictSentences(callback.checks, refusal !== null).map(({ topic, verdict, message }) => {
          const { icon: Icon, label } = verdictIcons[verdict];
          return (
            <li key={`${topic} ${message}`} data-verdict={verdict}>
              <Icon className="rb-dotted" size={16} aria-label={label} />
              <b>{topic}</b>
              <Sentence message={message} />
            </li>
          );
        })}
      </ul>
      {canAddSecret && (
        <Button size="xs" variant="light" onClick={() => openEndpoints({ path: pathOf(callback.target), sender })}>
          Add secret…
        </Button>
      )}
    </section>
  );
}

function pathOf(target: string): string {
  return target.replace(/^[a-z]+:\/\/[^/?#]*/i, '').split(/[?#]/)[0] || '/';
}

/** Links are of the frame's router, so Back returns. */
function Sentence({ message }: { readonly message: string }) {
  return (
    <span className="rb-break">
      {linkedParts(message).map(({ text, callbackId }, index) =>
        callbackId === undefined ? (
          // The parts of one sentence keep their places.
          // oxlint-disable-next-line react/no-array-index-key
          <ForeignText key={index} text={text} limit={1000} />
        ) : (
          // oxlint-disable-next-line react/no-array-index-key
          <Anchor key={index} inherit href={`#/callbacks/${callbackId}`}>
            {text}
          </Anchor>
        ),
      )}
    </span>
  );
}
