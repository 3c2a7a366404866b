import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Cell, loadStateInit } from '@ton/core';
import { runCommandLine } from '../support/commandLine';
import { jettonProject } from '../support/jettonProject';
import { startLocalnetCommand } from '../support/localnetCommand';
import type { LocalnetCommand } from '../support/localnetCommand';
import { onChainContent } from '../support/onChainContent';

const sources: Readonly<Record<string, string>> = {
  ...jettonProject,
  'refuser.tolk': `
enum Err { TooMuch = 402 }
fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) { return; }
    throw Err.TooMuch;
}
get fun loop(): int { var n = 0; while (true) { n += 1; } return n; }
`,
  'bouncer.tolk': `
struct (0x7e8764ef) Hit { queryId: uint64; note: cell }
struct (0x77) Short { a: uint64 }
struct St { target: address; last: uint32 }
fun onInternalMessage(in: InMessage) {
    if (in.body.isEmpty()) { return; }
    val msg = lazy Short.fromSlice(in.body);
    val st = St.fromCell(contract.getData());
    val out = createMessage({ bounce: BounceMode.RichBounce, value: ton("0.2"), dest: st.target, body: Hit { queryId: msg.a, note: beginCell().storeUint(1, 8).endCell() } });
    out.send(SEND_MODE_REGULAR);
}
fun onBouncedMessage(in: InMessageBounced) {
    val rich = lazy RichBounceBody.fromSlice(in.bouncedBody);
    val st = St.fromCell(contract.getData());
    contract.setData(St { target: st.target, last: rich.exitCode as uint32 }.toCell());
}
`,
};

