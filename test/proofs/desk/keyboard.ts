import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Elements of a page of the desk, and more, that Tab can reach one after another. */
const tabsMax = 400;

type TabKey = 'Tab' | 'Shift+Tab';

/** Presses Tab until the element has the focus, as somebody without a mouse does. @throws if Tab never reaches it */
export async function tabTo(page: Page, element: Locator, key: TabKey = 'Tab'): Promise<void> {
  await element.waitFor({ state: 'attached' });
  // A button that waits for work to end is passed over.
  await expect.poll(() => element.isEnabled(), { timeout: 60_000 }).toBe(true);
  for (let tabs = 0; tabs < tabsMax; tabs++) {
    if (await hasFocus(element)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not lead to ${element}`);
}

const hasFocus = (element: Locator): Promise<boolean> => element.evaluate((one) => one.matches(':focus'));

/** Reaches a button or a link by Tab, and presses Enter. */
export async function press(page: Page, element: Locator, key: TabKey = 'Tab'): Promise<void> {
  await tabTo(page, element, key);
  await page.keyboard.press('Enter');
}

/** Reaches a field by Tab, and types. */
export async function type(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(text);
}

/** Reaches the group of a radio button by Tab, and goes to the button with the arrow keys. */
export async function choose(page: Page, radio: Locator): Promise<void> {
  await radio.waitFor({ state: 'attached' });
  const name = await radio.getAttribute('name');
  const group = page.locator(`input[type=radio][name="${name}"]`);
  const focused = page.locator(`input[type=radio][name="${name}"]:focus`);
  for (let tabs = 0; (await focused.count()) === 0; tabs++) {
    if (tabs > tabsMax) throw new Error(`Tab does not lead to ${radio}`);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('Space');
  for (let arrows = await group.count(); arrows > 0 && !(await radio.isChecked()); arrows--)
    await page.keyboard.press('ArrowDown');
  if (!(await radio.isChecked())) throw new Error(`The arrow keys do not lead to ${radio}`);
}
