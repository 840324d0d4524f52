// What leads a newcomer from no monitor to the first callback.
import { Button } from '@mantine/core';
import { IconBellPlus, IconCloudRain, IconPlus } from '@tabler/icons-react';
import { useShownPlace } from '#renderer/store/shown.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { LearnMore } from '#renderer/widgets/LearnMore.tsx';
import { EmptyState } from '#renderer/ui/controls/EmptyState.tsx';
import { formatPlace } from '#renderer/ui/text/format-place.ts';
import { RequestNotice } from '#renderer/widgets/RequestNotice.tsx';
import classes from './common/MonitorsScreen.module.css';

export function FirstSteps() {
  const openDialog = useApp((state) => state.monitors.openDialog);
  const create = useApp((state) => state.monitors.create);
  const saving = useApp((state) => state.monitors.saving);
  const place = useShownPlace();
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const { lat, lng } = place;
  return (
    <section className={`rb-card ${classes.first}`}>
      <EmptyState
        icon={<IconBellPlus size={32} />}
        title="No monitors yet"
        actions={
          <>
            <Button
              leftSection={<IconPlus size={16} />}
              loading={saving.state === 'loading'}
              onClick={() => void create({ geo: { lat, lng }, callback: { kind: 'this-app' } })}
            >
              Create a monitor to this app
            </Button>
            <Button variant="default" onClick={() => openDialog({ kind: 'create', at: null })}>
              Choose place and address…
            </Button>
          </>
        }
      >
        <p>
          A monitor watches one place. When rain, snow or hail comes near, the service calls an address of yours.{' '}
          <LearnMore to="monitors" about="monitors" />
        </p>
        <p>
          Step 1: create one for {formatPlace(place)} that calls this app.
          {isSandbox && ' Step 2: make it rain there, and watch the callback arrive.'}
        </p>
      </EmptyState>
      <RequestNotice request={saving} failedTitle="The monitor was not created" />
    </section>
  );
}

/** Beside a sandbox, whose weather can be made. */
export function RainHint() {
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  if (!isSandbox) return null;
  return (
    <p className={classes.hint}>
      <IconCloudRain size={18} aria-hidden /> Press the drop in a monitor’s row to make it rain there; its callback then
      appears under Callbacks.
    </p>
  );
}
