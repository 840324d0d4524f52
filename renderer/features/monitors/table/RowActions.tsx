// What a row of the table of monitors offers at once: rain, calls to this app, editing, deleting.
import { ActionIcon } from '@mantine/core';
import { TaskIcon } from '#renderer/ui/controls/TaskButton.tsx';
import { IconDroplet, IconPencil, IconPlugConnected, IconTrash } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { AppMonitor } from '#contract/app-rpc/monitors.ts';
import { useApp } from '#renderer/store/use-app.ts';
import { formatCoordinates } from '#renderer/ui/text/durations.ts';
import { Tooltip } from '#renderer/ui/controls/Tooltip.tsx';

export const rainMinutes = 20;

export function RowActions({ monitor, onDelete }: { readonly monitor: AppMonitor; readonly onDelete: () => void }) {
  const { openDialog, callThisApp } = useApp((state) => state.monitors);
  const isAsking = useApp((state) => state.monitors.asking.has(monitor.id));
  const addScenario = useApp((state) => state.sandbox.addScenario);
  const isSandbox = useApp((state) => state.frame.status?.connection.isSandbox ?? false);
  const { id, geo, toThisApp } = monitor;
  return (
    <>
      {isSandbox && (
        <Action
          label={`Make it rain on ${id} for ${rainMinutes} minutes`}
          icon={<IconDroplet size={17} />}
          task={() => addScenario({ center: geo, minutes: rainMinutes }, formatCoordinates(geo))}
        />
      )}
      {!toThisApp && (
        <Action
          label={`Make ${id} call this app`}
          icon={<IconPlugConnected size={17} />}
          isBusy={isAsking}
          task={() => callThisApp(id)}
        />
      )}
      <Action
        label={`Edit ${id}`}
        icon={<IconPencil size={17} />}
        onClick={() => openDialog({ kind: 'edit', monitor })}
      />
      <Action label={`Delete ${id}`} icon={<IconTrash size={17} />} color="red" onClick={onDelete} />
    </>
  );
}

type ActionProps = { label: string; icon: ReactNode; color?: string; isBusy?: boolean } & (
  | { onClick: () => void }
  | { task: () => Promise<unknown> }
);

function Action({ label, icon, color = 'rain', isBusy = false, ...press }: Readonly<ActionProps>) {
  const look = { variant: 'subtle', color, 'aria-label': label } as const;
  return (
    <Tooltip label={label} isSlow>
      {'task' in press ? (
        <TaskIcon {...look} loading={isBusy} task={press.task}>
          {icon}
        </TaskIcon>
      ) : (
        <ActionIcon {...look} onClick={press.onClick}>
          {icon}
        </ActionIcon>
      )}
    </Tooltip>
  );
}
