// The worker in which texts and bodies from elsewhere are read and laid out. It runs one task and then ends; what a task throws is the
// worker's error.
import { runHere, type TaskInput, type TaskName } from './tasks.ts';

export type TaskMessage = { name: TaskName; input: TaskInput<TaskName> };

addEventListener('message', ({ data: { name, input } }: MessageEvent<TaskMessage>) =>
  postMessage(runHere(name, input)),
);
