// Takes more than 20 s: FunC, Tact, and a contract without its source are compiled and debugged.
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommandLine } from '../support/commandLine';
import { linkCompilers } from '../support/linkCompilers';
import { DebugPane } from './support/debugPane';
import type { Workbench } from './support/workbench';
import { patience } from './support/patience';
import { openWorkbench } from './support/workbench';

const func = `global int kept;

cell get_data() asm "c4 PUSH";
() set_data(cell c) impure asm "c4 POP";
slice begin_parse(cell c) asm "CTOS";
builder begin_cell() asm "NEWC";
cell end_cell(builder b) asm "ENDC";
int slice_bits(slice s) asm "SBITS";

int fee_of(int amount) impure {
  int fee = 0;
  int i = 0;
  while (i < 3) {
    i += 1;
    fee += amount;
  }
  return fee;
}
() recv_internal(int balance, int value, cell message, slice body) impure {
  if (slice_bits(body) < 32) {
    return ();
  }
  int op = body~load_uint(32);
  int amount = body~load_uint(32);
  slice data = get_data().begin_parse();
  kept = data~load_uint(64);
  int fee = fee_of(amount);
  kept += fee;
  set_data(begin_cell().store_uint(kept, 64).end_cell());
  throw_if(402, kept > 100);
}
`;
const tact = `message(0x51) Pay { amount: Int as uint32; }

contract Purse(kept: Int as uint64) {
    receive() {}
    receive(msg: Pay) {
        let fee: Int = self.feeOf(msg.amount);
        self.kept += fee;
        require(self.kept <= 100, "over the limit");
    }
    fun feeOf(amount: Int): Int {
        let fee: Int = 0;
        repeat (3) {
            fee += amount;
        }
        return fee;
    }
}
`;
const tolk = `fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  contract.setData(beginCell().storeUint(in.body.preloadUint(32) + 4, 64).endCell());
}
`;

