import { getGroup } from './groups.ts';
import { importMessages, listMessages } from './messages.ts';

/** Every operation that is declared so far, in the order of the specification. */
export const operations = [getGroup, importMessages, listMessages] as const;

export type OperationName = (typeof operations)[number]['name'];
