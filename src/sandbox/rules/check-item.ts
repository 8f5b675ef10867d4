import { type ImportItem, formData } from '../../service/import-item.ts';
import { idPattern, muidPattern } from '../../service/profiles.ts';
import { type Complaint, toDetails, joinDetails } from '../answers.ts';
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

/** Returns the first error of a message by itself, in this order, before any stored data is examined. */
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

const checkKind: Check = ({ category, type }, { importCategories }) => {
  if (!importCategories.includes(category)) {
    return { code: 'ERR_INVALID_MESSAGE_CATEGORY', message: `Messages of category "${category}" cannot be imported` };
  }
  if (isTypeAllowed(category, type)) return undefined;
  return { code: 'ERR_INVALID_MESSAGE_TYPE', message: `"${type}" is no type of category "${category}"` };
};

function isTypeAllowed(category: string, type: string): boolean {
  if (category === 'custom') return type !== '';
  return category === 'interactive' ? type === 'form' : type === 'text' || mediaTypes.has(type);
}

/** One that is sent was checked with its body. */
const checkForm: Check = ({ category, fields }) => {
  const issues = category === 'interactive' ? (formData.safeParse(fields).error?.issues ?? []) : [];
  if (issues.length === 0) return undefined;
  const details = toDetails(issues.map((issue) => ({ ...issue, path: ['data', ...issue.path] })));
  return { code: 'ERR_INVALID_MESSAGE_DATA', message: joinDetails(details), details };
};

const checkDetails: Check = ({ item, sender, receiver }, { nameLengthMax, descriptionLengthMax }) => {
  const { senderUserDetails, receiverUserDetails, receiverGroupDetails } = item;
  const other = otherPeople(item).find(({ uid, key }) => !idPattern.test(key) || uid.toLowerCase() !== key);
  if (other) return invalid(`${other.field}.uid`, 'expected the uid of a user, equal to its key');
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
  const longName = otherPeople(item).find(({ name }) => isTooLong(name, nameLengthMax));
  if (longName) return tooLong(`${longName.field}.name`, nameLengthMax);
  if (isTooLong(about?.name, nameLengthMax)) return tooLong('receiverUserDetails.name', nameLengthMax);
  return isTooLong(about?.description, descriptionLengthMax)
    ? tooLong('receiverUserDetails.description', descriptionLengthMax)
    : undefined;
};

/** The owner of the group and the mentioned users, each with the key under which it is described, in lower case. */
function otherPeople({ receiverGroupOwnerDetails: owner, mentionedUserDetails = {} }: ImportItem) {
  const mentioned = Object.entries(mentionedUserDetails).map(([key, { uid, name }]) => {
    return { uid, name, key: key.toLowerCase(), field: 'mentionedUserDetails' };
  });
  if (!owner) return mentioned;
  return [{ ...owner, key: owner.uid.toLowerCase(), field: 'receiverGroupOwnerDetails' }, ...mentioned];
}

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
  checkForm,
  checkDetails,
  checkTags,
  checkDataSize,
  checkSize,
  checkAge,
];
