import type { Profile } from '../../service/profiles.ts';
import { wireMessage } from '../../upload/read-back/wire-message.ts';

/** The conversation of the probe. It names itself, so that whoever meets it knows whence it came. */
export const scratch = {
  uid: 'chatferry-scratch',
  guid: 'chatferry-scratch',
  name: 'Chatferry scratch (may be deleted)',
} as const;

/** What a probe leaves behind, as a sentence goes on. */
export const leftBehind = `the user "${scratch.uid}", the private group "${scratch.guid}" (both named "${scratch.name}"), and in it one message of this moment, or two if the service stores it twice`;

/** `[a-z0-9]`, and begins with a letter: keys that look like numbers change places in JSON. */
export const newMuid = (random: () => number): string =>
  `scratch${Array.from({ length: 10 }, () => Math.floor(random() * 36).toString(36)).join('')}`;

/** A minute ago: not in the future of a server whose clock is behind. */
const agoMs = 60_000;

/** An import request with that message alone. It creates its sender and its group. */
export function scratchBody(profile: Profile, muid: string, nowMs: number): string {
  const payload = {
    category: 'message',
    type: 'text',
    data: {
      text: 'Chatferry looks whether this service stores one message twice. It may be deleted.',
      metadata: { chatferry: { key: muid } },
    },
  };
  const item = wireMessage(
    {
      muid,
      sentAtMs: nowMs - agoMs,
      payload: JSON.stringify(payload),
      sender: { id: 0, uid: scratch.uid, details: JSON.stringify({ uid: scratch.uid, name: scratch.name }) },
      receiverType: 'group',
      peer: undefined,
      guid: scratch.guid,
      groupDetails: JSON.stringify({ guid: scratch.guid, name: scratch.name, type: 'private' }),
      withSender: true,
      withReceiver: true,
    },
    profile,
  );
  return `{"messages":{${item}}}`;
}
