import { z } from 'zod';
import { choiceOption } from '../kit/options.ts';

export const frontOptionsSchema = z.lazy(() =>
  z.strictObject({
    sentToOthers: choiceOption(
      ['internal', 'visible'],
      'Messages of which the recipient of the conversation is neither sender nor receiver, such as a forwarded mail and the reply to it. Default: internal, so that customers do not read them. "visible" if these are further addresses of your customers. Needs the list of conversations: without it, such messages cannot be recognised.',
    ),
  }),
);

export type FrontOptions = z.output<typeof frontOptionsSchema>;
