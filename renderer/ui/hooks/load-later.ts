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

const modules: (() => Promise<unknown>)[] = [];

/** Returns the function that loads a part of the app when it is first called, or before, by `loadLaterModules`. */
export function laterModule<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined;
  const ensure = () => (loading ??= loadLater(load));
  modules.push(ensure);
  return ensure;
}

/** Loads all of them: once the first screen has its data, they are there also while the host is not reachable. */
export async function loadLaterModules(): Promise<void> {
  await Promise.all(modules.map((load) => load()));
}
