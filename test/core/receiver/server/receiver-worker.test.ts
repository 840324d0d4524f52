// The entry of the receiver's thread.
import { expect, test } from 'vitest';

test('runs in a thread of its own only', async () => {
  await expect(import('#core/receiver/server/receiver-worker.ts')).rejects.toThrow('in a worker thread only');
});
