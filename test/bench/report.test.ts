// The benchmark's bookkeeping: which ratio counts, when a goal is reached, and that the written table leaves people's words alone.
import { describe, expect, it } from 'vitest';
import { atLeast, atMost, judge, unmeasured } from './bench-row.ts';
import { usageOfTree } from './process-tree.ts';
import { markdownTable, replaceBetweenMarkers, terminalTable } from './report.ts';

const subject = { goal: '5', what: 'weather', baseline: 'nginx', note: 'a | b' };

describe('a row of the benchmark', () => {
  it('counts the median of its rounds, and forgives an outlier', () => {
    expect(judge({ ...subject, limit: atLeast(0.3) }, [0.1, 0.5, 0.6])).toMatchObject({
      ratio: 0.5,
      spread: [0.1, 0.6],
      verdict: 'reached',
      goalText: '≥ 0.3×',
    });
    expect(judge({ ...subject, limit: atMost(1) }, [0.9, 1.2, 1.3, 0.8])).toMatchObject({
      ratio: 1.05,
      verdict: 'missed',
    });
  });

  it('whose goal was corrected says so, unless it is reached all the same', () => {
    const corrected = { ...subject, limit: atLeast(0.3), isCorrected: true };
    expect(judge(corrected, [0.2]).verdict).toBe('corrected');
    expect(judge(corrected, [0.4]).verdict).toBe('reached');
  });

  it('without a ratio says why', () => {
    const row = unmeasured({ ...subject, limit: atLeast(0.3) }, 'not here', 'nginx is not installed');
    expect(terminalTable([row])).toContain('nginx is not installed');
    expect(terminalTable([row])).toContain('not here');
    const failed = unmeasured({ ...subject, limit: atLeast(0.3) }, 'failed', 'it did not start\nat line 7');
    expect(markdownTable([failed])).toContain('| failed: it did not start |');
  });

  it('cannot break the table that it is written into', () => {
    const table = markdownTable([judge({ ...subject, limit: atLeast(1) }, [12.345])]);
    expect(table).toContain('| 5 | weather | nginx | ≥ 1× | 12.3× | 12.3–12.3 | reached | a \\| b |');
  });
});

describe('the document', () => {
  const [begin, end] = ['<!-- bench:begin, written by npm run bench -->', '<!-- bench:end -->'];

  it('keeps what people wrote around the table', () => {
    const before = `# Performance\nwords\n${begin}\nold\n${end}\nmore words\n`;
    expect(replaceBetweenMarkers(before, 'new')).toBe(`# Performance\nwords\n${begin}\nnew\n${end}\nmore words\n`);
  });

  it('that lost its markers is not written', () => {
    expect(() => replaceBetweenMarkers('# Performance\n', 'new')).toThrow('markers');
  });
});

describe('the usage of a process tree', () => {
  it('grows with the work of the process', () => {
    const before = usageOfTree(process.pid);
    const { user } = process.cpuUsage();
    while (process.cpuUsage().user - user < 60_000) Math.sqrt(Math.random());
    const after = usageOfTree(process.pid);
    expect(after.cpuMicroseconds - before.cpuMicroseconds).toBeGreaterThanOrEqual(40_000);
    expect(after.rssBytes).toBeGreaterThan(10_000_000);
  });
});
