// Places the messages where they cover neither their subject nor what the user is working on.

/** Bottom left, bottom right, and below the header: in a narrow window the first two are the same. */
const sides = ['start', 'end', 'top'] as const;
type Side = (typeof sides)[number];

/**
 * What the user is doing: the selected row, the open item and the head of its details, the focused control and its row, and items
 * that are being deleted.
 */
const subject =
  '[aria-selected="true"], [data-open="true"], [data-active="true"], [data-going], [data-subject], :focus';
const subjectRows = ':is([role="row"], [role="option"]):focus-within';
/** Also fields that were just saved, and buttons that could be pressed next. */
const inUse = `${subject}, ${subjectRows}, main :is(input, textarea, button)`;
/** Any part of what the message is about covered is worse than any part of other subjects, and that is worse than many buttons. */
const weights = { about: 1_000_000, subject: 1_000, other: 1 };

/** A message over a part of something that large, such as the chart, hides nothing of it for good. */
const largestShare = 0.25;
const settleMs = 100;
/** With several selected items, none is what the user is at. */
const maxSelected = 3;

/** Until it is ended; `about`: IDs of elements, which may be there or not. */
export function keepClear(stack: HTMLElement, about: readonly string[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  place(stack, about);
  const measure = () => {
    timer = undefined;
    // It stays under the pointer that is about to press its button, unless it covers what it must not.
    const subjects = boxesInUse(stack, about).filter(({ weight }) => weight >= weights.subject);
    if (coveredAt(stack, subjects) > 0) place(stack, about);
  };
  const measureSoon = () => {
    timer ??= setTimeout(measure, settleMs);
  };
  // A card grows, rows come, go, and scroll, and the focus moves.
  const sizes = new ResizeObserver(measureSoon);
  sizes.observe(stack);
  const changes = new MutationObserver(measureSoon);
  const attributeFilter = ['aria-selected', 'data-open', 'data-active', 'data-going'];
  changes.observe(document.body, { subtree: true, childList: true, attributeFilter });
  const events = ['scroll', 'resize', 'focusin'] as const;
  for (const event of events) window.addEventListener(event, measureSoon, { capture: true, passive: true });
  return () => {
    clearTimeout(timer);
    sizes.disconnect();
    changes.disconnect();
    for (const event of events) window.removeEventListener(event, measureSoon, { capture: true });
  };
}

type InUse = { box: DOMRect; weight: number };

function boxesInUse(stack: HTMLElement, about: readonly string[]): readonly InUse[] {
  // What is behind a dialog is not in use.
  const dialog = document.querySelector('[role="dialog"][aria-modal="true"]');
  if (dialog) return [{ box: dialog.getBoundingClientRect(), weight: weights.subject }];
  const named = about.flatMap((id) => document.getElementById(id) ?? []);
  // None of the items selected for an action on many is the subject.
  const isMany = document.querySelectorAll('[aria-selected="true"]').length > maxSelected;
  const subjects = isMany ? subject.replace('[aria-selected="true"], ', '') : subject;
  const others = [...document.querySelectorAll(inUse)].filter(
    (element) => !element.contains(stack) && !stack.contains(element) && !element.matches('main'),
  );
  return [
    ...named.map((element) => ({ box: element.getBoundingClientRect(), weight: weights.about })),
    ...others.map((element) => ({
      box: element.getBoundingClientRect(),
      weight: element.matches(`${subjects}, ${subjectRows}`) ? weights.subject : weights.other,
    })),
  ].filter(({ box: { width, height } }) => width * height < innerWidth * innerHeight * largestShare);
}

function coveredAt(stack: HTMLElement, boxes: readonly InUse[]): number {
  const { left, right, top, bottom } = stack.getBoundingClientRect();
  const areas = boxes.map(
    ({ box, weight }) =>
      weight *
      Math.max(0, Math.min(box.right, right) - Math.max(box.left, left)) *
      Math.max(0, Math.min(box.bottom, bottom) - Math.max(box.top, top)),
  );
  return areas.reduce((sum, area) => sum + area, 0);
}

/**
 * Moves the stack to the first side on which it covers no control in use; if there is none, to the one on which it covers least.
 */
function place(stack: HTMLElement, about: readonly string[]): void {
  const boxes = boxesInUse(stack, about);
  const covered = (side: Side) => {
    stack.dataset['side'] = side;
    return coveredAt(stack, boxes);
  };
  const found = sides.map((side) => ({ side, area: covered(side) }));
  stack.dataset['side'] = found.reduce((best, one) => (one.area < best.area ? one : best)).side;
}
