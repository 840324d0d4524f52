// The buttons of a dialog about monitors: those of its task, and Cancel.
import { Button } from '@mantine/core';
import { useApp } from '../../../store/use-app.ts';

export function FormButtons({ children }: { readonly children: React.ReactNode }) {
  const openDialog = useApp((state) => state.monitors.openDialog);
  return (
    <div className="rb-buttons">
      <Button variant="subtle" onClick={() => openDialog(null)}>
        Cancel
      </Button>
      {children}
    </div>
  );
}