describe('the debugger in the editor for other languages', () => {
  let workbench: Workbench;
  let debug: DebugPane;
  let project: string;
  let elsewhere: string;

  const command = async (folder: string, ...args: string[]): Promise<string> => {
    const { status, stdout, stderr } = await runCommandLine(args, {}, folder);
    assert.notEqual(status, 2, stderr);
    return stdout;
  };
  /** Deploys a contract, sends it a message, and returns the transaction's hash. */
  const sent = async (folder: string, file: string, name: string, data: string): Promise<string> => {
    await command(folder, 'deploy', file, '--data', data);
    const compose = `${name} 0.1ton body b(u32 81, u32 5) from alice`;
    await command(folder, 'send', '--compose', compose, '--anyway');
    const trace = await command(folder, 'trace', name, '--limit', '1');
    return new RegExp(`B ${name} .* ([0-9a-f]{64})$`, 'm').exec(trace)?.[1] ?? assert.fail(trace);
  };
  const start = async (name: string): Promise<void> => {
    // Right after the start, the list may not have the folder's own configurations yet.
    for (const end = Date.now() + patience; ; await workbench.quickInput.cancel()) {
      await workbench.runCommand('Debug: Select and Start Debugging');
      if ((await workbench.quickInput.tryPick(name)) || Date.now() > end) {
        break;
      }
    }
    await debug.button('step-back').waitFor();
  };
  const inThemes = async (name: string): Promise<void> => {
    await workbench.inBothThemes(name);
    for (const theme of ['hcDark', 'hcLight'] as const) {
      await workbench.setPictureTheme(theme);
      await workbench.screenshot(`${name} ${theme}`);
    }
    await workbench.setPictureTheme('dark');
  };

  before(async () => {
    project = await mkdtemp(path.join(tmpdir(), 'tonwb-debug-'));
    elsewhere = await mkdtemp(path.join(tmpdir(), 'tonwb-elsewhere-'));
    await linkCompilers(project);
    await writeFile(path.join(project, 'package.json'), '{}');
    await writeFile(path.join(project, 'till.fc'), func);
    await writeFile(path.join(project, 'purse.tact'), tact);
    await writeFile(path.join(elsewhere, 'plain.tolk'), tolk);
    workbench = await openWorkbench({ folder: project });
    debug = new DebugPane(workbench);
    await workbench.runCommand('TON: Start Local Network');
    await workbench.statusBar.item(/TON Local \d+/).waitFor();
    // A command line elsewhere finds the network, and the window no source of what it deploys.
    await symlink(path.join(workbench.folder, '.ton'), path.join(elsewhere, '.ton'), 'junction');
    const hashes = {
      FunC: await sent(workbench.folder, 'till.fc', 'Till', 'b(u64 0)'),
      Tact: await sent(workbench.folder, 'purse.tact', 'Purse', '{kept: 0}'),
      Assembly: await sent(elsewhere, 'plain.tolk', 'Plain', 'b()'),
    };
    const configurations = Object.entries(hashes).map(([name, transaction]) => ({
      ...{ type: 'ton', request: 'launch', name, transaction },
    }));
    await mkdir(path.join(workbench.folder, '.vscode'));
    await writeFile(path.join(workbench.folder, '.vscode/launch.json'), JSON.stringify({ configurations }));
  });
  after(async () => {
    await workbench?.close();
    await rm(project, { recursive: true, force: true });
    await rm(elsewhere, { recursive: true, force: true });
  });

  it('debugs FunC: breakpoints by a click, variables and globals by name, and back', async () => {
    await workbench.openFile('till.fc');
    await debug.clickBeside('fee += amount;');
    await start('FunC');
    await debug.button('continue').click();
    await debug.stoppedAt('fee += amount;');
    await debug.variable(/^fee.*\b0$/).waitFor();
    await debug.button('continue').click();
    await debug.variable(/^fee.*\b5$/).waitFor();
    await debug.frame(/fee_of/).waitFor();
    await debug.frame(/recv_internal/).waitFor();
    await inThemes('debug FunC');
    await debug.button('reverse-continue').click();
    await debug.variable(/^fee.*\b0$/).waitFor();
    await debug.button('step-out').click();
    await debug.variable(/^fee.*\b5$/).waitFor();
    await debug.button('step-back').click();
    await debug.variable(/^fee.*\b0$/).waitFor();
    await debug.button('step-back').click();
    await debug.stoppedAt('i += 1;');
    await debug.stop();
  });

  it('debugs Tact: breakpoints by a click, variables by name, and back', async () => {
    await workbench.openFile('purse.tact');
    // Lenses move the lines: a click meanwhile would set the breakpoint above.
    await workbench.editor.lens('Deploy Purse…').waitFor();
    await debug.clickBeside('fee += amount;');
    await start('Tact');
    await debug.button('continue').click();
    await debug.stoppedAt('fee += amount;');
    await debug.frame(/feeOf/).waitFor();
    await debug.variable(/^amount.*\b5$/).waitFor();
    await inThemes('debug Tact');
    await debug.button('step-out').click();
    await debug.button('step-out').click();
    await debug.button('step-back').click();
    await debug.stop();
  });

  it('debugs a contract without its source: instructions, registers, and the disassembly', async () => {
    await start('Assembly');
    await debug.stoppedAt('SETCP 0');
    await debug.frame(/code/).waitFor();
    await debug.clickBeside('POP c4');
    await debug.button('step-over').click();
    await debug.stoppedAt('DICTPUSHCONST');
    await debug.button('continue').click();
    await debug.stoppedAt('POP c4');
    await debug.variable(/^s0.*cell of 64 bits/).waitFor();
    await debug.variable(/^Registers/).click();
    await debug.variable(/^c4.*cell of 0 bits/).waitFor();
    await debug.variable(/^c7.*tuple of 1/).waitFor();
    await inThemes('debug assembly');
    await debug.button('step-back').click();
    await debug.stoppedAt('ENDC');
    await workbench.runCommand('Open Disassembly View');
    await workbench.page
      .locator('.disassembly-view .monaco-list-row, .disassembly-view .monaco-table-tr')
      .first()
      .waitFor();
    await workbench.screenshot('debug disassembly');
    await debug.stop();
  });
});
