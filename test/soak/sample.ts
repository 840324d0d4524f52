// What a watched process reports about itself, and how it travels from its threads to the soak (test/soak/probe.ts).
import { z } from 'zod';

/** One look at one thread. Bytes; milliseconds of event-loop delay since the look before. */
export const threadSampleSchema = z.object({
  thread: z.string(),
  heapBytes: z.number(),
  loopDelayP99Ms: z.number(),
});
export type ThreadSample = z.infer<typeof threadSampleSchema>;

/** One look at a whole process. */
export type ProcessSample = {
  residentBytes: number;
  openFiles: number;
  databaseBytes: number;
  /** By the thread's name. */
  threads: Map<string, ThreadSample>;
};

export const probeChannel = 'rainbell-soak';
