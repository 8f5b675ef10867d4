import type { Profile } from '../service/profiles.ts';

/** A user or group as messages carry it. `details` is JSON in the service's shape. */
export interface WirePerson {
  readonly id: number;
  readonly uid: string;
  readonly details: string;
}

/** Everything that the request's item for one message is made of. */
export interface WireParts {
  readonly muid: string;
  readonly sentAtMs: number;
  /** JSON object: category, type, data, tags. */
  readonly payload: string;
  readonly sender: WirePerson;
  readonly receiverType: 'user' | 'group';
  /** The other person of a one-to-one chat, or nothing for a group. */
  readonly peer: WirePerson | undefined;
  readonly guid: string;
  /** JSON of the group's details. */
  readonly groupDetails: string;
  /** Whether the details travel with this message. */
  readonly withSender: boolean;
  readonly withReceiver: boolean;
}

export type WireOptions = Pick<Profile, 'timesAs' | 'groupDetailsIn'>;

/**
 * The item of an import request for one message, `"muid":{…}`, put together from JSON that was made when it was staged.
 * Ids and muids are `[a-z0-9_-]`, so they need no escaping.
 */
export function wireMessage(parts: WireParts, options: WireOptions): string {
  const { muid, sender, peer, guid, receiverType, payload } = parts;
  const receiver = receiverType === 'group' ? guid : peer!.uid;
  const seconds = Math.floor(parts.sentAtMs / 1000);
  const sentAt = options.timesAs === 'string' ? `"${seconds}"` : seconds;
  let item = `"${muid}":{"muid":"${muid}","sender":"${sender.uid}","receiver":"${receiver}","receiverType":"${receiverType}","sentAt":${sentAt},`;
  item += payload.slice(1, -1);
  if (parts.withSender) item += `,"senderUserDetails":${sender.details}`;
  if (parts.withReceiver) item += receiverDetails(parts, options);
  return `${item}}`;
}

function receiverDetails(
  { receiverType, peer, guid, groupDetails }: WireParts,
  { groupDetailsIn }: WireOptions,
): string {
  if (receiverType === 'user') return `,"receiverUserDetails":${peer!.details}`;
  if (groupDetailsIn === 'receiverGroupDetails') return `,"receiverGroupDetails":${groupDetails}`;
  // The specification's one field for both: a group goes under `uid` there, as a user would.
  return `,"receiverUserDetails":{"uid":"${guid}",${groupDetails.slice(1)}`;
}
