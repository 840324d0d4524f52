// Drags a callback out of the window as a JSON file, into a folder, an e-mail, or an issue. Only the desktop app can.
import { IconGripVertical } from '@tabler/icons-react';
import { useApp } from '#renderer/store/use-app.ts';
import classes from './CallbackDetail.module.css';

export function DragHandle({ id }: { readonly id: number }) {
  const isDesktop = useApp((state) => state.frame.status?.desktop != null);
  const dragOut = useApp((state) => state.callbackFiles.dragOut);
  if (!isDesktop) return null;
  return (
    <span
      className={classes.drag}
      draggable
      title="Drag out as a JSON file"
      // The system's drag takes over from the page's, which knows no files.
      onDragStart={(event) => {
        event.preventDefault();
        void dragOut(id);
      }}
    >
      <IconGripVertical size={17} aria-hidden />
    </span>
  );
}
