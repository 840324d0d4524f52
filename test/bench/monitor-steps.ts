// The steps of someone who looks after 5,000 monitors, with the CPU time that each takes on the page's main thread: from the press
// until the screen shows its result.
import type { CDPSession, Locator, Page } from 'playwright';

export const monitorCount = 5_000;

export type StepCosts = {
  filter: number;
  selectAll: number;
  setCallback: number;
  undo: number;
  /** Of one frame while the list scrolls by a row each. */
  scrollFrame: number;
};

const scrolledFrames = 120;

/** `page` shows the monitors, unfiltered, and nothing is selected. In milliseconds. */
export async function measureMonitorSteps(page: Page): Promise<StepCosts> {
  const session = await page.context().newCDPSession(page);
  // CPU of the thread instead of time that others may take.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const cost = (act: () => Promise<unknown>) => measure(session, page, act);
  const field = page.getByLabel('Filter the monitors');
  await field.focus();
  const filter = await cost(async () => {
    await page.keyboard.insertText('precipitation_4');
    await waitForText(page, '1,111 of 5,000 monitors');
  });
  await field.fill('');
  await page.getByText(/^5,000 monitors · /).waitFor();
  const selectAll = await pressed(page.getByRole('checkbox', { name: 'Select all shown' }), cost, () =>
    waitForText(page, '5,000 selected'),
  );
  await page.getByRole('button', { name: 'Set callback URL…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('And 4,900 more').waitFor();
  const run = page.getByRole('region', { name: 'Set the callback URL for 5,000 monitors' });
  const setCallback = await pressed(
    dialog.getByRole('button', { name: 'Set the callback URL for 5,000 monitors' }),
    cost,
    () => page.waitForFunction(() => document.querySelector('section[aria-label^="Set the callback URL for 5,000"]')),
  );
  await run.getByRole('button', { name: 'Stop' }).click();
  await run.getByRole('button', { name: /^Retry/ }).waitFor();
  const undo = await pressed(run.getByRole('button', { name: 'Undo' }), cost, () =>
    page.waitForFunction(() => document.querySelector('section[aria-label^="Undo: Set the callback URL for 5,000"]')),
  );
  await page.getByRole('button', { name: 'Clear the selection' }).click();
  const grid = page.getByRole('grid', { name: 'Monitors' });
  const scroll = await cost(() =>
    grid.evaluate(
      (element, frames) =>
        new Promise<void>((resolve) => {
          let left = frames;
          const step = () => {
            if (left === 0) return resolve();
            left -= 1;
            element.scrollTop += 46;
            requestAnimationFrame(step);
          };
          step();
        }),
      scrolledFrames,
    ),
  );
  await session.detach();
  return { filter, selectAll, setCallback, undo, scrollFrame: scroll / scrolledFrames };
}

/** A press by the mouse. Playwright looks for the control before, because that takes time of the page, too. */
async function pressed(
  control: Locator,
  cost: (act: () => Promise<unknown>) => Promise<number>,
  done: () => Promise<unknown>,
): Promise<number> {
  await control.scrollIntoViewIfNeeded();
  const box = await control.boundingBox();
  if (!box) throw new Error('The control is not shown.');
  return cost(async () => {
    await control.page().mouse.click(box.x + box.width / 2, box.y + box.height / 2);
    await done();
  });
}

/** Reads the statuses only: a search of the whole page in each frame would take a good part of what is measured. */
async function waitForText(page: Page, text: string): Promise<void> {
  await page.waitForFunction(
    (wanted) => [...document.querySelectorAll('[role=status]')].some((status) => status.textContent?.includes(wanted)),
    text,
  );
}

async function measure(session: CDPSession, page: Page, act: () => Promise<unknown>): Promise<number> {
  await rest(session, page);
  const before = await taskSeconds(session);
  await act();
  await page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
  return ((await taskSeconds(session)) - before) * 1000;
}

/** Until the page has nothing to do: states, places, and fronts are loaded after the list. */
export async function waitForRest(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await rest(session, page);
  await session.detach();
}

/** What an earlier step left to do, such as reading the list again, is not of this one. */
async function rest(session: CDPSession, page: Page): Promise<void> {
  for (let tries = 0, last = -1; tries < 50; tries += 1) {
    const now = await taskSeconds(session);
    if (now - last < 0.02) return;
    last = now;
    await page.waitForTimeout(200);
  }
}

async function taskSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics');
  return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
}
