const retryPauseMs = 3000;

/** Loads a part of the app, and again while its files can't be loaded, because the host may be restarting. */
export async function loadLater<T>(load: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await load();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
    }
  }
}

const modules: LaterModule<unknown>[] = [];

/** Loads a part of the app with its first call; `now` returns the part if it is loaded. */
export type LaterModule<T> = (() => Promise<T>) & { now: () => T | undefined };

/** Returns the function that loads a part of the app when it is first called, or before, by `loadModules`. */
export function laterModule<T>(load: () => Promise<T>): LaterModule<T> {
  let loading: Promise<T> | undefined;
  let loaded: T | undefined;
  const ensure = () =>
    (loading ??= loadLater(async () => {
      loaded = await load();
      return loaded;
    }));
  const module = Object.assign(ensure, { now: () => loaded });
  modules.push(module);
  return module;
}

/** Loads all of them. Afterwards they are there even while the host is not reachable. */
export async function loadModules(): Promise<void> {
  await Promise.all(modules.map((load) => load()));
}

export function areModulesLoaded(): boolean {
  return modules.every((module) => module.now() !== undefined);
}

let resolveFirstScreen: () => void = () => {};
/** Resolves when the first screen has its data, or after some seconds without. */
export const afterFirstScreen = new Promise<void>((resolve) => {
  resolveFirstScreen = resolve;
});

/** What waits for `afterFirstScreen` may load now. */
export function endFirstScreen(): void {
  resolveFirstScreen();
}
