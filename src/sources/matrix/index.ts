import { type Marks, probeMarks } from '../kit/marks.ts';
import { lateRead } from '../kit/on-demand.ts';
import { defineSource } from '../source.ts';
import { matrixCodes } from './codes.ts';
import { matrixOptionsSchema } from './options.ts';

/** Rooms of Matrix: exports of Element, answers of the client-server API, `export-data` of Synapse. */
export const matrix = defineSource({
  name: 'matrix',
  title: 'Matrix (Element, client-server API, Synapse)',
  options: matrixOptionsSchema,
  codes: matrixCodes,
  probe: (input) => probeMarks(input, marks),
  read: lateRead(() => import('./read.ts')),
});

const marks: readonly Marks[] = [
  { objects: [{ at: '', keys: ['room_name', 'room_creator', 'export_date', 'exported_by'] }] },
  {
    objects: [
      {
        at: '**',
        keys: ['type', 'sender', 'content', 'origin_server_ts'],
        values: { type: /^(?:m|org\.matrix|io\.element|com\.beeper)\./, sender: /^@.+:./ },
      },
    ],
  },
  ...['rooms', 'account_data', 'device_one_time_keys_count', 'device_unused_fallback_key_types'].map((key) => ({
    objects: [{ at: '', keys: ['next_batch', key] }],
  })),
  { files: /(?:^|\/)rooms\/![^/]+\/(?:events$|state\/)/, shows: 'folders named by the ids of rooms' },
];
