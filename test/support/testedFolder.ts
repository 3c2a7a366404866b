import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runTolkCompiler } from '@ton/tolk-js';
import { root } from '../../scripts/lib/root.mjs';

/** Refuses more than its limit, in line 12, and pays out what it may not have, in line 14. */
const till = `const ERR_OVER_LIMIT = 402

struct Storage { paid: uint32  limit: coins }
struct (0x00000061) Withdraw { amount: coins  to: address }

fun onInternalMessage(in: InMessage) {
  if (in.body.isEmpty()) { return; }
  val msg = Withdraw.fromSlice(in.body);
  var st = Storage.fromCell(contract.getData());
  st.paid += 1;
  contract.setData(st.toCell());
  assert (msg.amount <= st.limit) throw ERR_OVER_LIMIT;
  val back = createMessage({ bounce: false, value: msg.amount, dest: msg.to });
  back.send(SEND_MODE_REGULAR);
}
get fun paid(): int { return Storage.fromCell(contract.getData()).paid; }
`;

/** Its tests: two pass and three fail: by a matcher, an exit code, and the action phase. */
const tillTests = `const { Blockchain } = require('@ton/sandbox');
const { toNano } = require('@ton/core');
const { Till } = require('./till.js');

describe('Till', () => {
  let chain, alice, till;
  beforeEach(async () => {
    chain = await Blockchain.create({ config: 'slim' });
    till = chain.openContract(Till.create());
    alice = await chain.treasury('alice');
    await till.sendTopUp(alice.getSender(), toNano(1));
  });
  for (const times of [1, 2]) {
    it('pays ' + times, async () => {
      for (let n = 0; n < times; n += 1) {
        await till.sendPay(alice.getSender(), '0.1');
      }
      expect(await till.getPaid()).toBe(times);
    });
  }
  it('over the limit, matcher', async () => {
    const { transactions } = await till.sendPay(alice.getSender(), 500);
    expect(transactions).toHaveLength(2);
  });
  it('over the limit, exit code', async () => {
    const { transactions } = await till.sendPay(alice.getSender(), 500);
    expect(transactions[1].description.computePhase.exitCode).toBe(0);
  });
  it('more than it has', async () => {
    const { transactions } = await till.sendPay(alice.getSender(), 50);
    expect(transactions[1].description.actionPhase.success).toBe(true);
  });
});
`;

const wrapper = `const { beginCell, Cell, contractAddress, toNano } = require('@ton/core');
class Till {
  constructor(address, init) { Object.assign(this, { address, init }); }
  static create() {
    const data = beginCell().storeUint(0, 32).storeCoins(toNano(100)).endCell();
    const init = { code: Cell.fromBase64(require('./code.json')), data };
    return new Till(contractAddress(0, init), init);
  }
  async sendTopUp(provider, via, value) { await provider.internal(via, { value, body: Cell.EMPTY, bounce: false }); }
  async sendPay(provider, via, amount) {
    const body = beginCell().storeUint(0x61, 32).storeCoins(toNano(amount)).storeAddress(via.address).endCell();
    await provider.internal(via, { value: toNano('0.05'), body, bounce: true });
  }
  async getPaid(provider) { return (await provider.get('paid', [])).stack.readNumber(); }
}
exports.Till = Till;
`;

/** The packages of this project. */
export const ownPackages = path.join(root, 'node_modules');

/** Where a folder with tests is, and the `node_modules` that its packages come from. */
interface FolderPlace {
  parent?: string;
  own?: string;
}

/** A folder with a contract, its tests, and Jest: nothing of it knows of this project. */
export async function testedFolder(
  files: Readonly<Record<string, string>> = {},
  { parent = tmpdir(), own = ownPackages }: FolderPlace = {},
): Promise<string> {
  return makeTestedFolder({
    parent,
    contract: { name: 'till', source: till },
    packages: { jest: own, '@ton/sandbox': own, '@ton/core': own },
    files: {
      'package.json': JSON.stringify({ private: true, scripts: { test: 'jest' } }),
      'jest.config.js': "module.exports = { testMatch: ['**/*.spec.js'], testTimeout: 60000 };\n",
      'tests/till.spec.js': tillTests,
      'tests/till.js': wrapper,
      ...files,
    },
  });
}

/** What a folder with tests consists of. */
interface TestedFolderParts {
  /** The folder that it is in; by default the one for temporary files. */
  parent?: string;
  contract: { name: string; source: string };
  /** The node_modules that a package is linked from, by its name. */
  packages: Readonly<Record<string, string>>;
  files: Readonly<Record<string, string>>;
}

/** A folder with a contract, its code in `tests/code.json`, and packages. */
export async function makeTestedFolder({
  parent = tmpdir(),
  contract,
  packages,
  files,
}: TestedFolderParts): Promise<string> {
  const folder = await realpath(await mkdtemp(path.join(parent, 'tonwb-tests-')));
  const file = `${contract.name}.tolk`;
  const compiled = await runTolkCompiler({ entrypointFileName: file, fsReadCallback: () => contract.source });
  if (compiled.status === 'error') {
    throw new Error(compiled.message);
  }
  await putFiles(folder, {
    [`contracts/${file}`]: contract.source,
    'tests/code.json': JSON.stringify(compiled.codeBoc64),
    ...files,
  });
  for (const [name, from] of Object.entries(packages)) {
    const link = path.join(folder, 'node_modules', name);
    await mkdir(path.dirname(link), { recursive: true });
    await symlink(path.join(from, name), link, 'junction');
  }
  return folder;
}

/** Writes files below a folder, by their paths. */
export async function putFiles(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
    await writeFile(path.join(folder, name), text);
  }
}

/** Removes such a folder. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}
