import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { environment } from '../../cli/running.ts';
import { localRecipe, rowsIn } from '../../fetch/fetched.ts';
import { dialects } from '../../fetch/mock/dialects.ts';
import { startMock } from '../../fetch/mock/mock-provider.ts';
import { addMessage, makeWorld, textsOf } from '../../fetch/mock/world.ts';
import { program } from '../../program.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';
import { countOf, everyNth } from '../../tier.ts';

const home = temporaryFolder();
const killsEach = countOf({ ci: 3, nightly: 20 });

it.each(everyNth(4, dialects))(
  'a fetch from $provider that is killed again and again brings every message once',
  async (dialect) => {
    const folder = home.make();
    const world = makeWorld(9, 240);
    const first = textsOf(world);
    let kill: (() => void) | undefined;
    let killsLeft = killsEach;
    const mock = await startMock(dialect, world, {
      before(number) {
        if (number % 2 === 0) addMessage(world, world.conversations[number % world.conversations.length]!);
        // Each run comes further than the one before it.
        if (kill === undefined || number % 3 !== 0 || killsLeft === 0) return undefined;
        killsLeft--;
        kill();
        kill = undefined;
      },
    });
    const recipe = localRecipe(dialect.provider, mock.url, folder);
    const set = Object.entries(dialect.settings).flatMap(([name, value]) => ['--set', `${name}=${value}`]);
    const runOnce = async () => {
      const child = spawn(
        process.execPath,
        [program, 'fetch', '--recipe', recipe, ...set, '--out', 'out', '--quiet', '--rate', '60000'],
        {
          cwd: folder,
          env: { ...environment(folder), CHATFERRY_FROM_KEY: '0123456789abcdef0123456789abcdef' },
        },
      );
      let said = '';
      child.stderr.on('data', (chunk: Buffer) => {
        said += chunk;
      });
      kill = () => child.kill('SIGKILL');
      return await new Promise<{ code: number | null; said: string }>((resolve) =>
        child.once('close', (code) => resolve({ code, said })),
      );
    };
    let ended = await runOnce();
    for (let runs = 1; ended.code === null && runs <= killsEach + 1; runs++) ended = await runOnce();
    expect(ended).toEqual({ code: 0, said: '' });
    // A provider that gives much in one answer is done before the last of them.
    expect(killsEach - killsLeft).toBeGreaterThanOrEqual(3);
    const ids = dialect.idsIn(rowsIn(join(folder, 'out')));
    expect(new Set(ids).size).toBe(ids.length);
    expect([...first.keys()].filter((id) => !ids.includes(id))).toEqual([]);
  },
);
