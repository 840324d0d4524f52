// The short messages at the window's lower edge: at the left, or elsewhere if they would cover what they are about.
import { useLayoutEffect, useRef, useState } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { laterPart } from '#renderer/ui/controls/later-part.tsx';
import classes from './Toasts.module.css';

const ToastCard = laterPart(async () => (await import('./ToastCard.tsx')).ToastCard);

/** Bottom left, bottom right, and below the header: in a narrow window the first two are the same. */
const sides = ['start', 'end', 'top'] as const;
type Side = (typeof sides)[number];

export function Toasts() {
  const items = useApp((state) => state.toasts.items);
  const stack = useRef<HTMLDivElement>(null);
  const [side, setSide] = useState<Side>('start');
  useLayoutEffect(() => {
    if (stack.current && items.length > 0) setSide(freeSide(stack.current));
  }, [items]);
  return (
    <div ref={stack} className={classes.stack} data-side={side} role="region" aria-label="Messages" aria-live="polite">
      {items.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

/**
 * What a message is about, or what the user is doing: the selected row, the open item, the focused control, fields that were
 * just saved, and buttons that could be pressed next.
 */
const inUse = '[aria-selected="true"], [data-open="true"], :focus, main :is(input, textarea, button)';

/** A message over a part of something that large, such as the chart, hides nothing of it for good. */
const largestShare = 0.25;

/** The first place where the stack covers nothing in use: where it covers least if it does everywhere. */
function freeSide(stack: HTMLElement): Side {
  const boxes = [...document.querySelectorAll(inUse)]
    .filter((element) => !element.contains(stack) && !stack.contains(element) && !element.matches('main'))
    .map((element) => element.getBoundingClientRect())
    .filter(({ width, height }) => width * height < innerWidth * innerHeight * largestShare);
  const covered = (side: Side) => {
    stack.dataset['side'] = side;
    const { left, right, top, bottom } = stack.getBoundingClientRect();
    const areas = boxes.map(
      (box) =>
        Math.max(0, Math.min(box.right, right) - Math.max(box.left, left)) *
        Math.max(0, Math.min(box.bottom, bottom) - Math.max(box.top, top)),
    );
    return areas.reduce((sum, area) => sum + area, 0);
  };
  const found = sides.map((side) => ({ side, area: covered(side) }));
  return found.reduce((best, one) => (one.area < best.area ? one : best)).side;
}
