import type { Page } from 'playwright-core';

/**
 * Collects what no page of ours does, in words: dialogs, errors, lines in the console (among them those about broken rules of its
 * policy), and requests for anything outside of `base`.
 *
 * To be called before the page is opened.
 *
 * @param base Address of the program with the path under which it serves the page: `http://127.0.0.1:4000/viewer`.
 */
export function catchAll(page: Page, base: string): readonly string[] {
  const caught: string[] = [];
  page.on('dialog', (dialog) => {
    caught.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(base) && !url.startsWith('data:,')) caught.push(`request ${url}`);
  });
  page.on('pageerror', (error) => caught.push(`error ${error.message}`));
  page.on('console', (line) => caught.push(`console ${line.text()} ${line.location().url}`.trimEnd()));
  return caught;
}
