// The benchmark's bookkeeping: which ratio counts, when a goal is reached, and what a run writes into the document.
import { describe, expect, it } from 'vitest';
import { atLeast, atMost, assess, unmeasured } from './bench-row.ts';
import { markdownRows, missedLines, terminalTable, updateDocument } from './report.ts';

const subject = { goal: '5', what: 'weather', baseline: 'nginx', note: 'a | b' };

describe('a row of the benchmark', () => {
  it('counts the median of its rounds, and forgives an outlier', () => {
    expect(assess({ ...subject, limit: atLeast(0.3) }, [0.1, 0.5, 0.6])).toMatchObject({
      ratio: 0.5,
      spread: [0.1, 0.6],
      verdict: 'reached',
      goalText: '≥ 0.3×',
    });
    expect(assess({ ...subject, limit: atMost(1) }, [0.9, 1.2, 1.3, 0.8])).toMatchObject({
      ratio: 1.05,
      verdict: 'missed',
    });
  });

  it('that misses its goal is listed', () => {
    const missed = assess({ ...subject, limit: atLeast(0.3) }, [0.2]);
    const reached = assess({ ...subject, limit: atLeast(0.3) }, [0.4]);
    expect(missedLines([missed, reached])).toEqual(['5  weather / nginx: 0.20×, goal ≥ 0.3×']);
  });

  it('without a ratio says why', () => {
    const row = unmeasured({ ...subject, limit: atLeast(0.3) }, 'not here', 'nginx is not installed');
    expect(terminalTable([row])).toContain('nginx is not installed');
    expect(terminalTable([row])).toContain('not here');
    const failed = unmeasured({ ...subject, limit: atLeast(0.3) }, 'failed', 'it did not start\nat line 7');
    expect(markdownRows([failed])).toContain('| failed: it did not start |');
  });

  it('cannot break the table that it is written into', () => {
    const table = markdownRows([assess({ ...subject, limit: atLeast(1) }, [12.345])]);
    expect(table).toContain('| 5 | weather | nginx | ≥ 1× | 12.3× | 12.3–12.3 | reached | a \\| b |');
  });
});

describe('the document', () => {
  const [begin, end] = ['<!-- bench:begin, written by npm run bench -->', '<!-- bench:end -->'];
  const names = ['receiver', 'weather', 'start'];
  const head = `| # | what | against | goal | measured | spread | verdict | figures |\n${'|---'.repeat(8)}|`;
  const around = (rows: string) => `# Performance\ntext\n${begin}\n${head}\n${rows}\n${end}\nmore text\n### weather\n`;
  const section = (name: string, about: string) =>
    `| **${name}** | ${about} |||||||\n| 1 | ${name} | b | c | d | e | f | g |`;
  const row = assess({ ...subject, limit: atLeast(0.3) }, [0.4]);

  it('gets the sections of the benches that ran, and keeps all other text and sections', () => {
    const before = around([section('receiver', 'on Monday'), section('weather', 'on Monday')].join('\n'));
    const measured = ['start', 'weather'].map((name) => ({ name, about: 'on Friday', rows: [row] }));
    const written = (name: string) => `| **${name}** | on Friday |||||||\n${markdownRows([row])}`;
    expect(updateDocument(before, names, measured)).toBe(
      around([section('receiver', 'on Monday'), written('weather'), written('start')].join('\n')),
    );
  });

  it('loses the section of a bench that no longer exists', () => {
    const before = around([section('old', 'on Monday'), section('start', 'on Monday')].join('\n'));
    expect(updateDocument(before, names, [])).toBe(around(section('start', 'on Monday')));
  });

  it('is not written without its markers', () => {
    expect(() => updateDocument('# Performance\n', names, [])).toThrow('markers');
  });
});
