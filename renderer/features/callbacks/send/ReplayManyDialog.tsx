// Replays the selected callbacks, or all that a search finds, one after the other; the run goes on while the dialog is closed.
import { Button, Progress, TextInput } from '@mantine/core';
import { IconPlayerPlay, IconPlayerStop, IconSend } from '@tabler/icons-react';
import { useState } from 'react';
import { type CallbackChoice, isAccepted } from '@rainbell/contract/app-rpc';
import { plural } from '@rainbell/shared';
import { useApp } from '../../../store/use-app.ts';
import { FormDialog } from '../../../ui/dialogs/FormDialog.tsx';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import classes from '../common/Dialogs.module.css';
import { SigningSelect } from './SendDialog.tsx';
import { formatSendOutcome } from './SendResponse.tsx';
import { sendProblems } from './send-form.ts';
import type { ReplayRunState } from './sends-slice.ts';

type Props = { choice: CallbackChoice; count: number; onClose: () => void };

export function ReplayManyDialog({ choice, count, onClose }: Readonly<Props>) {
  const { run, replaying, replayMany, stopReplay, continueReplay } = useApp((state) => state.callbackSends);
  const [url, setUrl] = useState('');
  const [signing, setSigning] = useState<ReplayRunState['signing']>('as-received');
  const [areProblemsShown, setProblemsShown] = useState(false);
  const problem = url === '' ? undefined : sendProblems({ method: 'POST', url, headers: '' }).url;
  const isRunning = replaying.state === 'loading';
  const start = () => {
    setProblemsShown(true);
    if (problem !== undefined) return;
    void replayMany(choice, { url: url === '' ? null : url, signing });
  };
  return (
    <FormDialog title={plural(count, ['Replay # callback', 'Replay # callbacks'])} size="xl" onClose={onClose}>
      <form
        className={`rb-stack ${classes.form}`}
        onSubmit={(event) => {
          event.preventDefault();
          start();
        }}
      >
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
        <RequestNotice request={replaying} failedTitle="Couldn’t replay the callbacks" hasData />
        <div className="rb-buttons">
          <Button variant="subtle" onClick={onClose}>
            Close
          </Button>
          {isRunning && (
            <Button variant="default" leftSection={<IconPlayerStop size={16} />} onClick={stopReplay}>
              Stop
            </Button>
          )}
          {!isRunning && run && run.rest.length > 0 && (
            <Button variant="default" leftSection={<IconPlayerPlay size={16} />} onClick={() => void continueReplay()}>
              {plural(run.rest.length, ['Send the other #', 'Send the other #'])}
            </Button>
          )}
          <Button type="submit" leftSection={<IconSend size={16} />} disabled={isRunning}>
            Replay
          </Button>
        </div>
      </form>
      {run && <RunResults run={run} />}
    </FormDialog>
  );
}

function RunResults({ run: { url, results, rest } }: { readonly run: ReplayRunState }) {
  const sent = results.length;
  const accepted = results.filter(isAccepted).length;
  const newest = results.slice(-500).toReversed();
  const summary = [
    `Last replay: ${sent} of ${sent + rest.length} sent to ${url ?? 'this app’s receiver'}`,
    plural(accepted, ['# accepted', '# accepted']),
    plural(sent - accepted, ['# failed', '# failed']),
  ].join(' · ');
  return (
    <section className={`rb-stack ${classes.form}`} aria-label="Last replay">
      <span role="status">{summary}</span>
      <Progress aria-label={summary} value={(sent / Math.max(1, sent + rest.length)) * 100} size="sm" />
      <ol className={`rb-small ${classes.problems}`} aria-label={`The newest ${newest.length} results`}>
        {newest.map((result, index) => (
          <li key={sent - index} value={sent - index} data-bad={isAccepted(result) ? undefined : true}>
            {`${result.callbackId}: ${formatSendOutcome(result)}`}
          </li>
        ))}
      </ol>
    </section>
  );
}
