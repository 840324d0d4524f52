// The screens in Electron's window: the real renderer over the bridged MessagePort, under app:// with its policy.
import { describe, expect, it } from 'vitest';
import { startRainbell } from './rainbell.ts';

describe('the window', () => {
  it('shows the screens, which speak with core over the one port that the preload passed', async () => {
    const rainbell = await startRainbell();
    const page = await rainbell.firstPage();
    await page.getByRole('navigation').first().waitFor();
    expect(rainbell.output()).toContain('Rainbell is open in Electron.');
  });
});
