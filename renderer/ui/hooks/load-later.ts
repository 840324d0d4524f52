const retryPauseMs = 3000;

/** Loads a part of the app, and again while its files can't be loaded, since the host may be restarting. */
export async function loadLater<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
    }
  }
}
