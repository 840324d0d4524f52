// What the signature doctor found for a callback whose signature does not verify. It explains the verdict and never changes it.
import { Anchor } from '@mantine/core';
import { IconStethoscope } from '@tabler/icons-react';
import { useEffect } from 'react';
import {
  type Callback,
  describeCauses,
  signatureCauses,
  type SignatureDiagnosis as Diagnosis,
} from '@rainbell/contract/app-rpc';
import { ForeignText } from '../../../ui/text/ForeignText.tsx';
import { useApp } from '../../../store/use-app.ts';
import classes from './CallbackDetail.module.css';

export function SignatureDiagnosis({ callback }: { readonly callback: Pick<Callback, 'id' | 'checks'> }) {
  const { id, checks } = callback;
  const found = useApp((state) => state.callbackFindings.found);
  const diagnose = useApp((state) => state.callbackFindings.diagnose);
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
