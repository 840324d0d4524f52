/** Resolves when the screen was drawn and the browser has nothing to do: for parts that are loaded after the first look. */
export async function atRest(): Promise<void> {
  await new Promise((resolve) => requestAnimationFrame(resolve));
  // Not every browser has `requestIdleCallback`.
  if (typeof requestIdleCallback === 'function')
    await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 500 }));
}
