// What leads a newcomer from no monitor to the first callback.
import { Button } from '@mantine/core';
import { IconBellPlus, IconPlus } from '@tabler/icons-react';
import { useShownPlace } from '../forecast/selectors.ts';
import { useApp } from '../../store/use-app.ts';
import { LearnMore } from '../../widgets/LearnMore.tsx';
import { EmptyState } from '../../ui/controls/EmptyState.tsx';
import { idle } from '../../store/request.ts';
import { formatPlace } from '../../ui/text/format-place.ts';
import { RequestNotice } from '../../widgets/RequestNotice.tsx';

export function FirstSteps() {
  const openDialog = useApp((state) => state.monitors.openDialog);
  const create = useApp((state) => state.monitors.create);
  // A dialog reports its own.
  const saving = useApp(({ monitors }) => (monitors.dialog === null ? monitors.saving : idle));
  const place = useShownPlace();
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const { lat, lng } = place;
  return (
    <section className="rb-pane rb-surface">
      <EmptyState
        icon={<IconBellPlus size={32} />}
        title="No monitors yet"
        actions={
          <>
            <Button
              variant="filled"
              leftSection={<IconPlus />}
              loading={saving.state === 'loading'}
              onClick={() => void create({ geo: { lat, lng }, callback: { kind: 'this-app' } })}
            >
              Create monitor
            </Button>
            <Button onClick={() => openDialog({ kind: 'create', at: null })}>Choose location and URL…</Button>
          </>
        }
      >
        <p>
          A monitor watches one location. When rain, snow, or hail is near, the service sends a callback to your URL.{' '}
          <LearnMore to="monitors" about="creating monitors" />
        </p>
        <p>
          {isSandbox
            ? `Choose Create monitor to watch ${formatPlace(place)}, then Make it rain in its row. The callback arrives in this app.`
            : `Create a monitor for ${formatPlace(place)}, with callbacks sent to this app.`}
        </p>
      </EmptyState>
      <RequestNotice
        request={saving}
        failedTitle="Couldn’t create the monitor"
        loadingText="Creating the monitor"
        hasData
      />
    </section>
  );
}
