// The address at which the service receives webhooks of any sender, until the app reads them from the feed.
import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { useApp } from '../../../store/use-app.ts';
import { CopyIcon } from '../../../ui/controls/CopyIcon.tsx';
import { RequestNotice } from '../../../widgets/RequestNotice.tsx';
import classes from '../common/Dialogs.module.css';

export function Inbox() {
  const { state, request, load, open, close } = useApp((all) => all.inbox);
  useEffect(() => void load(), [load]);
  const isLoading = request.state === 'loading';
  if (state?.isOffered === false) return null;
  return (
    <>
      <p className={`rb-dim ${classes.words}`}>
        {state?.url
          ? 'The service also receives webhooks of any sender for you, while Rainbell is closed. Give senders this address, with any name behind it:'
          : 'The service can also receive webhooks of any sender for you, while Rainbell is closed.'}
      </p>
      {state?.url && (
        <p className="rb-row">
          <code className="rb-truncate">{state.url}</code>
          <CopyIcon text={`${state.url}webhooks`} label="Copy the inbox address" />
        </p>
      )}
      <RequestNotice request={request} failedTitle="Couldn’t change the inbox" loadingText="Waiting for the service" />
      <div className="rb-buttons">
        {state?.url && (
          <Button variant="subtle" onClick={() => void close()}>
            Close and delete
          </Button>
        )}
        <Button variant="default" loading={isLoading} onClick={() => void open()}>
          {state?.url ? 'New address' : 'Open an inbox'}
        </Button>
      </div>
    </>
  );
}
