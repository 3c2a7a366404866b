import { Cell } from '@ton/core';
import { WalletContractV1R1, WalletContractV3R1, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../../../scripts/lib/root.mjs';
import { builtContract, contractSources } from '../../../src/toolkit/contracts/abi/projectContract';
import { describeContract, exitSources } from '../../../src/toolkit/contracts/abi/contractDescription';
import { signatureText } from '../../../src/toolkit/contracts/abi/getMethodSignature';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import {
  readSourceErrors,
  sourceErrorNames,
  tactErrorCode,
} from '../../../src/toolkit/contracts/abi/readSourceErrors';
import type { SourceLanguage } from '../../../src/toolkit/contracts/abi/sourceLanguage';
import type { CompiledCode } from '../../../src/toolkit/build/compiledCode';
import { compiledContract, sourceNumbers } from '../../../src/toolkit/build/compiledCode';
import { textHash } from '../../../src/toolkit/build/textHashes';

const example = (name: string): { path: string; text: string } => ({
  path: name,
  text: readFileSync(path.join(root, 'examples', name), 'utf8'),
});
const source = example('contracts/counter.tolk');
const build = example('build/Counter.compiled.json');
const { hex } = JSON.parse(build.text) as { hex: string };
const code = Cell.fromBoc(Buffer.from(hex, 'hex'))[0] ?? Cell.EMPTY;
const deployed = { code, codeHash: code.hash().toString('hex') };

describe('a contract described by its project', () => {
  it('is matched with its source by the hash of the code, and says so', async () => {
    const description = describeContract(deployed, await readProject([source, build]));
    assert.equal(description.name, 'counter');
    const method = description.methods.find(({ name }) => name === 'counterAfter');
    assert.match(
      method?.signature === undefined ? '' : signatureText(method.signature),
      /^counterAfter\(\w+: int/,
    );
    assert.equal(method?.origin, 'Tolk source, contracts/counter.tolk');
    assert.equal(description.errors.get(401), 'ERROR_NOT_OWNER');
  });

  it('has only what the code shows if there is no project', async () => {
    const description = describeContract(deployed, []);
    assert.equal(description.name, undefined);
    const named = describeContract(deployed, await readProject([source, build]));
    assert.equal(description.methods.length, named.methods.length);
    assert.ok(description.methods.every(({ origin }) => origin === 'method ids in the code'));
  });

  it('has the name of its build output if there is no source', async () => {
    const { name, methods } = describeContract(deployed, await readProject([build]));
    assert.equal(name, 'Counter');
    assert.ok(methods.every(({ signature }) => signature === undefined));
  });

  it('is what the user says rather than what the hash says', async () => {
    const other = { path: 'other.fc', text: 'int total() method_id { return 1; }' };
    const { name, methods } = describeContract(deployed, await readProject([source, build, other]), 'other');
    assert.equal(name, 'other');
    assert.equal(methods[0]?.origin, 'FunC source, other.fc');
  });

  it("is what the hash says again if the user's choice no longer exists", async () => {
    const { name, nameOrigin, methods } = describeContract(
      deployed,
      await readProject([source, build]),
      'other',
    );
    assert.deepEqual([name, nameOrigin], ['counter', 'the hash of its code, build/Counter.compiled.json']);
    assert.ok(methods.some(({ origin }) => origin === 'Tolk source, contracts/counter.tolk'));
  });

  it('says where its name comes from', async () => {
    const project = await readProject([
      source,
      build,
      { path: 'o.fc', text: 'int t() method_id { return 1; }' },
    ]);
    const chosen = describeContract(deployed, project, 'o');
    assert.deepEqual([chosen.nameOrigin, chosen.isChosen, chosen.file], ['your choice', true, 'o.fc']);
    assert.equal(chosen.nameOfCode, 'counter, build/Counter.compiled.json');
    const agreeing = describeContract(deployed, project, 'Counter');
    assert.equal(agreeing.nameOrigin, 'the hash of its code, build/Counter.compiled.json');
    assert.equal(agreeing.isChosen, undefined);
    assert.equal(agreeing.file, 'contracts/counter.tolk');
    const wallet = describeContract({ code, codeHash: deployed.codeHash, wallet: 'wallet v4 r2' }, []);
    assert.deepEqual([wallet.name, wallet.nameOrigin], ['wallet v4 r2', 'the hash of its code']);
    assert.equal('nameOrigin' in describeContract(deployed, []), false);
  });

  it('says if its source has changed since the code was compiled', async () => {
    const compiled = { ...builtContract('counter', 'contracts/counter.tolk', deployed.codeHash) };
    const project = await readProject([source]);
    const originOf = (hasChanged: boolean): string | undefined =>
      describeContract(deployed, [...project, { ...compiled, hasChanged }]).nameOrigin;
    assert.equal(originOf(false), 'the hash of its code, contracts/counter.tolk');
    assert.equal(originOf(true), 'its code, which an earlier version of contracts/counter.tolk compiled to');
  });

  it('names its numbers as the source did when it was compiled, not as it does now', async () => {
    const text = (first: number, second: number): string =>
      `const ERR_LIMIT = ${first}; const ERR_OWNER = ${second}; get fun owner(): int { throw ERR_LIMIT; throw ERR_OWNER; }`;
    const file = 'contracts/counter.tolk';
    const hashOf = (source: string): Map<string, string> => new Map([[file, textHash(source, file)]]);
    const [before, after] = [text(501, 502), text(502, 501)];
    const code = {
      codeHash: deployed.codeHash,
      name: 'counter',
      file,
      texts: Object.fromEntries(hashOf(before)),
    };
    const old = await readProject([{ path: file, text: before }]);
    const compiled = { ...code, names: sourceNumbers(code, old, hashOf(before)) };
    const errorsOf = async (now: string, entry: CompiledCode): Promise<unknown> => {
      const project = await readProject([{ path: file, text: now }]);
      return describeContract(deployed, [...project, compiledContract(entry, hashOf(now))]).errors;
    };
    const names = new Map([
      [501, 'ERR_LIMIT'],
      [502, 'ERR_OWNER'],
    ]);
    assert.deepEqual(await errorsOf(before, compiled), names);
    assert.deepEqual(await errorsOf(after, compiled), names);
    // What was not noted then is unknown now.
    assert.deepEqual(await errorsOf(after, code), new Map());
    assert.equal(sourceNumbers(code, old, hashOf(after)), undefined);
  });

  it('is offered once, with all files that describe it', async () => {
    const wrapper = {
      path: 'wrappers/Counter.ts',
      text: `export class Counter implements Contract {
        async getOwner(provider: ContractProvider) { return (await provider.get('owner', [])).stack.readAddress(); }
      }`,
    };
    const sources = contractSources(await readProject([source, build, wrapper]));
    assert.deepEqual(sources, [
      {
        name: 'counter',
        label: 'counter',
        detail: 'Tolk source, contracts/counter.tolk; TypeScript wrapper, wrappers/Counter.ts',
      },
    ]);
  });

  it("prefers the compiler's output to the source, and the source to the wrapper", async () => {
    const abi = {
      path: 'build/Counter.abi',
      text: JSON.stringify({ name: 'Counter', getters: [{ name: 'currentCounter' }] }),
    };
    const wrapper = {
      path: 'wrappers/Counter.ts',
      text: `export class Counter implements Contract {
        async getOwner(provider: ContractProvider): Promise<Address> {
          return (await provider.get('ownerOfIt', [])).stack.readAddress();
        }
      }`,
    };
    const project = await readProject([wrapper, source, build, abi]);
    const { methods } = describeContract({ codeHash: deployed.codeHash }, project);
    const origins = new Map(methods.map(({ name, origin }) => [name, origin.split(',')[0]]));
    assert.equal(origins.get('currentCounter'), 'compiler ABI');
    assert.equal(origins.get('counterAfter'), 'Tolk source');
    assert.equal(origins.get('ownerOfIt'), 'TypeScript wrapper');
    assert.ok(describeContract(deployed, project).methods.every(({ name }) => name !== 'ownerOfIt'));
  });

  it('includes what a source imports: get-methods, types, and errors', async () => {
    const files = [
      {
        path: 'contracts/minter.fc',
        text: '#include "imports/util.fc";\nint supply() method_id { return 0; }',
      },
      {
        path: 'contracts/imports/util.fc',
        text: 'const int error::not_owner = 73;\nint version() method_id { return 1; }',
      },
    ];
    const [minter] = await readProject(files);
    assert.deepEqual(
      minter?.methods.map(({ name }) => name),
      ['supply', 'version'],
    );
    assert.equal(minter?.errors.get(73), 'error::not_owner');
  });

  it('has each file read in its own language, even if other files have the same text or name', async () => {
    const func = 'int both() method_id { return 0; }';
    const tolk = 'struct Pair { left: int32 }\nget fun both(): Pair { return Pair { left: 1 } }';
    const tact = 'contract C { get fun both(): Int { return 1; } }';
    const files = ['fc', 'tolk', 'tact'].flatMap((ending) =>
      [func, tolk, tact].map((text, index) => ({ path: `${index}.${ending}`, text })),
    );
    const told: string[] = [];
    const key = (file: string, methods: unknown): string => `${file} ${JSON.stringify(methods)}`;
    const together = (await readProject(files, (file) => told.push(file))).map(({ file, methods }) =>
      key(file, methods),
    );
    const alone = await Promise.all(
      files.map(async (file) =>
        (await readProject([file])).map((contract) => key(contract.file, contract.methods)),
      ),
    );
    assert.deepEqual(together, alone.flat());
    assert.deepEqual(told, []);
    assert.ok(together.length >= 3);
  });

  it('imports the file in its own language if two languages share a name', async () => {
    const util = (ending: string, text: string): { path: string; text: string } => ({
      path: `imports/util.${ending}`,
      text,
    });
    const files = [
      util('tolk', 'get fun tolkVersion(): int { return 1 }'),
      util('fc', 'int func_version() method_id { return 1; }'),
      { path: 'minter.fc', text: '#include "imports/util.fc";\nint supply() method_id { return 0; }' },
      { path: 'vault.tolk', text: 'import "imports/util"\nget fun held(): int { return 0 }' },
    ];
    for (const order of [files, files.toReversed()]) {
      const project = await readProject(order);
      const methods = (name: string): string[] =>
        project.find((one) => one.name === name)?.methods.map((method) => method.name) ?? [];
      assert.deepEqual(methods('minter'), ['supply', 'func_version']);
      assert.deepEqual(methods('vault'), ['held', 'tolkVersion']);
    }
  });

  it('skips a file that is not what its name says, and reports it', async () => {
    const told: string[] = [];
    const project = await readProject([{ path: 'build/X.pkg', text: '{' }, source], (file) =>
      told.push(file),
    );
    assert.deepEqual(told, ['build/X.pkg']);
    assert.equal(project.length, 1);
  });
});

describe('a contract described by its code', () => {
  const of = (contract: { init: { code: Cell } }, wallet: string): string[] => {
    const { code: walletCode } = contract.init;
    const description = describeContract({ code: walletCode, wallet }, []);
    return description.methods.map(({ name }) => name);
  };
  const publicKey = Buffer.alloc(32, 1);

  it('has the methods of hand-written wallets, which their code does not list', () => {
    const options = { workchain: 0, publicKey };
    assert.deepEqual(of(WalletContractV1R1.create(options), 'wallet v1 r1'), []);
    assert.deepEqual(of(WalletContractV3R1.create(options), 'wallet v3 r1'), ['seqno']);
    assert.ok(of(WalletContractV4.create(options), 'wallet v4 r2').includes('get_plugin_list'));
    assert.ok(of(WalletContractV5R1.create({ publicKey }), 'wallet v5 r1').includes('is_signature_allowed'));
  });

  it('has the ids read by the service if the code is in a library', () => {
    const { methods, interfaces } = describeContract({ methodIds: [97026, 70000] }, []);
    assert.deepEqual(
      methods.map(({ name }) => name),
      ['get_wallet_data', '70000'],
    );
    assert.deepEqual(interfaces, ['jetton wallet']);
  });
});

describe('the names of exit codes in a trace', () => {
  it('are those of the contract whose code ran', async () => {
    const sources = exitSources(new Map([['0:aa', deployed.codeHash]]), await readProject([source, build]));
    assert.equal(sources('0:aa')?.errors?.get(401), 'ERROR_NOT_OWNER');
    assert.equal(sources('0:aa')?.errors?.get(402), undefined);
    assert.equal(sources('0:bb'), undefined);
  });

  it('are those of the contract that the user chose', async () => {
    const other = {
      path: 'other.fc',
      text: 'const int error::closed = 401; int total() method_id { return 1; }',
    };
    const project = await readProject([source, build, other]);
    const sources = exitSources(new Map([['0:aa', deployed.codeHash]]), project, () => 'other');
    assert.equal(sources('0:aa')?.errors?.get(401), 'error::closed');
  });
});

describe('the error names in a source', () => {
  const named = (text: string, language: SourceLanguage): [number, string][] => [
    ...sourceErrorNames([readSourceErrors(text, language)]),
  ];

  it('are its constants with "err" in their names', () => {
    const text = `
      const ERROR_A = 401
      const int error::b = 0x50; const ERR_C: Int = 700;
      // const ERROR_HIDDEN = 9
      const FEE = 12; const terrible = 3; const ERROR_SUM = 4 + 5;`;
    for (const language of ['tolk', 'func', 'tact'] as const) {
      assert.deepEqual(
        named(text, language),
        [
          [401, 'ERROR_A'],
          [80, 'error::b'],
          [700, 'ERR_C'],
        ],
        language,
      );
    }
  });

  it('are also constants with other names that it throws', () => {
    const tolk = `
      const NOT_OWNER = 401; const LIMIT = 5; const TOO_MUCH = 402; const FEE = 12
      enum Refused { Locked = 500, Expired, Late = 0x300 }
      enum Color { Red = 600 }
      fun f(x: int) {
        assert (x > LIMIT) throw NOT_OWNER;
        assert(x + g(x, 1) > FEE, TOO_MUCH);
        if (x == 3) { throw Refused.Expired }
        throw Refused.Late;
      }`;
    assert.deepEqual(named(tolk, 'tolk'), [
      [401, 'NOT_OWNER'],
      [402, 'TOO_MUCH'],
      [501, 'Refused.Expired'],
      [768, 'Refused.Late'],
    ]);
    const func = `const int not_owner = 401; const int fee::min = 12; const int locked = 402;
      () f() { throw_unless(not_owner, 1); throw_if( locked , fee::min > 2); }`;
    assert.deepEqual(named(func, 'func'), [
      [401, 'not_owner'],
      [402, 'locked'],
    ]);
    const tact = `contract A { const NotOwner: Int = 401; get fun f(): Int { throwUnless(self.NotOwner, true); return 1; } }`;
    assert.deepEqual(named(tact, 'tact'), [[401, 'NotOwner']]);
  });

  it('may be thrown in another file than the one that declares them', () => {
    const parts = [
      readSourceErrors('fun f() { throw CLOSED; }', 'tolk'),
      readSourceErrors('const CLOSED = 402; const OPEN = 403;', 'tolk'),
    ];
    assert.deepEqual([...sourceErrorNames(parts)], [[402, 'CLOSED']]);
  });

  it("are the texts of Tact's require", () => {
    const text = `
      const EMPTY: String = "Nothing there";
      // require(false, "never");
      fun f(x: Int) {
        require(g(x, [1, 2]) > 0, "Insufficient balance");
        require(x > 0, "quote \\" and \\u{41}",);
        require(x > 1, EMPTY);
        requireOwner("no text");
      }`;
    assert.deepEqual(named(text, 'tact'), [
      [tactErrorCode('Insufficient balance'), 'Insufficient balance'],
      [tactErrorCode('quote " and A'), 'quote " and A'],
      [tactErrorCode('Nothing there'), 'Nothing there'],
    ]);
    assert.deepEqual(named('fun f() { require(1 > 2, "Insufficient balance"); }', 'tolk'), []);
  });
});
