import { describe, expect, it } from 'vitest';
import { arrange } from '../../../src/sources/slack/layout.ts';

const sorted = (paths: readonly string[]) => arrange([...paths].sort());
const pathsOf = (files: readonly { readonly path: string }[]) => files.map(({ path }) => path);

describe('arrange()', () => {
  it('sorts every path by its use', () => {
    const layout = sorted([
      'users.json',
      'channels.json',
      'groups.json',
      'dms.json',
      'mpims.json',
      'file_conversations.json',
      'integration_logs.json',
      'canvases.json',
      'canvas.json',
      'lists.json',
      'content_flags.json',
      'huddle_transcripts.json',
      'general/2024-01-01.json',
      'general/2024-01-02.json',
      'general/canvas_in_the_conversation.json',
      'general/attachments/F1-a.png',
      'FC:F1:Plan/2024-01-01.json',
      'canvases/F1.html',
      '__uploads/F1/a.json',
      '__avatars/U1/ada.png',
      '__MACOSX/general/._2024-01-01.json',
      '.DS_Store',
      'general/.DS_Store',
      'README.md',
      'general/notes.txt',
      'constructor',
    ]);
    expect(layout.userLists).toEqual(['users.json']);
    expect(pathsOf(layout.conversationLists)).toEqual([
      'channels.json',
      'dms.json',
      'file_conversations.json',
      'groups.json',
      'mpims.json',
    ]);
    expect(layout.folders).toEqual([
      { base: '', name: 'FC:F1:Plan', files: ['FC:F1:Plan/2024-01-01.json'] },
      { base: '', name: 'general', files: ['general/2024-01-01.json', 'general/2024-01-02.json'] },
    ]);
    expect(layout.unknown).toEqual(['README.md', 'constructor', 'general/notes.txt']);
    expect(layout.skipped.length).toBe(14);
    expect(layout.isOrganisation).toBe(false);
  });

  it('looks into the one folder that a repacked archive has around everything', () => {
    const layout = sorted([
      'My export/users.json',
      'My export/general/2024-01-01.json',
      '__MACOSX/My export/._users.json',
      'hint.txt',
    ]);
    expect(layout.userLists).toEqual(['My export/users.json']);
    expect(layout.folders).toEqual([{ base: '', name: 'general', files: ['My export/general/2024-01-01.json'] }]);
    expect(layout.unknown).toEqual(['hint.txt']);
  });

  it('finds day files without any list, wrapped or not', () => {
    expect(sorted(['general/2024-01-01.json']).folders).toMatchObject([{ name: 'general' }]);
    expect(sorted(['x/general/2024-01-01.json']).folders).toMatchObject([{ name: 'general' }]);
  });

  it('does not choose between two exports side by side', () => {
    const layout = sorted(['a/users.json', 'b/users.json', 'a/general/2024-01-01.json']);
    expect(layout.folders).toEqual([]);
    expect(layout.unknown.length).toBe(3);
  });

  it('sees the workspaces of an organisation, wrapped or not', () => {
    for (const wrapper of ['', 'grid/']) {
      const paths = [
        'org_users.json',
        'channels.json',
        'town/2024-01-01.json',
        'teams/sales/users.json',
        'teams/sales/channels.json',
        'teams/sales/general/2024-01-01.json',
      ];
      const layout = sorted(paths.map((path) => wrapper + path));
      expect(layout.isOrganisation).toBe(true);
      expect(layout.userLists).toEqual([`${wrapper}org_users.json`, `${wrapper}teams/sales/users.json`]);
      expect(layout.conversationLists.map(({ base }) => base)).toEqual(['', 'teams/sales/']);
      expect(layout.folders.map(({ base, name }) => base + name)).toEqual(['teams/sales/general', 'town']);
    }
  });

  it('takes a channel called teams for a channel', () => {
    const layout = sorted(['users.json', 'teams/2024-01-01.json', 'teams/attachments/F1-channels.json']);
    expect(layout.isOrganisation).toBe(false);
    expect(layout.folders).toEqual([{ base: '', name: 'teams', files: ['teams/2024-01-01.json'] }]);
  });
});
