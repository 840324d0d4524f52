// While the window is printed, the root has the attribute `data-printing`, and what is drawn in pixels is drawn for the paper.

/** The layout changed for paper or back: measure again at once, because no frame is drawn before the page is printed. */
export const printLayoutEvent = 'rb-print-layout';

export function isPrinting(): boolean {
  return document.documentElement.hasAttribute('data-printing') || matchMedia('print').matches;
}
