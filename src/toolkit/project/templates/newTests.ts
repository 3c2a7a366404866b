/** What a test needs besides its contract: how its code is made, and the data that it begins with. */
interface Compiling {
  packages: readonly string[];
  imports: string;
  /** Defines `compile(file)`, which gives the code. */
  compile: string;
}

const reads = `const read = (file) => readFileSync(new URL(\`../contracts/\${file}\`, import.meta.url), 'utf8');`;

const tolk: Compiling = {
  packages: ['@ton/tolk-js'],
  imports: `import { runTolkCompiler } from '@ton/tolk-js';`,
  compile: `async function compile(file) {
  const built = await runTolkCompiler({ entrypointFileName: file, fsReadCallback: read });
  assert.equal(built.status, 'ok', built.message);
  return Cell.fromBase64(built.codeBoc64);
}`,
};

const compilers = {
  tolk,
  func: {
    packages: ['@ton-community/func-js'],
    imports: `import { compileFunc } from '@ton-community/func-js';`,
    compile: `async function compile(file) {
  const built = await compileFunc({ targets: [file], sources: read });
  assert.equal(built.status, 'ok', built.message);
  return Cell.fromBase64(built.codeBoc);
}`,
  },
  tact: {
    packages: ['@tact-lang/compiler'],
    imports: `import { build, createVirtualFileSystem } from '@tact-lang/compiler';`,
    compile: `async function compile(file) {
  const files = { [file]: Buffer.from(read(file)).toString('base64') };
  const project = createVirtualFileSystem('/', files, false);
  const config = { name: 'test', path: \`./\${file}\`, output: './output' };
  const { ok, error } = await build({ config, project, stdlib: '@stdlib' });
  assert.ok(ok, String(error));
  return Cell.fromBase64(JSON.parse(project.readFile('/output/test_Counter.pkg').toString()).code);
}`,
  },
} as const satisfies Record<string, Compiling>;

/** The languages that tests are written for. */
export type TestedLanguage = keyof typeof compilers;

/** The npm packages that a test of a contract in a language imports. */
export function testPackages(language: TestedLanguage): string[] {
  return ['@ton/core', '@ton/crypto', '@ton/sandbox', ...compilers[language].packages];
}

function head(language: TestedLanguage, file: string): string {
  const { imports, compile } = compilers[language];
  return `// npm install --save-dev ${testPackages(language).join(' ')}
// node --test ${file}
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeEach, it } from 'node:test';
import { beginCell, Cell, contractAddress, toNano } from '@ton/core';
import { Blockchain } from '@ton/sandbox';
${imports}

${reads}

${compile}

/** The exit code of a contract's newest transaction. */
function exitCode({ transactions }, address) {
  const own = transactions.findLast((one) => one.address === BigInt(\`0x\${address.hash.toString('hex')}\`));
  assert.equal(own?.description.type, 'generic');
  return own.description.computePhase.exitCode;
}
`;
}

/** A test of the counter in a language, for Node.js's own runner and the sandbox. */
export function counterTest(language: TestedLanguage, source: string, file: string): string {
  // A contract of Tact begins with a bit that says that init() has not run yet.
  const data = language === 'tact' ? `beginCell().storeBit(false)` : `beginCell()`;
  const count = language === 'tact' ? 'storeInt(41, 257)' : 'storeUint(41, 32)';
  return `${head(language, file)}
const code = await compile('${source}');
const increase = (by) => beginCell().storeUint(0x7e8764ef, 32).storeUint(0, 64).storeUint(by, 32).endCell();
const reset = (count) => beginCell().storeUint(0x3a752f06, 32).storeUint(0, 64).storeUint(count, 32).endCell();

let blockchain, owner, other, counter;
const count = async () => (await blockchain.runGetMethod(counter, 'currentCount')).stackReader.readNumber();

beforeEach(async () => {
  blockchain = await Blockchain.create();
  [owner, other] = [await blockchain.treasury('owner'), await blockchain.treasury('other')];
  const data = ${data}.storeAddress(owner.address).${count}.endCell();
  counter = contractAddress(0, { code, data });
  const deployed = await owner.send({ to: counter, value: toNano('1'), init: { code, data }, bounce: false });
  assert.equal(exitCode(deployed, counter), 0);
});

it('begins where it was deployed', async () => {
  assert.equal(await count(), 41);
});

it('is increased by anyone', async () => {
  const sent = await other.send({ to: counter, value: toNano('0.1'), body: increase(1) });
  assert.equal(exitCode(sent, counter), 0);
  assert.equal(await count(), 42);
});

it('is set by its owner only', async () => {
  const refused = await other.send({ to: counter, value: toNano('0.1'), body: reset(7) });
  assert.equal(exitCode(refused, counter), 401);
  await owner.send({ to: counter, value: toNano('0.1'), body: reset(7) });
  assert.equal(await count(), 7);
});
`;
}

