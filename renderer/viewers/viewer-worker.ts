// The worker in which texts and bodies from elsewhere are read and laid out. It runs one task and then ends.
import { runHere, type TaskInput, type TaskName } from './tasks.ts';

export type TaskMessage = { name: TaskName; input: TaskInput<TaskName> };
export type TaskReply = { value: unknown } | { error: string };

addEventListener('message', ({ data }: MessageEvent<TaskMessage>) => {
  postMessage(runTask(data));
});

function runTask({ name, input }: TaskMessage): TaskReply {
  try {
    return { value: runHere(name, input) };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}
