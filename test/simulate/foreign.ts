import type { FaultySandbox } from '../../src/sandbox/faults.ts';
import type { Dice } from './dice.ts';

/** Begins the texts of what others write. */
export const foreignText = 'written by somebody else';

/** Writes into a conversation during its migration, as another user. */
export function writeForeign(sandbox: FaultySandbox, apiKey: string, dice: Dice, count: number): void {
  for (let number = 0; number < count; number++) {
    const muid = `other-${Math.floor(dice.next() * 2 ** 32)}`;
    const message = {
      sender: 'ann',
      receiver: 'room-0',
      receiverType: 'group',
      category: 'message',
      type: 'text',
      data: { text: `${foreignText}, ${muid}` },
      sentAt: String(1_709_251_200 + dice.between(0, 100_000)),
      senderUserDetails: { uid: 'ann', name: 'Ann' },
      receiverUserDetails: { guid: 'room-0', name: 'room-0', type: 'private' },
    };
    sandbox.deliver({
      method: 'POST',
      path: '/v3/data_import/messages',
      headers: { apikey: apiKey },
      body: JSON.stringify({ messages: { [muid]: message } }),
    });
  }
}
