// Commands, options, and settings that documents name exist: the programs' --help has them, or the sources read them.
import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { runCommandLine } from '#command-line/run-command-line.ts';
import { projectFolder } from '#scripts/tool.mjs';
import { readInvocation } from '#service/config/config.ts';
import { helpText } from '#service/operator/command-line.ts';

const read = (file: string) => readFileSync(`${projectFolder}${file}`, 'utf8');
const documents = globSync(['*.md', '*/README.md', 'docs/**/*.md'], { cwd: projectFolder, exclude: ['node_modules'] });

/** Code in the documents: lines of blocks, and spans in texts. */
const code = documents.flatMap((file) => {
  const text = read(file).replaceAll('\\|', '|');
  const blocks = [...text.matchAll(/```\w*\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.replaceAll(/ *\\\n\s*/g, ' ').split('\n'),
  );
  const spans = [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
  return [...blocks, ...spans].map((line) => ({ file, line: line.replace(/(^|\s)#.*/, '') }));
});

async function rainbellHelp(args: readonly string[]): Promise<string> {
  let text = '';
  const output = { show: (shown: string) => void (text += shown), error: () => {} };
  await runCommandLine([...args, '--help'], { output, signal: new AbortController().signal } as never);
  return text;
}

const optionsIn = (text: string) => text.match(/(?<![\w-])--[a-z]+(?:-[a-z]+)*/g) ?? [];

it('commands and options of rainbell', async () => {
  const overview = (await rainbellHelp([])).replace(/^Examples:[\s\S]*/m, '');
  const commands = new Map<string, Set<string>>();
  for (const [, name = ''] of overview.matchAll(/^ {2}([a-z][a-z-]*(?: [a-z]+)?)(?= )/gm))
    commands.set(name, new Set(optionsIn(await rainbellHelp(name.split(' ')))));
  expect(commands.size).toBeGreaterThan(20);
  const named = code.flatMap(({ file, line }) =>
    [...line.matchAll(/(?:^|(?:npx|run|--silent|--|bin\/|\$\(|&&) ?)rainbell ([a-z][^|>&;)]*)/g)].map(
      ([, words = '']) => ({
        file,
        words,
      }),
    ),
  );
  expect(named.length).toBeGreaterThan(20);
  const wrong = named.filter(({ words }) => {
    const [first = '', second = ''] = words.trim().split(/\s+/);
    const options = commands.get(`${first} ${second}`) ?? commands.get(first);
    return !options || optionsIn(words).some((option) => !options.has(option));
  });
  expect(wrong).toEqual([]);
});

it('commands and options of the service and the operator', () => {
  const service = readInvocation(['--help'], {});
  const helps = { service: service.kind === 'help' ? service.text : '', operator: helpText };
  const named = code.flatMap(({ file, line }) =>
    [...line.matchAll(/npm run (service|operator) -- ([^|>&;)]+)/g)].map(([, program = '', words = '']) => ({
      file,
      program: program as keyof typeof helps,
      words,
    })),
  );
  expect(named.length).toBeGreaterThan(10);
  const wrong = named.filter(({ program, words }) => {
    const command = words.replaceAll(/--\w+ "?[A-Z$]\S*/g, '').match(/^\s*([a-z]+(?: [a-z]+)?)/)?.[1];
    const help = helps[program];
    return (
      (command !== undefined && !help.includes(command)) || optionsIn(words).some((option) => !help.includes(option))
    );
  });
  expect(wrong).toEqual([]);
});

it('settings', () => {
  const sources = globSync('{service,core,shared,command-line,headless,electron,scripts,test,.ci}/**/*.{ts,mjs,cjs}', {
    cwd: projectFolder,
    exclude: (name) => name.endsWith('node_modules'),
  }).filter((file) => !file.endsWith('named-options.test.ts'));
  const settings = readInvocation(['--help'], {});
  const known = new Set(
    [...sources.map(read), settings.kind === 'help' ? settings.text : ''].flatMap(
      (text) => text.match(/RAINBELL_[A-Z_]+/g) ?? [],
    ),
  );
  const named = documents.flatMap((file) =>
    (read(file).match(/RAINBELL_[A-Z_]+/g) ?? []).map((name) => ({ file, name })),
  );
  expect(named.length).toBeGreaterThan(50);
  const isKnown = (name: string) =>
    name.endsWith('_') ? [...known].some((one) => one.startsWith(name)) : known.has(name);
  expect(named.filter(({ name }) => !isKnown(name))).toEqual([]);
});
