import { blankText } from './blank-text.ts';
import type { Check } from './check.ts';
import { dataTooLarge } from './data-too-large.ts';
import { timeOutOfRange } from './time-out-of-range.ts';
import { tooManyTags } from './too-many-tags.ts';
import { tooOld } from './too-old.ts';

/** Every check, in the order in which they are asked: the first that finds something names the reject. */
export const checks: readonly Check[] = [blankText, timeOutOfRange, tooOld, tooManyTags, dataTooLarge];
