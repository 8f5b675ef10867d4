import { z } from 'zod';
import { textOption } from '../kit/options.ts';
import type { ExportInput } from '../../io/input/export-input.ts';
import { zoneSchema } from '../kit/time/time-reading.ts';

export const signalOptionsSchema = z.lazy(() =>
  z.strictObject({
    zone: zoneSchema.describe(
      'Time zone of the computer on which signal-export ran, such as Europe/Berlin: its files say no other. Default UTC, and the report says so. Exports of Signal itself do not need it.',
    ),
    me: textOption(
      'Your own name, which signal-export writes as "Me" and messages of the database do not have. Default what an export of Signal itself says, else "Me".',
    ),
  }),
);

export type SignalOptions = z.output<typeof signalOptionsSchema>;

/** A file of messages, and how it is read. */
export interface Place {
  readonly input: ExportInput;
  readonly path: string;
  readonly workspace: string;
  readonly options: SignalOptions;
}
