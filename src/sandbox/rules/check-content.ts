import type { Complaint } from '../answers.ts';
import type { Rules } from './rules.ts';

/** Content of a message, whether it is sent or imported. */
export interface Content {
  readonly category: string;
  readonly type: string;
  readonly fields: {
    readonly text?: string | undefined;
    readonly attachments?: readonly unknown[] | undefined;
    readonly customData?: object | undefined;
    readonly custodata?: object | undefined;
    readonly metadata?: object | undefined;
  };
  /** JSON of `fields`, without entities. */
  readonly data: string;
  readonly tags: readonly string[] | undefined;
}

export const mediaTypes: ReadonlySet<string> = new Set(['image', 'file', 'audio', 'video']);

/** Every kind of message has something that it cannot be without. Forms were checked by their schema. */
export function checkContent({ category, type, fields }: Content, { needsCustomData }: Rules): Complaint | undefined {
  if (category === 'interactive') return undefined;
  if (category === 'custom') return checkCustom(fields, needsCustomData);
  if (type === 'text' && (fields.text ?? '').trim() === '') {
    return { code: 'ERR_EMPTY_MESSAGE_TEXT', message: 'The text of the message is blank' };
  }
  if (type !== 'text' && !fields.attachments?.length) {
    return { code: 'ERR_EMPTY_MESSAGE_FILE', message: `A message of type "${type}" needs data.attachments` };
  }
  return undefined;
}

/** By the specification any member of `data` may be the content, and none is required by name: only a message without any is empty. */
function checkCustom(
  { customData, custodata, text, attachments, metadata }: Content['fields'],
  needsCustomData: boolean,
): Complaint | undefined {
  if (customData || custodata) return undefined;
  if (!needsCustomData && (text || attachments?.length || metadata)) return undefined;
  return { code: 'ERR_EMPTY_CUSTOM_DATA', message: 'A custom message needs data.customData' };
}

export function checkTags(
  { tags = [] }: Content,
  { tagsMax = Infinity, tagLengthMax = Infinity }: Rules,
): Complaint | undefined {
  if (tags.length > tagsMax) return invalid('tags', `expected ${tagsMax} tags at most`);
  return tags.some((tag) => tag.length > tagLengthMax) ? tooLong('tags', tagLengthMax) : undefined;
}

export function checkDataSize({ data }: Content, { dataBytesMax = Infinity }: Rules): Complaint | undefined {
  // Three UTF-8 bytes per UTF-16 unit at most: counting is only needed near the limit.
  const isTooLong = data.length * 3 > dataBytesMax && Buffer.byteLength(data) > dataBytesMax;
  return isTooLong ? invalid('data', `expected ${dataBytesMax} bytes at most`) : undefined;
}

export const tooLong = (field: string, max: number | undefined): Complaint =>
  invalid(field, `expected ${max} characters at most`);

export function invalid(field: string, sentence: string): Complaint {
  return {
    code: 'ERR_BAD_REQUEST',
    message: `The message did not pass the validation: ${field}: ${sentence}`,
    details: { [field]: [sentence] },
  };
}
