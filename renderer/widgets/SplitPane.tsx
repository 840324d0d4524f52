// A list and the details of one of its items, with a handle between them: dragged by the mouse, moved by the arrow keys, and back at
// its usual place after a double click or Enter. The key ] collapses the details to an edge and brings them back, as does dragging the
// handle to the side. Each screen's size is remembered in this window's own storage. Windows under 1024 px have the details below
// the list, low ones in its place.
import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconLayoutBottombarExpand, IconLayoutSidebarRightExpand } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react';
import { paneCommands } from '@rainbell/shared';
import { useCommands } from '../store/use-commands.ts';
import { useIsNarrow } from '../ui/hooks/use-is-narrow.ts';
import { useSavedShare } from '../ui/hooks/use-saved-share.ts';
import { readSaved, save } from '../ui/window-storage.ts';
import { SplitHandle } from '../ui/controls/SplitHandle.tsx';
import classes from './SplitPane.module.css';

type Props = {
  /** Under which its size is remembered. */
  name: string;
  /** Label of the button that shows collapsed details, for instance `Show the callback`. */
  showLabel: string;
  /** Label of the handle, for instance `Callback pane size`. */
  sizeLabel: string;
  list: ReactNode;
  /** Null for none; the list then takes all the room. */
  detail: ReactNode;
  /** Whether something is selected. In narrow windows the details are shown only then. */
  isOpen?: boolean;
  /** Usual share of the details, in percent. */
  defaultShare?: number;
  /** Goes back to the list in windows that show the details in its place. */
  onClose: () => void;
};

export function SplitPane(props: Readonly<Props>) {
  const { name, showLabel, sizeLabel, list, detail, isOpen = true, defaultShare = 45, onClose } = props;
  const { share, resize } = useSavedShare(name, defaultShare);
  const [isCollapsed, setCollapsed] = useState(() => readSaved(`rainbell.pane.${name}.collapsed`) === '1');
  const isStacked = useIsNarrow();
  const collapse = (wanted: boolean) => {
    setCollapsed(wanted);
    save(`rainbell.pane.${name}.collapsed`, wanted ? '1' : null);
  };
  const hasDetail = detail !== null && (isOpen || !isStacked);
  useCommands(paneCommands, { 'pane.toggle': hasDetail ? () => collapse(!isCollapsed) : undefined });
  const listRef = useRef<HTMLDivElement>(null);
  const backRef = useRef<HTMLButtonElement>(null);
  const isShown = hasDetail && !isCollapsed;
  // The list is hidden in low windows, and the focus that was in it would be lost.
  useEffect(() => {
    const { current } = listRef;
    if (!isShown || !current || getComputedStyle(current).display !== 'none') return;
    // The browser takes the focus from what is hidden a little later.
    const { activeElement } = document;
    if (activeElement === document.body || current.contains(activeElement))
      backRef.current?.focus({ preventScroll: true });
  }, [isShown]);
  const goBack = () => {
    onClose();
    requestAnimationFrame(() => listRef.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus());
  };
  const style = { '--rb-pane': `${share}%` } as CSSProperties;
  return (
    <div
      className={`rb-fill ${classes.split}`}
      style={style}
      data-detail={(hasDetail && !isCollapsed) || undefined}
      data-collapsed={(hasDetail && isCollapsed) || undefined}
    >
      <div className={classes.list} ref={listRef}>
        {list}
      </div>
      {hasDetail && isCollapsed && (
        <div className={classes.edge}>
          <ActionIcon
            variant="subtle"
            aria-label={showLabel}
            title={`${showLabel} (])`}
            aria-expanded={false}
            onClick={() => collapse(false)}
          >
            {isStacked ? <IconLayoutBottombarExpand size={18} /> : <IconLayoutSidebarRightExpand size={18} />}
          </ActionIcon>
        </div>
      )}
      {hasDetail && !isCollapsed && (
        <>
          <SplitHandle
            label={sizeLabel}
            share={share}
            onResize={resize}
            onCollapse={() => collapse(true)}
            isStacked={isStacked}
          />
          <div className={classes.detail}>
            <div className={classes.back}>
              <Button
                ref={backRef}
                size="compact-sm"
                variant="subtle"
                leftSection={<IconChevronLeft size={16} />}
                onClick={goBack}
                onKeyDown={({ key }) => key === 'Escape' && goBack()}
              >
                Back to the list
              </Button>
            </div>
            {detail}
          </div>
        </>
      )}
    </div>
  );
}
