import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { installRunners } from '../../../scripts/lib/installClients.mjs';
import { root } from '../../../scripts/lib/root.mjs';
import { readTestRecording } from '../../../src/toolkit/testRuns/testRecording';
import type { TestRecording } from '../../../src/toolkit/testRuns/testRecording';
import { makeTestedFolder, ownPackages, putFiles, removeFolder } from '../../support/testedFolder';

/** A box office that refunds at most its limit, in line 22. */
const officeSource = `import "@stdlib/gas-payments"
const ERR_TOO_MUCH = 402

struct Storage { sold: uint32  limit: coins }
struct (0x00000051) Sell { seats: uint32 }
struct (0x00000052) Refund { amount: coins  to: address }
struct (0x00000053) Raffle { }
type Order = Sell | Refund | Raffle

fun save(sold: int, limit: coins) { contract.setData(Storage { sold, limit }.toCell()); }

fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val kept = Storage.fromCell(contract.getData());
  match (val order = lazy Order.fromSlice(in.body)) {
    Sell => { save(kept.sold + order.seats, kept.limit); }
    Raffle => {
      random.initialize();
      save(random.range(1000000), kept.limit);
    }
    Refund => {
      assert (order.amount <= kept.limit) throw ERR_TOO_MUCH;
      val back = createMessage({ bounce: false, value: order.amount, dest: order.to });
      back.send(SEND_MODE_REGULAR);
    }
    else => { throw 0xFFFF }
  }
}
fun onExternalMessage(message: slice) {
  assert (message.loadUint(8) == 7) throw 33;
  acceptExternalMessage();
}
get fun sold(): int { return Storage.fromCell(contract.getData()).sold; }
get fun seat(number: int): int {
  assert (number < 10) throw 77;
  return number * 2;
}
`;

/** The wrapper, as a project has it. */
const officeWrapper = `const { beginCell, Cell, contractAddress, toNano } = require('@ton/core');
class Office {
  constructor(address, init) { Object.assign(this, { address, init }); }
  static create() {
    const data = beginCell().storeUint(0, 32).storeCoins(toNano(100)).endCell();
    const init = { code: Cell.fromBase64(require('./code.json')), data };
    return new Office(contractAddress(0, init), init);
  }
  async sendOrder(provider, via, body) { await provider.internal(via, { value: toNano('0.05'), body, bounce: true }); }
  async sendKnock(provider, body) { await provider.external(body); }
  async getNumber(provider, name, args = []) { return (await provider.get(name, args)).stack.readNumber(); }
}
exports.Office = Office;
exports.sell = (seats) => beginCell().storeUint(0x51, 32).storeUint(seats, 32).endCell();
exports.refund = (amount, to) => beginCell().storeUint(0x52, 32).storeCoins(amount).storeAddress(to).endCell();
exports.raffle = () => beginCell().storeUint(0x53, 32).endCell();
`;

/** Tests of it for any runner that has describe, it, and beforeEach: 4 pass, 4 fail. */
export const officeTests = `const assert = require('node:assert');
const { Blockchain } = require('@ton/sandbox');
const { beginCell, Cell, toNano } = require('@ton/core');
const { Office, raffle, refund, sell } = require('./office.js');
describe('Office', () => {
  let chain, alice, office;
  beforeEach(async () => {
    chain = await Blockchain.create();
    office = chain.openContract(Office.create());
    alice = await chain.treasury('alice');
    await office.sendOrder(alice.getSender(), Cell.EMPTY);
  });
  for (const seats of [1, 2]) {
    it('sells ' + seats, async () => {
      await office.sendOrder(alice.getSender(), sell(seats));
      assert.equal(await office.getNumber('sold'), seats);
    });
  }
  it('raffles', async () => {
    await office.sendOrder(alice.getSender(), raffle());
    assert.ok((await office.getNumber('sold')) >= 0);
  });
  it('opens to who knocks right', async () => {
    await office.sendKnock(beginCell().storeUint(7, 8).endCell());
  });
  it('refunds too much', async () => {
    const { transactions } = await office.sendOrder(alice.getSender(), refund(toNano(500), alice.address));
    assert.equal(transactions[1].description.computePhase.exitCode, 0);
  });
  it('refunds what it does not have', async () => {
    const { transactions } = await office.sendOrder(alice.getSender(), refund(toNano(50), alice.address));
    assert.equal(transactions[1].description.actionPhase.resultCode, 0);
  });
  it('opens to anybody', async () => {
    await office.sendKnock(beginCell().storeUint(8, 8).endCell());
  });
  it('has more seats', async () => {
    assert.equal(await office.getNumber('seat', [{ type: 'int', value: 12n }]), 24);
  });
});
`;

/** How a program ended. */
interface EndedRun {
  status: number;
  stdout: string;
  stderr: string;
}

/** A project with tests, whose author does not know of this one. */
export class TestedProject {
  private constructor(readonly folder: string) {}

  /** @param oldSandbox with @ton/sandbox 0.35 instead of the newest */
  static async create({ oldSandbox = false } = {}): Promise<TestedProject> {
    const runners = path.join(await installRunners(), 'node_modules');
    const folder = await makeTestedFolder({
      contract: { name: 'office', source: officeSource },
      packages: {
        jest: ownPackages,
        mocha: ownPackages,
        vitest: runners,
        '@ton/sandbox': oldSandbox ? runners : ownPackages,
        '@ton/core': oldSandbox ? runners : ownPackages,
      },
      files: { 'package.json': '{ "private": true }\n', 'tests/office.js': officeWrapper },
    });
    return new TestedProject(folder);
  }

  put(files: Readonly<Record<string, string>>): Promise<void> {
    return putFiles(this.folder, files);
  }

  /** Runs a program of `node_modules` in the folder. @param program such as `jest/bin/jest.js` */
  async run(
    program: string,
    args: readonly string[],
    environment: NodeJS.ProcessEnv = {},
  ): Promise<EndedRun> {
    const { NODE_OPTIONS: _ours, ...inherited } = process.env;
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [path.join(this.folder, 'node_modules', program), ...args],
        { cwd: this.folder, env: { ...inherited, ...environment, NO_COLOR: '1' }, maxBuffer: 2 ** 24 },
        (_error, stdout, stderr) => resolve({ status: child.exitCode ?? -1, stdout, stderr }),
      );
    });
  }

  /** The recordings in `.ton/tests`, by their names; empty if there are none. */
  async recordings(): Promise<Map<string, TestRecording>> {
    const place = path.join(this.folder, '.ton/tests');
    const names = (await readdir(place).catch(() => [])).filter((name) => name.endsWith('.tontests'));
    return new Map(
      await Promise.all(
        names
          .sort()
          .map(async (name): Promise<[string, TestRecording]> => [
            name,
            readTestRecording(await readFile(path.join(place, name))),
          ]),
      ),
    );
  }

  remove(): Promise<void> {
    return removeFolder(this.folder);
  }
}

/** The recorder, as it is built. */
export const recorder = path.join(root, 'dist/record.cjs');

/** The drop-in for @ton/sandbox, as it is built. */
export const dropIn = path.join(root, 'dist/sandbox.cjs');
