// Every error that a screen shows leads to its request in Traffic: a component that shows an error's message also shows the link,
// by `RequestNotice`, `TrafficButton`, or `failedToast`.
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectFolder } from '#scripts/tool.mjs';

/** An error's message, read as a value. */
const shownMessage = /\b(?:failure|\w*[pP]roblem|refused)\??\.message\b|\btoFailure\([^)]*\)\.message\b/;
const link = /<TrafficButton\b|\bfailedToast\(|\bdetails\.trafficId\b/;

/** Files that show errors with no request behind them, and why. */
const withoutRequest: Readonly<Record<string, string>> = {
  'renderer/features/access/SandboxAccount.tsx': 'the account is read from a file of the app',
  'renderer/features/callbacks/list/CallbackList.tsx': 'the callbacks are in the database of the app',
  'renderer/features/connections/ConnectionDialog.tsx': 'the app refuses a field before it sends anything',
  'renderer/features/forecast/ForecastScreen.tsx': 'the service could not start',
  'renderer/features/forecast/inspector/Inspector.tsx': 'the token is read from the secrets of the app',
  'renderer/features/forecast/inspector/contract-check.ts': 'a deviation inside a response, shown beside it',
  'renderer/features/connections/ConnectionMenu.tsx': 'the service could not start',
  'renderer/features/frame/AppNotices.tsx': 'the service could not start, or files in the data folder are damaged',
  'renderer/features/frame/StatusBar.tsx': 'a tooltip of the link to Access or Connections, which show the error',
  'renderer/features/settings/custom-settings.tsx': 'update checks are not logged in Traffic',
  'renderer/store/settings-slice.ts': 'the settings are in a file of the app',
  'renderer/features/traffic/TrafficDetail.tsx': 'the screen is Traffic',
  'renderer/widgets/PlaceSearch.tsx': 'the places are searched on this computer',
  'renderer/widgets/RawBody.tsx': 'the traffic log is in the database of the app',
};

const showing = globSync('renderer/**/*.{ts,tsx}', { cwd: projectFolder })
  .map((file) => file.replaceAll('\\', '/'))
  .map((file) => ({ file, text: readFileSync(join(projectFolder, file), 'utf8') }))
  .filter(({ text }) => shownMessage.test(text));

it('every file that shows an error links to its request in Traffic', () => {
  const unlinked = showing.filter(({ file, text }) => !link.test(text) && !(file in withoutRequest));
  expect(unlinked.map(({ file }) => file)).toEqual([]);
});

it('every exception shows an error and has no link', () => {
  const unlinked = showing.filter(({ text }) => !link.test(text)).map(({ file }) => file);
  expect(Object.keys(withoutRequest).filter((file) => !unlinked.includes(file))).toEqual([]);
});
