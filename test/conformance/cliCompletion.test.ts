import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { itOnPosix } from '../support/itOnPosix';
import { runCommandLine } from '../support/commandLine';

/** What bash offers after these words; the last one is being typed. */
function completedInBash(script: string, ...words: string[]): string[] {
  const call = [
    script,
    `COMP_WORDS=(ton-workbench ${words.map((word) => `'${word}'`).join(' ')})`,
    `COMP_CWORD=${words.length}`,
    '_ton_workbench',
    'printf "%s\\n" "${COMPREPLY[@]}"',
  ].join('\n');
  const { status, stdout, stderr } = spawnSync('bash', ['--norc', '-c', call], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.split('\n').filter((line) => line !== '');
}

describe('completions of the command line', () => {
  itOnPosix('complete commands, their commands, choices, and options in bash', async () => {
    const { stdout: script, status } = await runCommandLine(['completion', 'bash']);
    assert.equal(status, 0);
    const help = await runCommandLine(['--help']);
    const all = completedInBash(script, '');
    const list = help.stdout.slice(help.stdout.indexOf('Commands:'));
    const commands = [...list.matchAll(/^ {2}([a-z]+)(?: \[| <| {2})/gm)].map(([, name]) => name!);
    assert.ok(commands.length > 15);
    assert.deepEqual(
      commands.filter((name) => !all.includes(name)),
      [],
    );
    assert.deepEqual(completedInBash(script, 'prof'), ['profile']);
    assert.deepEqual(completedInBash(script, 'profile', '--cpu'), ['--cpuprofile']);
    assert.ok(completedInBash(script, 'localnet', '').includes('status'));
    assert.ok(completedInBash(script, 'localnet', 'status', '--js').includes('--json'));
    assert.deepEqual(completedInBash(script, 'completion', ''), ['bash', 'zsh', 'fish']);
    // Files are left to the shell.
    assert.deepEqual(completedInBash(script, 'deploy', ''), []);
    assert.deepEqual(completedInBash(script, 'deploy', 'a.tolk', '--nothing'), []);
  });

  it('have the same commands and options for zsh and fish', async () => {
    const [zsh, fish] = await Promise.all(
      ['zsh', 'fish'].map(async (shell) => (await runCommandLine(['completion', shell])).stdout),
    );
    assert.match(zsh!, /^#compdef ton-workbench$/m);
    assert.match(zsh!, /\('profile'\) .*'--cpuprofile:write it for viewers/);
    assert.match(fish!, /-n 'test \(__ton_workbench_at\) = "localnet"' -a status -d '/);
    assert.match(fish!, /= "profile"' -l cpuprofile -d 'write it for viewers/);
    for (const script of [zsh!, fish!]) {
      assert.equal((script.match(/'/g) ?? []).length % 2, 0);
    }
    const unknown = await runCommandLine(['completion', 'powershell']);
    assert.notEqual(unknown.status, 0);
    assert.match(unknown.stderr, /bash, zsh, fish/);
  });
});
