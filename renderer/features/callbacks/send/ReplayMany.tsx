// Replays the selected callbacks or all that a search finds, once or many times, one after the other. Core runs it, so it continues while no
// screen shows it, and appears again after a reload.
import { Button, NumberInput, Progress, TextInput } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop, IconSend, IconX } from '@tabler/icons-react';
import { useState } from 'react';
import {
  type CallbackChoice,
  isAccepted,
  maxReplays,
  type ReplayRunState,
  type ReplaySigning,
} from '@rainbell/contract/app-rpc';
import { plural } from '@rainbell/shared';
import { useApp } from '../../../store/use-app.ts';
import { Dialog } from '../../../ui/dialogs/Dialog.tsx';
import { submitBy } from '../../../ui/hooks/submit-by.ts';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import { formatSendOutcome } from './SendResponse.tsx';
import { sendProblems } from './send-form.ts';
import { SigningSelect } from './SigningSelect.tsx';

export function ReplayForm({ choice }: { readonly choice: CallbackChoice }) {
  const { run, replaying, startReplay } = useApp((state) => state.callbackSends);
  const [url, setUrl] = useState('');
  const [signing, setSigning] = useState<ReplaySigning>('as-received');
  const [times, setTimes] = useState(1);
  const [seconds, setSeconds] = useState(0);
  const [areProblemsShown, setProblemsShown] = useState(false);
  const problem = url === '' ? undefined : sendProblems({ url, headers: '' }).url;
  const start = () => {
    setProblemsShown(true);
    if (problem !== undefined) return;
    const delayMs = Math.round(seconds * 1000);
    void startReplay({ choice, times, url: url === '' ? null : url, signing, delayMs });
  };
  return (
    <>
      <form className="rb-stack" onSubmit={submitBy(start)}>
        <TextInput
          data-autofocus
          label="URL"
          description="Leave it empty to send each to its own path at this app’s receiver."
          placeholder="http://127.0.0.1:3000/webhooks"
          value={url}
          error={areProblemsShown ? problem : undefined}
          onChange={(event) => setUrl(event.currentTarget.value)}
        />
        <SigningSelect value={signing} isEditing={false} onChange={(value) => setSigning(value || 'as-received')} />
        <NumberInput
          label="Times"
          min={1}
          max={maxReplays}
          allowDecimal={false}
          value={times}
          onChange={(value) => setTimes(Number(value) || 1)}
        />
        <NumberInput
          label="Pause between two requests (s)"
          min={0}
          max={3600}
          decimalScale={3}
          value={seconds}
          onChange={(value) => setSeconds(Number(value))}
        />
        <RequestNotice request={replaying} failedTitle="Couldn’t replay the callbacks" hasData />
        <div className="rb-buttons">
          <Button variant="filled" type="submit" leftSection={<IconSend />} disabled={run?.isRunning === true}>
            Replay
          </Button>
        </div>
      </form>
      <ReplayRun />
    </>
  );
}

/** The newest run, which outlives its form and the page. */
export function ReplayBar() {
  const run = useApp((state) => state.callbackSends.run);
  const control = useApp((state) => state.callbackSends.controlReplay);
  const [isOpen, setOpen] = useState(false);
  if (!run) return null;
  return (
    <div className="rb-bar rb-wrap rb-chosen" role="toolbar" aria-label="Replay">
      <span>{formatRun(run)}</span>
      <span className="rb-fill" />
      <Button onClick={() => setOpen(true)}>Show</Button>
      {!run.isRunning && (
        <Button variant="subtle" leftSection={<IconX />} onClick={() => void control('dismiss')}>
          Dismiss
        </Button>
      )}
      {isOpen && (
        <Dialog title="Replay" size="xl" onClose={() => setOpen(false)}>
          <ReplayRun />
        </Dialog>
      )}
    </div>
  );
}

function ReplayRun() {
  const run = useApp((state) => state.callbackSends.run);
  const control = useApp((state) => state.callbackSends.controlReplay);
  if (!run) return null;
  const { isRunning, failure, total, sent, results } = run;
  return (
    <section className="rb-stack" aria-label="Newest replay">
      <span role="status">{formatRun(run)}</span>
      <Progress aria-label={formatRun(run)} value={(sent / Math.max(1, total)) * 100} size="sm" />
      {failure !== null && (
        <p className="rb-note" data-bad>
          {failure}
        </p>
      )}
      <div className="rb-buttons">
        {isRunning && (
          <Button leftSection={<IconPlayerStop />} onClick={() => void control('stop')}>
            Stop
          </Button>
        )}
        {!isRunning && sent < total && (
          <Button leftSection={<IconPlayerPlay />} onClick={() => void control('continue')}>
            {plural(total - sent, ['Send the other #', 'Send the other #'])}
          </Button>
        )}
        {sent < total && <span className="rb-dim">You can continue it until Rainbell quits.</span>}
      </div>
      <ol className="rb-small rb-short" aria-label={`The newest ${results.length} results`}>
        {results.map((result, index) => (
          <li key={sent - index} value={sent - index} data-bad={isAccepted(result) ? undefined : true}>
            {`${result.callbackId}: ${formatSendOutcome(result)}`}
          </li>
        ))}
      </ol>
    </section>
  );
}

function formatRun({ url, isRunning, total, sent, accepted }: ReplayRunState): string {
  const state = isRunning ? 'Replaying' : sent < total ? 'Replay stopped' : 'Replay done';
  return `${state}: ${sent} of ${total} sent to ${url ?? 'this app’s receiver'} · ${accepted} accepted · ${sent - accepted} failed`;
}
