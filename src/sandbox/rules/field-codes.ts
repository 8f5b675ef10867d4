import type { ErrorCode } from '../../service/contract/errors.ts';

/** Fields of a message that have codes of their own. The first whose name a field begins with counts. */
const codes: readonly (readonly [field: string, code: ErrorCode])[] = [
  ['receiverType', 'ERR_INVALID_RECEIVER_TYPE'],
  ['category', 'ERR_INVALID_MESSAGE_CATEGORY'],
  ['type', 'ERR_INVALID_MESSAGE_TYPE'],
  ['data.text', 'ERR_INVALID_MESSAGE_TEXT'],
  ['data.metadata', 'ERR_INVALID_METADATA'],
  ['data.attachments', 'ERR_INVALID_MEDIA_MESSAGE'],
  ['data.customData', 'ERR_INVALID_CUSTOM_DATA'],
  ['data.custodata', 'ERR_INVALID_CUSTOM_DATA'],
  ['data', 'ERR_INVALID_MESSAGE_DATA'],
  ['receiver', 'ERR_EMPTY_RECEIVER'],
];

/** @param field as `detailsOf` names it: `data.attachments.0.url`. */
export function codeOfField(field: string): ErrorCode | undefined {
  return codes.find(([name]) => field === name || field.startsWith(`${name}.`))?.[1];
}
