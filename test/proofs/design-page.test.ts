import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { designPage } from '../../docs/.vitepress/design.ts';
import { icons } from '../../src/web/icons.ts';
import { chromiumPath } from '../requirements.ts';
import { violationsIn, widthOf } from './desk/desk-page.ts';

const executablePath = chromiumPath();

describe.skipIf(executablePath === null)('the page of the design', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath!, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  test.each([390, 1280, 1600])('shows everything in both colours, is accessible, and fits: %i px', async (width) => {
    const page = await browser.newPage({ viewport: { width, height: 900 } });
    await page.setContent(designPage());
    for (const theme of ['light', 'dark']) {
      expect(await page.locator(`.${theme} .tiles .icon`).count()).toBe(Object.keys(icons).length);
      expect(await page.locator(`.${theme} .plot rect`).count()).toBe(7);
    }
    const grounds = await page.evaluate(
      `['light', 'dark'].map((name) => getComputedStyle(document.querySelector('.' + name)).backgroundColor)`,
    );
    expect(grounds).toEqual(['rgb(255, 255, 255)', 'rgb(23, 28, 34)']);
    expect([await widthOf(page), await violationsIn(page)]).toEqual([width, []]);
    if (process.env.CHATFERRY_SCREENS)
      await page.screenshot({ path: `${process.env.CHATFERRY_SCREENS}/design-${width}.png`, fullPage: true });
    await page.close();
  });
});
