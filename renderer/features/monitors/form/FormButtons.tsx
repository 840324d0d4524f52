// The buttons of a dialog about monitors: those of its task, and Cancel.
import { Button } from '@mantine/core';
import { useApp } from '../../../store/use-app.ts';
import classes from '../common/MonitorDialogs.module.css';

export function FormButtons({ children }: { readonly children: React.ReactNode }) {
  const openDialog = useApp((state) => state.monitors.openDialog);
  return (
    <div className="rb-buttons">
      {children}
      <Button variant="subtle" className={classes.cancel ?? ''} onClick={() => openDialog(null)}>
        Cancel
      </Button>
    </div>
  );
}
