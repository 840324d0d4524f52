// Finds what a user would call broken in a layout: controls that overlap, text that is cut off, and what lies outside of the
// window.
/** Sentences that name the elements; empty if the layout is sound. */
export function findLayoutProblems(): string[] {
  type Box = { left: number; top: number; right: number; bottom: number };
  const problems = new Set<string>();
  const view: Box = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const cut = (box: Box, by: Box): Box => ({
    left: Math.max(box.left, by.left),
    top: Math.max(box.top, by.top),
    right: Math.min(box.right, by.right),
    bottom: Math.min(box.bottom, by.bottom),
  });
  const isSeen = ({ left, top, right, bottom }: Box) => right - left > 1 && bottom - top > 1;
  const isShown = (element: Element) =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    getComputedStyle(element).clipPath === 'none' &&
    element.closest('[inert]') === null;
  const nameOf = (element: Element) => {
    const words = element.getAttribute('aria-label') ?? element.textContent.trim().replaceAll(/\s+/g, ' ');
    return `<${element.tagName.toLowerCase()}> "${words.slice(0, 50)}"`;
  };
  const describe = (element: Element) => {
    const { overflowX, overflowY, position, contain } = getComputedStyle(element);
    const isCut = (overflow: string) =>
      overflow === 'hidden' || overflow === 'clip' || /strict|content|paint/.test(contain);
    const isScroller = (overflow: string) => overflow === 'auto' || overflow === 'scroll';
    return {
      element,
      box: element.getBoundingClientRect(),
      scrollsX: isScroller(overflowX),
      scrollsY: isScroller(overflowY),
      cutsX: isCut(overflowX),
      cutsY: isCut(overflowY),
      isLast: position === 'fixed' || element.matches('[popover]'),
    };
  };
  type Container = ReturnType<typeof describe>;
  const described = new Map<Element, Container>();
  /** How an element's box is cut by what contains it, and whether that scrolls, so that nothing is lost. */
  const containersOf = (element: Element) => {
    const found: Container[] = [];
    for (let parent = element.parentElement; parent && parent !== document.body; parent = parent.parentElement) {
      const container = described.get(parent) ?? describe(parent);
      described.set(parent, container);
      found.push(container);
      if (container.isLast) break;
    }
    return found;
  };
  const seenBox = (element: Element): Box =>
    containersOf(element).reduce(
      (box, container) =>
        container.scrollsX || container.scrollsY || container.cutsX || container.cutsY ? cut(box, container.box) : box,
      cut(element.getBoundingClientRect(), view),
    );

  // 1. Controls that overlap.
  const layerOf = (element: Element) =>
    element.closest('[popover]:popover-open, [role="dialog"], [role="menu"], [aria-label="Messages"]') ?? document.body;
  const shownControls = [
    ...document.querySelectorAll(
      'button, a[href], input, select, textarea, summary, [role="slider"], [role="separator"], [role="option"]',
    ),
  ].filter(isShown);
  const controls = shownControls
    .map((element) => ({ element, box: seenBox(element), layer: layerOf(element) }))
    .filter(({ box }) => isSeen(box));
  for (const [index, one] of controls.entries()) {
    for (const other of controls.slice(index + 1)) {
      const { left, right, top, bottom } = cut(one.box, other.box);
      if (right - left <= 1 || bottom - top <= 1) continue;
      const isNested = one.element.contains(other.element) || other.element.contains(one.element);
      // Buttons inside of a field, as the library puts them there.
      const field = one.element.closest('.mantine-Input-wrapper');
      const isField = field !== null && field === other.element.closest('.mantine-Input-wrapper');
      // Cells that stay in sight while the table scrolls below them.
      const isSticky = [one, other].some(({ element }) => {
        for (let at: Element | null = element; at; at = at.parentElement)
          if (getComputedStyle(at).position === 'sticky') return true;
        return false;
      });
      if (isNested || isField || isSticky || one.layer !== other.layer) continue;
      problems.add(`${nameOf(one.element)} overlaps ${nameOf(other.element)}`);
    }
  }

  // 2. Controls that no one can reach, because what contains them is too small and does not scroll.
  for (const element of shownControls) {
    const box = element.getBoundingClientRect();
    if (!isSeen(box)) continue;
    let canScrollX = false;
    let canScrollY = false;
    for (const container of containersOf(element)) {
      canScrollX ||= container.scrollsX;
      canScrollY ||= container.scrollsY;
      const { left, right, top, bottom } = container.box;
      if (container.cutsX && !canScrollX && (box.left < left - 1 || box.right > right + 1))
        problems.add(`${nameOf(element)} is cut off at the side by <${container.element.tagName.toLowerCase()}>`);
      if (container.cutsY && !canScrollY && (box.top < top - 1 || box.bottom > bottom + 1))
        problems.add(`${nameOf(element)} is cut off below by <${container.element.tagName.toLowerCase()}>`);
    }
  }

  // 3. Text that is cut off without an ellipsis and a title that has all of it, or that leaves the window.
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!element || node.textContent?.trim() === '' || !isShown(element)) continue;
    if (element.closest('textarea, select, script, style, noscript, option')) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    // A range does not know the `textLength` of SVG's texts.
    let box: Box = (element.hasAttribute('textLength') ? element : range).getBoundingClientRect();
    if (!isSeen(box)) continue;
    let canScrollX = false;
    let canScrollY = false;
    let isHidden = false;
    const chain = [describe(element), ...containersOf(element)];
    for (const container of chain) {
      canScrollX ||= container.scrollsX;
      canScrollY ||= container.scrollsY;
      if (getComputedStyle(container.element).clipPath !== 'none') isHidden = true;
      const edges = container.element.getBoundingClientRect();
      const style = getComputedStyle(container.element);
      const isTold = container.element.closest('[title]') !== null || element.closest('[title]') !== null;
      const hasEllipsis = style.textOverflow === 'ellipsis' || style.webkitLineClamp !== 'none';
      if (isHidden) break;
      const isCutX = container.cutsX && !canScrollX && (box.right > edges.right + 1 || box.left < edges.left - 1);
      const isCutY = container.cutsY && !canScrollY && (box.bottom > edges.bottom + 2 || box.top < edges.top - 2);
      if (!isCutX && !isCutY) continue;
      if (!hasEllipsis || !isTold) {
        const where = isCutX ? 'at the side' : 'below';
        problems.add(`Text ${nameOf(element)} is cut off ${where}${hasEllipsis ? ' without a title' : ''}`);
      }
      box = cut(box, edges);
    }
    if (!isHidden && !canScrollX && (box.left < -1 || box.right > innerWidth + 1))
      problems.add(`Text ${nameOf(element)} leaves the window`);
  }
  if (document.documentElement.scrollWidth > innerWidth) problems.add('The page is wider than the window');
  if (document.documentElement.scrollHeight > innerHeight) problems.add('The page is higher than the window');
  return [...problems];
}
