import { beforeEach, describe, expect, it } from 'vitest';
import { ended, type LauncherPackage, launcherPackage, program } from './launcher-package.ts';

let here: LauncherPackage;
beforeEach(() => {
  here = launcherPackage();
});

describe('the launcher on a Node that is new enough', () => {
  it('runs the source with the arguments as they are', async () => {
    here.write('src/cli.ts', program);
    const { stdout, code } = await ended(here.launch('plan', 'my export', '--json'));
    expect(JSON.parse(stdout)).toEqual([process.versions.node, 'plan', 'my export', '--json']);
    expect(code).toBe(0);
  });

  it('prefers the source of a checkout to its build', async () => {
    here.write('src/cli.ts', "console.log('source');");
    here.write('dist/bundle/cli.js', "console.log('built');");
    expect((await ended(here.launch())).stdout).toBe('source\n');
  });

  it('starts when the home folder is one in which no folder can be made', async () => {
    here.write('src/cli.ts', program);
    const start = (HOME: string) =>
      ended(here.launchWith({ NODE_COMPILE_CACHE: undefined, XDG_CACHE_HOME: undefined, HOME }));
    for (const home of ['/proc', '/proc/nobody', '/dev/null'])
      expect(await start(home)).toMatchObject({ code: 0, signal: null });
  });

  it('runs the build if there is no source', async () => {
    here.write('dist/bundle/cli.js', "console.log('built');");
    expect((await ended(here.launch())).stdout).toBe('built\n');
  });
});

describe('the launcher on a Node that is too old', () => {
  it('prints the version found, the version needed and what to do', async () => {
    here.wantNode('>=99.1');
    here.write('src/cli.ts', program);
    const { stdout, stderr, code } = await ended(here.launch());
    expect(stderr).toContain(`Chatferry needs Node 99.1 or newer, found ${process.versions.node} at "`);
    expect(stderr).toMatch(/npx -p node-\S+ node ".*chatferry\.mjs" --help$/m);
    expect({ stdout, code }).toEqual({ stdout: '', code: 2 });
  });
});
