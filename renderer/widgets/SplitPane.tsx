// A list and the details of one of its items, with a handle between them: dragged by the mouse, moved by the arrow keys, and back at
// its usual place after a double click or Enter. The key ] collapses the details to an edge and brings them back, as does dragging the
// handle to the side. Each screen's size is remembered in this window's own storage. Windows under 1024 px have the details below
// the list, low ones in its place.
import { ActionIcon, Button } from '@mantine/core';
import { IconChevronLeft, IconLayoutBottombarExpand, IconLayoutSidebarRightExpand } from '@tabler/icons-react';
import {
  type CSSProperties,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useState,
  useSyncExternalStore,
} from 'react';
import { paneCommands } from '#shared/commands/list-commands.ts';
import { useCommands } from '#renderer/store/use-commands.ts';
import classes from './SplitPane.module.css';

type Props = {
  /** Under which its size is remembered. */
  name: string;
  /** What the details show, for instance `Callback details`. */
  label: string;
  list: ReactNode;
  /** Null for none; the list then takes all the room. */
  detail: ReactNode;
  /** Whether something is selected. In narrow windows the details are shown only then. */
  isOpen?: boolean;
  /** Usual share of the details, in percent. */
  usual?: number;
  /** Goes back to the list in windows that show the details in its place. */
  onClose: () => void;
};

const smallest = 20;
const largest = 70;
/** A handle that is dragged beyond this share collapses the details. */
const collapsesBelow = 8;
const step = 2;

export function SplitPane({ name, label, list, detail, isOpen = true, usual = 45, onClose }: Readonly<Props>) {
  const [share, setShare] = useState(() => readShare(name) ?? usual);
  const [isCollapsed, setCollapsed] = useState(() => readPane(`${name}.collapsed`) === '1');
  const isStacked = useSyncExternalStore(watchNarrow, isNarrow);
  const collapse = (wanted: boolean) => {
    setCollapsed(wanted);
    keepPane(`${name}.collapsed`, wanted ? '1' : null);
  };
  const resize = (wanted: number | null) => {
    const next = Math.round(Math.min(largest, Math.max(smallest, wanted ?? usual)) * 10) / 10;
    setShare(next);
    keepPane(name, wanted === null ? null : String(next));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const wanted = shareAfterKey(event.key, share, isStacked);
    if (wanted === undefined) return;
    event.preventDefault();
    resize(wanted);
  };
  const onPointerMove = ({ currentTarget, pointerId, clientX, clientY }: PointerEvent) => {
    const box = currentTarget.parentElement?.getBoundingClientRect();
    if (!box || !currentTarget.hasPointerCapture(pointerId)) return;
    const wanted = isStacked ? ((box.bottom - clientY) / box.height) * 100 : ((box.right - clientX) / box.width) * 100;
    if (wanted < collapsesBelow) collapse(true);
    else resize(wanted);
  };
  const hasDetail = detail !== null && (isOpen || !isStacked);
  useCommands(paneCommands, { 'pane.toggle': hasDetail ? () => collapse(!isCollapsed) : undefined });
  const style = { '--rb-pane': `${share}%` } as CSSProperties;
  return (
    <div
      className={classes.split}
      style={style}
      data-detail={(hasDetail && !isCollapsed) || undefined}
      data-collapsed={(hasDetail && isCollapsed) || undefined}
    >
      <div className={classes.list}>{list}</div>
      {hasDetail && isCollapsed && (
        <div className={classes.edge}>
          <ActionIcon
            variant="subtle"
            aria-label={`Show ${label}`}
            title={`Show ${label} (])`}
            aria-expanded={false}
            onClick={() => collapse(false)}
          >
            {isStacked ? <IconLayoutBottombarExpand size={18} /> : <IconLayoutSidebarRightExpand size={18} />}
          </ActionIcon>
        </div>
      )}
      {hasDetail && !isCollapsed && (
        <>
          {/* A splitter is a focusable separator: https://www.w3.org/WAI/ARIA/apg/patterns/windowsplitter/ */}
          {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
          <div
            className={classes.handle}
            role="separator"
            aria-label={`Size of ${label}`}
            aria-orientation={isStacked ? 'horizontal' : 'vertical'}
            aria-valuenow={Math.round(share)}
            aria-valuemin={smallest}
            aria-valuemax={largest}
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            onKeyDown={onKeyDown}
            onPointerDown={({ currentTarget, pointerId }) => currentTarget.setPointerCapture(pointerId)}
            onPointerMove={onPointerMove}
            onDoubleClick={() => resize(null)}
          />
          <div className={classes.detail}>
            <div className={classes.back}>
              <Button size="compact-sm" variant="subtle" leftSection={<IconChevronLeft size={16} />} onClick={onClose}>
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

/** The share after a key, null for the usual one, undefined for other keys. The arrow shows where the handle goes. */
function shareAfterKey(key: string, share: number, isStacked: boolean): number | null | undefined {
  if (key === (isStacked ? 'ArrowUp' : 'ArrowLeft')) return share + step;
  if (key === (isStacked ? 'ArrowDown' : 'ArrowRight')) return share - step;
  if (key === 'Home') return largest;
  if (key === 'End') return smallest;
  return key === 'Enter' ? null : undefined;
}

const narrow = '(width < 1024px)';

function isNarrow(): boolean {
  return matchMedia(narrow).matches;
}

function watchNarrow(onChange: () => void): () => void {
  const query = matchMedia(narrow);
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
}

function readShare(name: string): number | null {
  const share = Number(readPane(name) ?? Number.NaN);
  return share >= smallest && share <= largest ? share : null;
}

function readPane(name: string): string | null {
  try {
    return localStorage.getItem(`rainbell.pane.${name}`);
  } catch {
    return null;
  }
}

/** Null for the usual. */
function keepPane(name: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(`rainbell.pane.${name}`);
    else localStorage.setItem(`rainbell.pane.${name}`, value);
  } catch {
    // A full or forbidden storage costs only the memory of the size.
  }
}
