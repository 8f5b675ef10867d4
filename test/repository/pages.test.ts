import { describe, expect, it } from 'vitest';
import { readTracked, trackedFiles } from './tracked-files.ts';

const pages = trackedFiles().filter((path) => /^docs\/[^[]*\.md$/.test(path));

/** Bytes of the longest page that a reader can be asked to search. */
const sizeMax = 20 * 1024;

describe('every page of docs/', () => {
  // A list with a line for each code, in their order, is not read as a whole.
  it.each(pages.filter((page) => page !== 'docs/reference/checks/index.md'))('%s is at most 20 KB', (page) => {
    expect(Buffer.byteLength(readTracked(page))).toBeLessThanOrEqual(sizeMax);
  });

  it.each(pages)('%s has a title, and says first who needs it', (page) => {
    expect(readTracked(page)).toMatch(/^# [^\n]+\n\nRead this if (?:you|your|people|the|no|one|a|messages|Chatferry) /);
  });

  it.each(pages)('%s is in one of the four folders, or leads to them', (page) => {
    expect(page).toMatch(/^docs\/(?:index\.md$|tutorials\/|guides\/|reference\/|understand\/)/);
  });
});
