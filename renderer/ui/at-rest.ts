/** So long the pictures of what was just drawn come first. */
const pauseMs = 600;

/** Resolves when the screen was drawn and the browser has nothing to do: for parts that are loaded after the first look. */
export async function atRest(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, pauseMs));
  await new Promise((resolve) => requestIdleCallback(resolve, { timeout: 1000 }));
}
