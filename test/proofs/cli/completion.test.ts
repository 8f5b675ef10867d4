import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { run } from '../../cli/in-process.ts';
import { program } from '../../program.ts';
import { temporaryFolder } from '../../scenes/temporary-folder.ts';

const home = temporaryFolder();
const folder = home.make();

describe('completion', () => {
  /** Asks bash itself, with our program behind it. */
  async function inBash(...words: string[]): Promise<string[]> {
    const { stdout: script } = await run(['completion', 'bash'], { folder });
    writeFileSync(join(folder, 'completion.bash'), script);
    const commands = `chatferry() { "${process.execPath}" "${program}" "$@"; }
      source ./completion.bash; source ./completion.bash
      COMP_WORDS=(chatferry "$@") COMP_CWORD=$#
      __chatferry_complete 2>/dev/null; printf '%s\\n' "\${COMPREPLY[@]}"
      complete -p chatferry`;
    const printed = execFileSync('bash', ['-c', commands, 'bash', ...words], { cwd: folder, encoding: 'utf8' });
    return printed.trimEnd().split('\n');
  }

  const hasBash = spawnSync('bash', ['-c', 'true']).status === 0;

  it.skipIf(!hasBash)(
    'works in bash, which runs nothing from the command line and completes files itself',
    async () => {
      expect(await inBash('import', '$(touch ran)', '--dry')).toEqual([
        '--dry-run',
        'complete -o default -F __chatferry_complete chatferry',
      ]);
      expect(existsSync(join(folder, 'ran'))).toBe(false);
    },
  );

  it.each(['zsh', 'fish'])('prints what %s can read', async (shell) => {
    const { stdout } = await run(['completion', shell], { folder });
    const checked = spawnSync(shell, ['-n'], { input: stdout, encoding: 'utf8' });
    if (checked.error) console.warn(`There is no ${shell} here: its script was not checked`);
    else expect(checked.stderr).toBe('');
  });
});
