// A report of the endpoint check as text, as JSON, and in the JUnit form that CI servers read.
import { plural } from '@rainbell/shared';
import type { CheckedCase, CheckResult, HandlerProblem } from '@rainbell/contract/app-rpc';

type CheckReport = {
  /** Without its query, which may contain a secret. */
  url: string;
  startedAt: string;
  cases: readonly CheckedCase[];
  problems?: readonly HandlerProblem[];
};

export function countResults(cases: readonly CheckedCase[]): Record<CheckResult, number> {
  const count = (result: CheckResult) => cases.filter((one) => one.result === result).length;
  return { passed: count('passed'), failed: count('failed'), 'not-visible': count('not-visible') };
}

const resultLabels: Readonly<Record<CheckResult, string>> = {
  passed: 'passed',
  failed: 'FAILED',
  'not-visible': 'not verifiable',
};

/** One case, for people. */
export function caseLines({ title, result, tookMs, findings }: CheckedCase): string[] {
  const shown = findings.filter((finding) => finding.result !== 'passed');
  return [
    `${resultLabels[result].padEnd(14)}  ${title} (${tookMs} ms)`,
    ...shown.map(
      ({ what, result: one, detail }) =>
        `                ${one === 'failed' ? 'expected' : resultLabels[one]}: ${what}. ${detail}`,
    ),
  ];
}

/** The last line, for people. */
export function summaryLine(cases: readonly CheckedCase[]): string {
  const { passed, failed } = countResults(cases);
  const notVisible = cases.flatMap(({ findings }) => findings).filter(({ result }) => result === 'not-visible').length;
  return plural(
    notVisible,
    [
      '{passed} passed, {failed} failed; # check can’t be verified over HTTP',
      '{passed} passed, {failed} failed; # checks can’t be verified over HTTP',
    ],
    { passed, failed },
  );
}

export const reportFormats = {
  text: ({ url, startedAt, cases }: CheckReport): string =>
    [`Endpoint check of ${url}, ${startedAt}`, ...cases.flatMap(caseLines), summaryLine(cases), ''].join('\n'),
  json: (report: CheckReport): string =>
    `${JSON.stringify({ version: 1, ...report, counts: countResults(report.cases) }, null, 2)}\n`,
  junit: junitText,
};

function junitText({ url, startedAt, cases, problems }: CheckReport): string {
  const { failed, 'not-visible': skipped } = countResults(cases);
  const diagnosed = problems === undefined ? 0 : Math.max(1, problems.length);
  const failures = failed + (problems?.length ?? 0);
  const counts = `tests="${cases.length + diagnosed}" failures="${failures}" errors="0" skipped="${skipped}"`;
  const seconds = inSeconds(cases.reduce((sum, { tookMs }) => sum + tookMs, 0));
  // Local time without a zone, as the JUnit schema requires; ours is UTC.
  const timestamp = startedAt.replace(/\.\d+Z$|Z$/, '');
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="rainbell check" ${counts} time="${seconds}">`,
    `  <testsuite name="${escapeXml(`Endpoint check of ${url}`)}" ${counts} time="${seconds}" timestamp="${escapeXml(timestamp)}">`,
    ...(problems ? junitProblems(problems) : []),
    ...cases.flatMap(junitCase),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function junitProblems(problems: readonly HandlerProblem[]): string[] {
  const start = '    <testcase classname="rainbell.diagnosis" name="';
  if (problems.length === 0) return [`${start}no bug" time="0.000"/>`];
  return problems.flatMap(({ cause, does, should }) => [
    `${start}${escapeXml(cause)}" time="0.000">`,
    `      <failure message="${escapeXml(does)}" type="bug">${escapeXml(should)}</failure>`,
    '    </testcase>',
  ]);
}

function junitCase({ case: id, title, tookMs, result, findings, exchanges }: CheckedCase): string[] {
  const failures = findings.filter((finding) => finding.result === 'failed');
  const notVisible = findings.filter((finding) => finding.result === 'not-visible');
  const sent = exchanges.map(
    ({ sent: what, status, problem }) => `${what}: ${status ?? problem ?? 'cut off on purpose'}`,
  );
  const output = [...sent, ...notVisible.map(({ what, detail }) => `Not verifiable: ${what}. ${detail}`)].join('\n');
  return [
    `    <testcase classname="rainbell.check" name="${escapeXml(`${id}: ${title}`)}" time="${inSeconds(tookMs)}">`,
    ...failures.map(
      ({ what, detail }) => `      <failure message="${escapeXml(what)}" type="failed">${escapeXml(detail)}</failure>`,
    ),
    ...(result === 'not-visible' ? ['      <skipped message="Can’t be verified over HTTP"/>'] : []),
    `      <system-out>${escapeXml(output)}</system-out>`,
    '    </testcase>',
  ];
}

function inSeconds(ms: number): string {
  return (ms / 1000).toFixed(3);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** What XML 1.0 can't contain: most controls and lone surrogates. */
// oxlint-disable-next-line no-control-regex -- these are the characters to find
const notInXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(notInXml, '\ufffd')
    .replaceAll(/[&<>"']/g, (mark) => entities[mark] ?? mark);
}
