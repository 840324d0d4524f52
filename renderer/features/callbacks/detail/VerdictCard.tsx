// The verdict on a callback, first of all: its name in one line, which opens to a sentence for each thing that was checked.
import { Anchor, Button } from '@mantine/core';
import {
  IconAlertTriangle,
  IconCircleCheck,
  IconCircleMinus,
  IconCircleX,
  IconStethoscope,
  type TablerIcon,
} from '@tabler/icons-react';
import {
  type Callback,
  type CheckVerdict,
  describeCauses,
  signatureCauses,
  type SignatureDiagnosis as Diagnosis,
  verdictLabels,
} from '@rainbell/contract/app-rpc';
import { verdictLooks } from '../common/verdict-looks.ts';
import { useApp } from '../../../store/use-app.ts';
import { ForeignLine, ForeignText } from '../../../ui/text/ForeignText.tsx';
import { visibleText } from '@rainbell/shared';
import { linkedParts, verdictSentences } from './verdict-sentences.ts';
import classes from './CallbackDetail.module.css';
import { useEffect } from 'react';

const checkIcons: Readonly<Record<CheckVerdict, { icon: TablerIcon; label: string }>> = {
  ok: { icon: IconCircleCheck, label: 'Passed' },
  warning: { icon: IconAlertTriangle, label: 'Warning' },
  error: { icon: IconCircleX, label: 'Failed' },
  unknown: { icon: IconCircleMinus, label: 'Not checked' },
};

type Props = { callback: Callback; isOpen: boolean; onOpen: (isOpen: boolean) => void };

export function VerdictCard({ callback, isOpen, onOpen }: Readonly<Props>) {
  const { verdictName, refusal, kind, sender, eventType } = callback;
  const openPaths = useApp((state) => state.receiver.openPaths);
  const canAddSecret = sender !== undefined && /^(signed|unknown-secret|unsigned|handshake)$/.test(verdictName);
  const { tone, Icon: VerdictIcon } = verdictLooks[verdictName];
  const sentences = verdictSentences(callback.checks, refusal !== null);
  const summary = eventType ?? sentences[0]?.message ?? '';
  return (
    <section className={`rb-box rb-row ${classes.verdict}`} aria-label="Verdict">
      <details className="rb-fold rb-fill" open={isOpen} onToggle={(event) => onOpen(event.currentTarget.open)}>
        <summary>
          <VerdictIcon size={20} aria-hidden className="rb-tone" data-tone={tone} />
          <h3 className="rb-tone" data-tone={tone}>
            {verdictName === 'verified' && sender === undefined
              ? kind === 'retry'
                ? 'Verified retry'
                : 'Verified event'
              : verdictLabels[verdictName]}
          </h3>
          <span className="rb-dim rb-truncate" dir="auto" title={visibleText(summary)}>
            <ForeignLine text={summary} limit={200} />
          </span>
        </summary>
        {isOpen && (
          <>
            <ul className={`rb-column rb-tight ${classes.checks}`} aria-label="Checks">
              {sentences.map(({ topic, verdict, message }) => {
                const { icon: Icon, label } = checkIcons[verdict];
                return (
                  <li key={`${topic} ${message}`} data-verdict={verdict}>
                    <Icon className="rb-dotted" size={16} aria-label={label} />
                    <b>{topic}</b>
                    <Sentence message={message} />
                  </li>
                );
              })}
            </ul>
            <SignatureDiagnosis callback={callback} />
          </>
        )}
      </details>
      {canAddSecret && (
        <Button size="compact-xs" variant="subtle" onClick={() => openPaths({ path: pathOf(callback.target), sender })}>
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
          <ForeignText key={index} text={text} limit={1000} />
        ) : (
          <Anchor key={index} inherit href={`#/callbacks/${callbackId}`}>
            {text}
          </Anchor>
        ),
      )}
    </span>
  );
}

/** What the signature doctor found for a callback whose signature does not verify. It explains the verdict and never changes it. */
function SignatureDiagnosis({ callback }: { readonly callback: Pick<Callback, 'id' | 'checks'> }) {
  const { id, checks } = callback;
  const found = useApp((state) => state.callbackService.found);
  const diagnose = useApp((state) => state.callbackService.diagnose);
  const isWrong = checks.some(({ check, verdict }) => check === 'signature' && verdict === 'error');
  useEffect(() => {
    if (isWrong) void diagnose(id);
  }, [id, isWrong, diagnose]);
  if (!isWrong || found?.callbackId !== id) return null;
  const { diagnosis } = found;
  // A signature that is right as it is fails for its age only, which the verdict says.
  if (diagnosis.verifies && diagnosis.causes.length === 0) return null;
  return (
    <section className={`rb-notice ${classes.diagnosis}`} data-tone="warn" aria-label="Why the signature fails">
      <h3 className="rb-row">
        <IconStethoscope size={16} aria-hidden />
        {diagnosis.verifies ? 'Cause found' : 'No common cause found'}
      </h3>
      <p>{diagnosis.verifies ? describeCauses(diagnosis.causes) : describeFailure(diagnosis)}</p>
      {diagnosis.details.map((detail) => (
        <p key={detail}>
          <ForeignText text={detail} limit={1000} />
        </p>
      ))}
      {diagnosis.guesses.map((guess) => (
        <p key={guess}>
          <ForeignText text={`Guess: ${guess}`} limit={1000} />
        </p>
      ))}
      {diagnosis.causes.map((cause) => (
        <p key={cause}>{signatureCauses[cause].advice}</p>
      ))}
      <Anchor href="#/help/callbacks?at=find-out-why-a-signature-fails">Learn more</Anchor>
    </section>
  );
}

function describeFailure({ tried, isComplete }: Diagnosis): string {
  const count = tried.toLocaleString('en');
  return isComplete
    ? `None of the ${count} combinations tried verifies the signature. Either the body was changed in some other way, or Rainbell doesn’t have the secret.`
    : `None of the first ${count} combinations verifies the signature. The body is too large for Rainbell to try them all.`;
}
