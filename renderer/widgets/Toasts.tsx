// The short messages at the window's lower edge: at the left, or at the right if they would cover what they are about.
import { useLayoutEffect, useRef, useState } from 'react';
import { useApp } from '#renderer/store/use-app.ts';
import { laterPart } from '#renderer/ui/controls/later-part.tsx';
import classes from './Toasts.module.css';

const ToastCard = laterPart(async () => (await import('./ToastCard.tsx')).ToastCard);

export function Toasts() {
  const items = useApp((state) => state.toasts.items);
  const stack = useRef<HTMLDivElement>(null);
  const [side, setSide] = useState<'start' | 'end'>('start');
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

/** What a message is about, or what the user is doing: the selected row, the open item, and the focused control. */
const inUse = '[aria-selected="true"], [data-open="true"], :focus';

/** The side on which the stack covers nothing in use; the left one if it does on both. */
function freeSide(stack: HTMLElement): 'start' | 'end' {
  const boxes = [...document.querySelectorAll(inUse)]
    .filter((element) => !element.contains(stack) && !stack.contains(element) && !element.matches('main'))
    .map((element) => element.getBoundingClientRect());
  const isFree = (side: 'start' | 'end') => {
    stack.dataset['side'] = side;
    const { left, right, top, bottom } = stack.getBoundingClientRect();
    return boxes.every((box) => box.right <= left || box.left >= right || box.bottom <= top || box.top >= bottom);
  };
  return !isFree('start') && isFree('end') ? 'end' : 'start';
}
