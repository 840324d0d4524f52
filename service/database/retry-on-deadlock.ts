// If two processes lock the same rows in a different order, PostgreSQL ends one of the transactions; a retry succeeds. SQLite has
// one writer at a time and no deadlocks.
const deadlock = '40P01';
const serializationFailure = '40001';
const attemptLimit = 5;

export async function retryOnDeadlock<Result>(transaction: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await transaction();
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      const isPassing = code === deadlock || code === serializationFailure;
      if (!isPassing || attempt >= attemptLimit) throw error;
    }
  }
}
