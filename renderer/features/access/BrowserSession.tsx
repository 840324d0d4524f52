// What the sign-in window remembers of the user: a setting per connection, and a button to clear it now.
import { Switch } from '@mantine/core';
import { TaskButton } from '../../ui/controls/TaskButton.tsx';
import { useApp } from '../../store/use-app.ts';
import classes from './AccessScreen.module.css';

export function BrowserSession() {
  const isSaved = useApp((state) => state.session.state?.browserSession?.isSaved ?? null);
  const { saveBrowserSession, clearBrowserSession } = useApp((state) => state.session);
  if (isSaved === null) {
    return (
      <p className="rb-dim">
        Your browser keeps its own session with the service. To sign in as someone else, sign out there first.
      </p>
    );
  }
  return (
    <div className={`rb-row rb-wrap ${classes.actions}`}>
      <Switch
        label="The sign-in window stays signed in to the service"
        description={
          isSaved
            ? 'Its cookies and site data are kept on this computer, for this connection only.'
            : 'Its cookies and site data are deleted when it closes.'
        }
        checked={isSaved}
        onChange={(event) => void saveBrowserSession(event.currentTarget.checked)}
      />
      {isSaved && (
        <TaskButton type="button" size="xs" variant="default" task={() => clearBrowserSession()}>
          Delete browser session
        </TaskButton>
      )}
    </div>
  );
}