describe('what contracts write, read by the command line', () => {
  let localnet: LocalnetCommand;
  let folder: string;

  const run = async (...args: string[]): Promise<string> => {
    const done = await runCommandLine([...args, '--network', localnet.origin], {}, folder);
    return done.stdout;
  };
  const deploy = async (file: string, data: string, name: string): Promise<void> => {
    const done = await runCommandLine(
      ['deploy', file, '--data', data, '--name', name, '--network', localnet.origin],
      {},
      folder,
    );
    assert.match(done.stdout, /happened/, done.stderr);
  };
  const newest = (account: string): Promise<string> => run('trace', account, '--limit', '1');

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'tonwb-readings-'));
    for (const [name, text] of Object.entries(sources)) {
      await writeFile(path.join(folder, name), text);
    }
    localnet = await startLocalnetCommand();
  });
  after(async () => {
    await rm(folder, { recursive: true });
    await localnet.stop();
  });

  it('names a bounce of TEP-503 by what was sent, and a short prefix as it is declared', async () => {
    await deploy('refuser.tolk', 'b()', 'Refuser');
    await deploy('bouncer.tolk', '{target: @Refuser, last: 0}', 'Bouncer');
    await run('send', '--compose', 'Bouncer 1ton Short {a: 5} from alice');
    const text = await newest('Bouncer');
    assert.match(text, /call Bouncer: Short with 1 TON, from alice/);
    assert.match(text, /B Bouncer +bounced Hit /);
    const bounced = await run('trace', 'Bouncer', '--limit', '1', '--full');
    assert.match(bounced, /Short \(0x77\), bouncer/);
    for (const fact of [
      /queryId 5/,
      /original_value 0\.199926132 TON/,
      /bounced_by_phase 1/,
      /exit_code 402/,
    ]) {
      assert.match(bounced, fact);
    }
  });

  it('tells a get-method without gas of the limit, not to send coins', async () => {
    const text = await run('run', 'Refuser', 'loop');
    assert.match(text, /exit -14, out of gas/);
    assert.match(text, /no message pays for it/);
    assert.doesNotMatch(text, /send more/);
  });

  it('takes a code by name, and knows the wallet that is deployed with it', async () => {
    await deploy(
      'jettonMinter.tolk',
      '{totalSupply: 0, admin: bob, walletCode: code JettonWallet, content: b()}',
      'Named',
    );
    await run(
      'send',
      '--compose',
      'Named 0.2ton Mint {queryId: 1, to: bob, value: 0.05ton, jettons: 1000} from bob',
    );
    const answer = await run('run', 'Named', 'get_wallet_address', 'addr @bob', '--json');
    const own = (JSON.parse(answer) as { stack: { decoded: string }[] }).stack[0]?.decoded ?? '';
    const page = await run('account', own);
    assert.match(page, /JettonWallet, by the hash of its code, jettonWallet\.tolk/);
    assert.match(page, /free_balance\(\) {5}1 000\n/);
    const line = `${own} Transfer {queryId: 2, amount: 5000, to: alice, responseTo: null, custom: null, forwardTonAmount: 0, forwardPayload: b()} 0.1ton from bob`;
    const refused = await runCommandLine(
      ['send', '--compose', line, '--network', localnet.origin],
      {},
      folder,
    );
    assert.match(refused.stdout, /ERR_NOT_ENOUGH_JETTONS/);
    const unknown = await runCommandLine(
      [
        'deploy',
        'jettonMinter.tolk',
        '--data',
        '{totalSupply: 0, admin: bob, walletCode: code Nobody, content: b()}',
        '--network',
        localnet.origin,
      ],
      {},
      folder,
    );
    assert.match(unknown.stderr, /No contract of the project is called Nobody/);
    const missing = await runCommandLine(
      ['deploy', 'jettonMinter.tolk', '--network', localnet.origin],
      {},
      folder,
    );
    assert.match(missing.stderr, /walletCode: code jettonWallet, content: b\(\)/);
  });

  describe('of a jetton', () => {
    let wallet = '';
    before(async () => {
      const plan = await run(
        'deploy',
        'jettonWallet.tolk',
        '--data',
        '{balance: 0, owner: @alice, minter: @alice}',
        '--name',
        'w',
        '--dry-run',
        '--json',
      );
      const { stateInit } = JSON.parse(plan.split('\n')[0] ?? '') as { stateInit: string };
      const code = loadStateInit(Cell.fromBase64(stateInit).beginParse()).code?.toBoc().toString('base64');
      const content = onChainContent({ name: 'alice', symbol: 'JETX', decimals: '6' })
        .toBoc()
        .toString('base64');
      const data = `{totalSupply: 0, admin: @alice, walletCode: cell ${code}, content: cell ${content}}`;
      await deploy('jettonMinter.tolk', data, 'Minter');
      await run(
        'send',
        '--compose',
        'Minter 0.2ton Mint {queryId: 1, to: @alice, value: 0.05ton, jettons: 1000} from alice',
      );
      const answer = await run('run', 'Minter', 'get_wallet_address', 'addr @alice', '--json');
      wallet = (JSON.parse(answer) as { stack: { decoded: string }[] }).stack[0]?.decoded ?? '';
    });

    it('names who is minted to, and how much', async () => {
      const text = await newest('Minter');
      assert.match(text, /^✓ jetton mint 0\.001 JETX to alice\n/);
      assert.match(text, /totalSupply 0 JETX → 0\.001 JETX/);
      assert.match(text, /C alice\/JETX/);
    });

    it("shows amounts of wallet and master in jettons, also those of project's own messages", async () => {
      const page = await run('account', wallet);
      assert.match(page, /^alice\/JETX, active/);
      assert.match(page, /balance {2}0\.001 JETX\n/);
      assert.match(page, /free_balance\(\) {5}1 000\n/);
      assert.match(page, /It is the jetton wallet of alice at the master Minter, and holds 0\.001 JETX\./);
      assert.doesNotMatch(page, /holds no jettons/);
      const master = await run('account', 'Minter');
      assert.match(master, /totalSupply {2}0\.001 JETX\n/);
      assert.match(master, /content {2}on-chain token content\n +name +"alice"/);
      const supply = await run('run', 'Minter', 'get_jetton_data');
      assert.match(supply, /totalSupply +coins +1 000 +base units\n/);
      assert.match(supply, /on-chain content: alice \(JETX\)/);
    });

    it('shows what a transfer moves, and what a failing one asked for', async () => {
      const transfer = (amount: number): string =>
        `${wallet} 0.2ton Transfer {queryId: 1, amount: ${amount}, to: @bob, responseTo: @alice, custom: null, forwardTonAmount: 1, forwardPayload: slice x{0}} from alice`;
      await run('send', '--compose', transfer(400));
      const text = await newest('alice');
      assert.match(text, /^✓ jetton transfer 0\.0004 JETX, alice → bob\n/);
      assert.match(text, /balance 0\.001 JETX → 0\.0006 JETX/);
      const failed = await runCommandLine(
        ['send', '--compose', transfer(5000), '--anyway', '--network', localnet.origin],
        {},
        folder,
      );
      assert.match(`${failed.stdout}${failed.stderr}`, /600 base units >= 5 000 base units\n/);
    });
  });
});