/** A test of the jetton in Tolk. */
export function jettonTest(file: string): string {
  return `${head('tolk', file)}
const code = await compile('jettonMinter.tolk');
const walletCode = await compile('jettonWallet.tolk');

const mint = (to, jettons) =>
  beginCell()
    .storeUint(0x642b7d07, 32)
    .storeUint(0, 64)
    .storeAddress(to)
    .storeCoins(jettons)
    .storeCoins(toNano('0.05'))
    .endCell();
const transfer = (to, jettons, excessesTo) =>
  beginCell()
    .storeUint(0x0f8a7ea5, 32)
    .storeUint(0, 64)
    .storeCoins(jettons)
    .storeAddress(to)
    .storeAddress(excessesTo)
    .storeBit(false)
    .storeCoins(0)
    .storeBit(false)
    .endCell();

let blockchain, admin, bob, minter, bobWallet;
const walletOf = async (owner) => {
  const args = [{ type: 'slice', cell: beginCell().storeAddress(owner).endCell() }];
  return (await blockchain.runGetMethod(minter, 'get_wallet_address', args)).stackReader.readAddress();
};
const balanceOf = async (owner) =>
  (await blockchain.runGetMethod(await walletOf(owner), 'get_wallet_data')).stackReader.readBigNumber();

beforeEach(async () => {
  blockchain = await Blockchain.create();
  [admin, bob] = [await blockchain.treasury('admin'), await blockchain.treasury('bob')];
  const data = beginCell()
    .storeCoins(0)
    .storeAddress(admin.address)
    .storeRef(Cell.EMPTY)
    .storeRef(walletCode)
    .endCell();
  minter = contractAddress(0, { code, data });
  await admin.send({ to: minter, value: toNano('1'), init: { code, data }, bounce: false });
  await admin.send({ to: minter, value: toNano('0.2'), body: mint(bob.address, 1000) });
  bobWallet = await walletOf(bob.address);
});

it('is minted by its admin only', async () => {
  assert.equal(await balanceOf(bob.address), 1000n);
  const refused = await bob.send({ to: minter, value: toNano('0.2'), body: mint(bob.address, 1) });
  assert.equal(exitCode(refused, minter), 73);
});

it('goes from owner to owner', async () => {
  const body = transfer(admin.address, 400, bob.address);
  const sent = await bob.send({ to: bobWallet, value: toNano('0.2'), body });
  assert.equal(exitCode(sent, bobWallet), 0);
  assert.deepEqual([await balanceOf(bob.address), await balanceOf(admin.address)], [600n, 400n]);
});

it('is not sent by others, and not more of it than there is', async () => {
  const others = await admin.send({ to: bobWallet, value: toNano('0.2'), body: transfer(admin.address, 1, null) });
  assert.equal(exitCode(others, bobWallet), 705);
  const body = transfer(admin.address, 1001, bob.address);
  const tooMuch = await bob.send({ to: bobWallet, value: toNano('0.2'), body });
  assert.equal(exitCode(tooMuch, bobWallet), 706);
});
`;
}
