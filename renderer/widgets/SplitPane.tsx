// A list and the details of one of its items, with a handle between them: dragged by the mouse, moved by the arrow keys, and back at
// its usual place after a double click or Enter. Each screen's size is remembered in this window's own storage. Windows under 1024 px
// have the details below the list, low ones in its place.
import { Button } from '@mantine/core';
import { IconChevronLeft } from '@tabler/icons-react';
import { type CSSProperties, type ReactNode, useEffect, useRef } from 'react';
import { useIsNarrow } from '../ui/hooks/use-is-narrow.ts';
import { useSavedShare } from '../ui/hooks/use-saved-share.ts';
import { SplitHandle } from '../ui/controls/SplitHandle.tsx';
import classes from './SplitPane.module.css';

type Props = {
  name: string;
  sizeLabel: string;
  list: ReactNode;
  /** Null for none; the list then takes all the room. */
  detail: ReactNode;
  /** Whether something is selected. In narrow windows the details are shown only then. */
  isOpen?: boolean;
  defaultShare?: number;
  /** Goes back to the list in windows that show the details in its place. */
  onClose: () => void;
};

export function SplitPane(props: Readonly<Props>) {
  const { name, sizeLabel, list, detail, isOpen = true, defaultShare = 45, onClose } = props;
  const { share, resize } = useSavedShare(name, defaultShare);
  const isStacked = useIsNarrow();
  const isShown = detail !== null && (isOpen || !isStacked);
  const listRef = useRef<HTMLDivElement>(null);
  const backRef = useRef<HTMLButtonElement>(null);
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
    <div className={`rb-fill ${classes.split}`} style={style} data-detail={isShown || undefined}>
      <div className={classes.list} ref={listRef}>
        {list}
      </div>
      {isShown && (
        <>
          <SplitHandle label={sizeLabel} share={share} onResize={resize} isStacked={isStacked} />
          <div className={classes.detail}>
            <div className={classes.back}>
              <Button
                ref={backRef}
                size="compact-xs"
                variant="subtle"
                leftSection={<IconChevronLeft />}
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
