import type { ImportItem } from '../../service/contract/import.ts';
import { idPattern, muidPattern } from '../../service/limits.ts';
import type { Complaint } from '../answers.ts';
import { checkContent, checkDataSize, checkTags, type Content, invalid, mediaTypes, tooLong } from './check-content.ts';
import type { Rules } from './rules.ts';

/** A message of the right shape, its ids in lower case, and the JSON of its data. */
export interface Candidate extends Content {
  readonly key: string;
  readonly item: ImportItem;
  readonly sender: string;
  readonly receiver: string;
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

const checkSize: Check = ({ item }, { messageCharsMax = Infinity }) => {
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
  checkDataSize,
  checkSize,
  checkAge,
];
