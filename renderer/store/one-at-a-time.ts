// Conflation for loads that notices ask for: however many notices arrive, one load runs and at most one waits.

/**
 * A call during a run is answered by one more run after it, so the newest state is read and nothing piles up. If the last run
 * throws, the calls that waited for it reject, and the next call runs again.
 */
export function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let isRequested = false;
  // Async, so that a synchronous throw is a rejection as well.
  const attempt = async (): Promise<void> => run();

  const runAll = async (): Promise<void> => {
    let failure: { error: unknown } | undefined;
    do {
      isRequested = false;
      failure = undefined;
      try {
        await attempt();
      } catch (error) {
        failure = { error };
      }
    } while (isRequested);
    // In the same turn as the last check of `isRequested`, so that no call is lost in between.
    running = undefined;
    if (failure) throw failure.error;
  };
  return () => {
    if (running) isRequested = true;
    else running = runAll();
    return running;
  };
}
