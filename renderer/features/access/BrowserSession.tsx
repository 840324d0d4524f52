// What the sign-in window remembers of the person at the service: a choice per connection, and a way to forget it now.
import { Switch } from '@mantine/core';
import { TaskButton } from '#renderer/ui/controls/TaskButton.tsx';
import { useApp } from '#renderer/store/use-app.ts';
import classes from './AccessScreen.module.css';

export function BrowserSession() {
  const isKept = useApp((state) => state.session.state?.browserSession?.isKept ?? null);
  const { keepBrowserSession, forgetBrowserSession } = useApp((state) => state.session);
  if (isKept === null) {
    return (
      <p className={classes.dim}>
        Your browser keeps its own session at the service. To sign in as someone else, sign out there first.
      </p>
    );
  }
  return (
    <div className={classes.actions}>
      <Switch
        label="The sign-in window stays signed in at the service"
        description={
          isKept
            ? 'Its cookies and storage are kept on this machine, for this connection alone.'
            : 'It forgets cookies and storage when it closes.'
        }
        checked={isKept}
        onChange={(event) => void keepBrowserSession(event.currentTarget.checked)}
      />
      {isKept && (
        <TaskButton type="button" size="xs" variant="default" task={() => forgetBrowserSession()}>
          Forget browser session
        </TaskButton>
      )}
    </div>
  );
}
