// Conflation for loads that notices ask for: however many notices come, one load runs, and at most one waits.

/** Calls while one runs are answered by one more run after it, so the newest state is read and nothing piles up. */
export function oneAtATime(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let again = false;
  const start = async (): Promise<void> => {
    do {
      again = false;
      await run();
    } while (again);
    running = undefined;
  };
  return () => {
    if (running) again = true;
    else running = start();
    return running;
  };
}
