import { expect, it } from 'vitest';
import { slack } from '../../../src/sources/slack/index.ts';
import { memoryInput } from '../../contracts/memory-input.ts';
import { readAll } from '../../contracts/source.ts';

it('a folder of the name of a public and of a private channel is the private one, and is asked about', async () => {
  const entries = await readAll(
    slack,
    memoryInput({
      'users.json': [{ id: 'U1', team_id: 'T1', name: 'ines', profile: { display_name: 'Ines' } }],
      'channels.json': [{ id: 'C1', name: 'hiring', created: 1, members: ['U1', 'U2'] }],
      'groups.json': [{ id: 'G1', name: 'hiring', created: 1, members: ['U1'] }],
      'hiring/2026-03-02.json': [{ type: 'message', user: 'U1', text: 'No.', ts: '1772442900.000100' }],
    }),
  );
  const found = entries.flatMap((entry) => {
    if (entry.type === 'problem') return [entry.code];
    return entry.type === 'record' && entry.record.kind === 'message' ? [entry.record.origin.conversation] : [];
  });
  expect(found).toEqual(['shared-folder', 'G1']);
});
