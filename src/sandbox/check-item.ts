import type { ImportItem } from '../service/contract/messages.ts';
import { idPattern, muidPattern } from '../service/limits.ts';
import type { Complaint } from './answers.ts';
import type { Rules } from './rules.ts';

/** A message of the right shape, its ids in lower case, and the JSON of its data. */
export interface Candidate {
  readonly key: string;
  readonly item: ImportItem;
  readonly sender: string;
  readonly receiver: string;
  readonly category: string;
  readonly type: string;
  /** JSON, without entities. */
  readonly data: string;
  readonly sentAt: number;
}

type Check = (candidate: Candidate, rules: Rules, nowSeconds: number) => Complaint | undefined;

/** What is wrong with a message by itself, before anything stored is looked at: the first finding, in this order. */
export function checkItem(candidate: Candidate, rules: Rules, nowSeconds: number): Complaint | undefined {
  for (const check of checks) {
    const complaint = check(candidate, rules, nowSeconds);
    if (complaint) return complaint;
  }
  return undefined;
}

const mediaTypes = new Set(['image', 'file', 'audio', 'video']);
const daySeconds = 86_400;

const checkMuid: Check = ({ key, item: { muid } }) => {
  if (muid !== key) return invalid('muid', `expected the message's key, "${key}"`);
  return muidPattern.test(muid) ? undefined : invalid('muid', 'expected 1 to 100 visible ASCII characters');
};

const checkIds: Check = ({ sender, receiver }) => {
  if (receiver === '') return { code: 'ERR_EMPTY_RECEIVER', message: 'The receiver is empty' };
  if (!idPattern.test(sender)) return invalid('sender', 'expected 1 to 100 characters of a-z, 0-9, - and _');
  return idPattern.test(receiver)
    ? undefined
    : invalid('receiver', 'expected 1 to 100 characters of a-z, 0-9, - and _');
};

const checkKind: Check = ({ category, type }) => {
  if (category !== 'message' && category !== 'custom') {
    return { code: 'ERR_INVALID_MESSAGE_CATEGORY', message: `Messages of category "${category}" cannot be imported` };
  }
  if (category === 'custom' ? type !== '' : type === 'text' || mediaTypes.has(type)) return undefined;
  return { code: 'ERR_INVALID_MESSAGE_TYPE', message: `"${type}" is no type of category "${category}"` };
};

const checkContent: Check = ({ item: { data = {} }, category, type }) => {
  if (category === 'custom') {
    if (data.customData || data.custodata) return undefined;
    return { code: 'ERR_EMPTY_CUSTOM_DATA', message: 'A custom message needs data.customData' };
  }
  if (type === 'text' && (data.text ?? '').trim() === '') {
    return { code: 'ERR_EMPTY_MESSAGE_TEXT', message: 'The text of the message is blank' };
  }
  if (type !== 'text' && !data.attachments?.length) {
    return { code: 'ERR_EMPTY_MESSAGE_FILE', message: `A message of type "${type}" needs data.attachments` };
  }
  return undefined;
};

const checkDetails: Check = ({ item, sender, receiver }, { nameLengthMax, descriptionLengthMax }) => {
  const { senderUserDetails, receiverUserDetails, receiverGroupDetails } = item;
  if (senderUserDetails && senderUserDetails.uid.toLowerCase() !== sender) {
    return invalid('senderUserDetails.uid', 'expected the sender');
  }
  const about = receiverGroupDetails ?? receiverUserDetails;
  if (about && (about.guid ?? about.uid ?? receiver).toLowerCase() !== receiver) {
    return invalid('receiverUserDetails', 'expected the id of the receiver');
  }
  const isTooLong = (text: string | undefined, max: number | undefined) =>
    max !== undefined && (text ?? '').length > max;
  if (isTooLong(senderUserDetails?.name, nameLengthMax)) return tooLong('senderUserDetails.name', nameLengthMax);
  if (isTooLong(about?.name, nameLengthMax)) return tooLong('receiverUserDetails.name', nameLengthMax);
  return isTooLong(about?.description, descriptionLengthMax)
    ? tooLong('receiverUserDetails.description', descriptionLengthMax)
    : undefined;
};

const checkTags: Check = ({ item: { tags = [] } }, { tagsMax = Infinity, tagLengthMax = Infinity }) => {
  if (tags.length > tagsMax) return invalid('tags', `expected ${tagsMax} tags at most`);
  return tags.some((tag) => tag.length > tagLengthMax) ? tooLong('tags', tagLengthMax) : undefined;
};

const checkSize: Check = ({ data, item }, { dataBytesMax = Infinity, messageCharsMax = Infinity }) => {
  // Three UTF-8 bytes per UTF-16 unit at most: counting is only needed near the limit.
  if (data.length * 3 > dataBytesMax && Buffer.byteLength(data) > dataBytesMax) {
    return invalid('data', `expected ${dataBytesMax} bytes at most`);
  }
  const isTooLong = messageCharsMax !== Infinity && JSON.stringify(item).length > messageCharsMax;
  return isTooLong ? invalid('message', `expected ${messageCharsMax} characters at most`) : undefined;
};

const checkAge: Check = ({ sentAt }, { retentionDays }, nowSeconds) => {
  if (retentionDays === undefined || sentAt >= nowSeconds - retentionDays * daySeconds) return undefined;
  return { code: 'ERR_EXCEPTION', message: `The message is older than ${retentionDays} days` };
};

const checks: readonly Check[] = [
  checkMuid,
  checkIds,
  checkKind,
  checkContent,
  checkDetails,
  checkTags,
  checkSize,
  checkAge,
];

const tooLong = (field: string, max: number | undefined) => invalid(field, `expected ${max} characters at most`);

function invalid(field: string, sentence: string): Complaint {
  return {
    code: 'ERR_BAD_REQUEST',
    message: `The message did not pass the validation: ${field}: ${sentence}`,
    details: { [field]: [sentence] },
  };
}
