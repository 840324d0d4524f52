// What a process and all its descendants have used: CPU time and memory, from the kernel, so that our own servers and other
// people's are measured the same way. Linux by /proc (to 10 ms); elsewhere by `ps`.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';

export type Usage = {
  /** User and system time of the living processes and of those they waited for. */
  cpuMicroseconds: number;
  rssBytes: number;
  ids: number[];
};

type Entry = Omit<Usage, 'ids'> & { id: number; parentId: number; name: string };

/** `sysconf(_SC_CLK_TCK)` and the page size of every Linux that Node runs on, but for 64 KB pages on some ARM machines. */
const ticksPerSecond = 100;
const pageBytes = 4096;

export function usageOfTree(rootId: number): Usage {
  return sum(({ id }) => id === rootId);
}

/** Returns the usage of what a process started under a name, such as `chromium`. */
export function usageOfChildren(parentId: number, name: string): Usage {
  return sum((entry) => entry.parentId === parentId && entry.name.startsWith(name));
}

function sum(isRoot: (entry: Entry) => boolean): Usage {
  const entries = process.platform === 'linux' ? readProc() : readPs();
  const byParent = Map.groupBy(entries, ({ parentId }) => parentId);
  const total: Usage = { cpuMicroseconds: 0, rssBytes: 0, ids: [] };
  const waiting = entries.filter(isRoot);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    total.cpuMicroseconds += next.cpuMicroseconds;
    total.rssBytes += next.rssBytes;
    total.ids.push(next.id);
    waiting.push(...(byParent.get(next.id) ?? []));
  }
  return total;
}

function readProc(): Entry[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readIfThere(`/proc/${name}/stat`);
      // The command's name is in brackets and may contain any character; what follows the last bracket is plain.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (fields.length < 22) return [];
      const number = (index: number) => Number(fields[index]);
      // proc(5), counted from `state`: ppid, then utime, stime, cutime, cstime, and rss in pages.
      const ticks = number(11) + number(12) + number(13) + number(14);
      return {
        id: Number(name),
        name: stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')')),
        parentId: number(1),
        cpuMicroseconds: (ticks * 1_000_000) / ticksPerSecond,
        rssBytes: number(21) * pageBytes,
      };
    });
}

/** Processes end while the list is read. */
function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function readPs(): Entry[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,rss=,time=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n');
  return lines.map((line) => {
    const [id, parentId, kilobytes, time = '', ...command] = line.trim().split(/\s+/);
    const seconds = time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0);
    return {
      id: Number(id),
      name: command.join(' ').replace(/^.*\//, ''),
      parentId: Number(parentId),
      cpuMicroseconds: seconds * 1_000_000,
      rssBytes: Number(kilobytes) * 1024,
    };
  });
}
