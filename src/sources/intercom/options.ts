import { z } from 'zod';
import { choiceOption } from '../kit/options.ts';

export const intercomOptionsSchema = z.lazy(() =>
  z.strictObject({
    texts: z
      .record(z.string(), z.enum(['visible', 'internal']))
      .default({})
      .describe(
        'Meaning of texts in parts that are neither replies nor notes, by their "part_type": { assignment: visible } if agents send replies together with an assignment. "visible" shows them to customers. Default: such a part is invalid.',
      ),
    titles: choiceOption(
      ['internal', 'visible'],
      'Who may read the titles of conversations: agents, rules and AI set and change them, for the inbox of agents. "visible" makes them the names of the conversations, for customers too. Default internal: a conversation has the subject of its first mail, or its id.',
    ),
  }),
);

export type IntercomOptions = z.output<typeof intercomOptionsSchema>;
