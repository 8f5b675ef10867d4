import { answerOf } from '../../viewer/page/door.tsx';
import type { DeskRoutes } from '../shapes.ts';

type Sent = { [Route in keyof DeskRoutes]: Route extends `POST ${infer Name}` ? Name : never }[keyof DeskRoutes];

/** Sends something that changes what the program does. @throws Error with a sentence for people. */
export const send = async (name: Sent, body: object): Promise<void> => {
  await answerOf(
    fetch(`/desk/data/${name}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-chatferry': 'desk' },
      body: JSON.stringify(body),
    }),
  );
};
