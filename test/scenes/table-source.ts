import { z } from 'zod';
import { inLists } from '../../src/sources/kit/entries.ts';
import { defineTableSource, type Finding, type Proposal } from '../../src/sources/table-source.ts';

const timeSchema = z.strictObject({ from: z.string(), format: z.enum(['iso', 'dmy', 'mdy']).default('iso') });

/**
 * A source without fixed fields, small enough to be seen through: each file is lines of `day|who|words`. The columns are
 * known, but whether `01/02/2024` is in January or in February is not, and then which of two columns holds the text.
 */
export const tableSource = defineTableSource({
  name: 'lines',
  title: 'Lines',
  options: z.strictObject({
    messages: z
      .strictObject({ time: timeSchema, text: z.string().optional(), author: z.string() })
      .optional()
      .describe('Which column is what.'),
  }),
  async probe() {
    return { match: 'likely', because: 'lines with "|"' };
  },
  async propose(input, options): Promise<Proposal> {
    const label = input.label;
    const decided = options.messages as { time?: { format?: unknown }; text?: unknown } | undefined;
    const format: Finding = {
      key: 'messages.time.format',
      value: decided?.time?.format ?? 'dmy',
      because: `12 of 12 values of "${label}" are days before the 13th`,
      alternatives: decided?.time?.format === undefined ? [{ value: 'mdy', because: 'as likely' }] : [],
      isRequired: true,
    };
    const text: Finding = {
      key: 'messages.text',
      because: 'two columns hold long texts',
      alternatives: [
        { value: 'body', because: 'named so' },
        { value: 'note', because: 'longer' },
      ],
      isRequired: false,
    };
    return {
      options: { messages: { time: { from: 'day', format: format.value }, author: 'who' } },
      findings: [
        { key: 'messages.author', value: 'who', because: 'named "who"', alternatives: [], isRequired: false },
        format,
        ...(decided?.time?.format === undefined || decided.text !== undefined ? [] : [text]),
      ],
    };
  },
  queryPaths: () => [],
  outline: async () => [],
  rowsAt: async () => new Map(),
  read: () => inLists([]),
});
