import { describe, expect, it } from 'vitest';
import { importExport } from '../../src/commands/move.ts';
import { undoDestination } from '../../src/commands/repair.ts';
import { exitCodes } from '../../src/model/exit-codes.ts';
import { sandboxContents } from '../scenes/sandbox-contents.ts';
import { change, column, expectAllThere, type ServerScene, serverScene } from '../scenes/server-scene.ts';
import { temporaryFolder } from '../scenes/temporary-folder.ts';

const home = temporaryFolder();

const scene = () => serverScene(home.make(), { importsPeople: true });
const undo = ({ request }: ServerScene, changes: Partial<Parameters<typeof undoDestination>[0]> = {}) =>
  undoDestination({ ...request, confirm: async () => true, ...changes });

const people = ({ data }: ServerScene) => column(data, 'SELECT id FROM user WHERE deactivated_at IS NULL ORDER BY id');
const members = ({ data }: ServerScene) => column(data, `SELECT guid || ' ' || uid FROM group_member ORDER BY 1`);
const groups = ({ data }: ServerScene) => column(data, 'SELECT id FROM chat_group ORDER BY 1');

describe('undo of people, groups and members', () => {
  it('leaves nobody and no group that the import made, and the next import brings all of them again', async () => {
    const at = await scene();
    await importExport(at.request);
    const [everybody, everywhere] = [people(at), members(at)];
    expect(everybody.length).toBeGreaterThan(4);
    const { exit, result } = await undo(at);
    expect({ exit, left: result.left, contents: sandboxContents(at.data).size }).toEqual({
      exit: exitCodes.done,
      left: [],
      contents: 0,
    });
    expect([people(at), members(at), groups(at)]).toEqual([[], [], []]);
    expect(result.done.person.calls).toBe(everybody.length);
    await expectAllThere(at);
    expect([people(at), members(at)]).toEqual([everybody, everywhere]);
    expect((await undo(at)).exit).toBe(exitCodes.done);
    expect(people(at)).toEqual([]);
  });

  it('leaves people where --keep-users says so', async () => {
    const at = await scene();
    await importExport(at.request);
    const everybody = people(at);
    expect((await undo(at, { keepUsers: true })).exit).toBe(exitCodes.done);
    expect([people(at), groups(at)]).toEqual([everybody, []]);
    await expectAllThere(at);
  });

  it('deletes groups of a run that was stopped before their messages', async () => {
    const at = await scene();
    const stopping = new AbortController();
    at.sandbox.onRequest = () => {
      if (members(at).length > 0) stopping.abort();
    };
    await importExport({ ...at.request, stopping: stopping.signal });
    at.sandbox.onRequest = () => {};
    expect(groups(at).length).toBeGreaterThan(2);
    expect(sandboxContents(at.data).size).toBe(0);
    expect(await undo(at)).toMatchObject({
      exit: exitCodes.done,
      result: { left: [], done: { group: { messages: 0 } } },
    });
    expect([people(at), members(at), groups(at)]).toEqual([[], [], []]);
    await expectAllThere(at);
  });

  it('leaves a group, its member and a person that were there before, and removes the members that it added', async () => {
    const at = await scene();
    const [guid, uid] = ['c00000001', 'u00000001'];
    change(
      at.data,
      `INSERT INTO user (id, entity) VALUES ('${uid}', '{"uid":"${uid}","name":"there before"}');
       INSERT INTO chat_group (id, entity) VALUES ('${guid}', '{"guid":"${guid}","name":"there before","type":"public"}');
       INSERT INTO group_member (guid, uid, scope, joined_at) VALUES ('${guid}', '${uid}', 'participant', 1)`,
    );
    await importExport(at.request);
    const added = members(at).filter((member) => member.startsWith(guid) && member !== `${guid} ${uid}`);
    expect(added.length).toBeGreaterThan(2);
    const { exit, result } = await undo(at);
    expect(exit).toBe(exitCodes.someFailed);
    expect(result.done.member.calls).toBe(added.length);
    expect([people(at).includes(uid), members(at), groups(at)]).toEqual([true, [`${guid} ${uid}`], [guid]]);
    expect(result.left.map(({ reason }) => reason)).toEqual(expect.arrayContaining(['group-existed']));
    await importExport(at.request);
    expect(members(at).filter((member) => member.startsWith(guid))).toEqual([...added, `${guid} ${uid}`].sort());
  });
});
