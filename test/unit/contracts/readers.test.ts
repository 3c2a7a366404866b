import assert from 'node:assert/strict';
import { slotsOf } from '../../../src/toolkit/contracts/abi/abiType';
import { signatureText } from '../../../src/toolkit/contracts/abi/getMethodSignature';
import {
  interfacesByMethods,
  knownInterfaces,
  knownMethods,
} from '../../../src/toolkit/contracts/abi/knownInterfaces';
import { readTactAbi } from '../../../src/toolkit/contracts/abi/readTactAbi';
import { readTolkAbi } from '../../../src/toolkit/contracts/abi/readTolkAbi';
import { readWrapperSource } from '../../../src/toolkit/contracts/abi/readWrapperSource';
import { WorkbenchError } from '../../../src/toolkit/base/errors';

const simple = (type: string, more: object = {}): object => ({
  kind: 'simple',
  type,
  optional: false,
  ...more,
});

describe("abi: the Tact compiler's ABI", () => {
  const abi = {
    name: 'Minter',
    types: [
      {
        name: 'Data',
        header: null,
        fields: [
          { name: 'supply', type: simple('int', { format: 257 }) },
          { name: 'owner', type: simple('address', { optional: true }) },
        ],
      },
    ],
    receivers: [],
    getters: [
      {
        name: 'get_it',
        methodId: 97026,
        arguments: [
          { name: 'a', type: simple('uint', { format: 32 }) },
          { name: 'b', type: simple('uint', { format: 'coins', optional: true }) },
          { name: 'c', type: { kind: 'dict', key: 'int', value: 'Data', valueFormat: 'ref' } },
          { name: 'd', type: simple('Data') },
        ],
        returnType: simple('Data'),
      },
      { name: 'none', arguments: [], returnType: null },
    ],
    errors: {
      73: { message: 'Not owner' },
      2: { message: 'Stack underflow' },
      11: { message: "'Unknown' error" },
      37: { message: 'Not enough Toncoin' },
      132: { message: 'Access denied' },
    },
  };

  it('has signatures, method ids, and the names of errors', () => {
    const read = readTactAbi(JSON.stringify(abi));
    assert.deepEqual(read.methods.map(signatureText), [
      'get_it(a: uint32, b: coins?, c: map<int, Data>, d: Data): Data',
      'none()',
    ]);
    assert.equal(read.methods[0]?.methodId, 97026);
    assert.equal(slotsOf(read.methods[0].parameters[3]?.type ?? { kind: 'void' }), 1);
    assert.equal(slotsOf(read.methods[0].result), 2);
    // The TVM's codes and those of Tact's runtime have words of their own.
    assert.deepEqual([...read.errors], [[73, 'Not owner']]);
    assert.equal(read.contract, 'Minter');
  });

  it('can be read from a package as well', () => {
    assert.equal(readTactAbi(JSON.stringify({ name: 'p', abi: JSON.stringify(abi) })).methods.length, 2);
  });

  it('is rejected if it is anything else', () => {
    for (const text of ['', '{}', '[]', '{"getters":[{}]}', 'null', '{"abi":"{"}']) {
      assert.throws(
        () => readTactAbi(text),
        (error) => WorkbenchError.is(error, 'abi-unreadable'),
      );
    }
  });
});

describe("abi: the Tolk compiler's ABI", () => {
  const abi = {
    abi_schema_version: '1.0',
    contract_name: 'Counter',
    unique_types: [
      { kind: 'int' },
      { kind: 'uintN', n: 64 },
      { kind: 'StructRef', struct_name: 'Data' },
      { kind: 'addressOpt' },
      { kind: 'StructRef', struct_name: 'Box', type_args_ty_idx: [1] },
      { kind: 'genericT', name_t: 'T' },
      { kind: 'nullable', inner_ty_idx: 2, stack_type_id: 130, stack_width: 3 },
      {
        kind: 'union',
        variants: [
          { variant_ty_idx: 0, stack_type_id: 1 },
          { variant_ty_idx: 7, stack_type_id: 2 },
        ],
        stack_width: 2,
      },
      { kind: 'EnumRef', enum_name: 'Mode' },
      { kind: 'AliasRef', alias_name: 'Id' },
      { kind: 'mapKV', key_ty_idx: 1, value_ty_idx: 3 },
      { kind: 'tensor', items_ty_idx: [0, 9] },
    ],
    struct_instantiations: [{ ty_idx: 4, struct_name: 'Box<uint64>', monomorphic_fields_ty_idx: [1] }],
    alias_instantiations: [],
    declarations: [
      {
        kind: 'struct',
        name: 'Data',
        ty_idx: 2,
        fields: [
          { name: 'a', ty_idx: 0 },
          { name: 'b', ty_idx: 3 },
        ],
      },
      { kind: 'struct', name: 'Box', ty_idx: 4, type_params: ['T'], fields: [{ name: 'inner', ty_idx: 5 }] },
      { kind: 'enum', name: 'Mode', ty_idx: 8, encoded_as_ty_idx: 1, members: [{ name: 'On', value: '7' }] },
      { kind: 'alias', name: 'Id', ty_idx: 9, target_ty_idx: 1 },
    ],
    get_methods: [
      {
        tvm_method_id: 123,
        name: 'get_all',
        parameters: [
          { name: 'data', ty_idx: 2 },
          { name: 'box', ty_idx: 4 },
          { name: 'maybe', ty_idx: 6, default_value: { kind: 'null' } },
          {
            name: 'mode',
            ty_idx: 8,
            default_value: { kind: 'castTo', inner: { kind: 'int', v: '7' }, cast_to_ty_idx: 8 },
          },
        ],
        return_ty_idx: 11,
        description: 'Everything.',
      },
      { tvm_method_id: 124, name: 'owners', parameters: [], return_ty_idx: 10 },
    ],
    thrown_errors: [{ kind: 'constant', name: 'ERR_OWNER', err_code: 401 }],
  };

  it('has signatures with structs, generics, enumerations, and widths', () => {
    const read = readTolkAbi(JSON.stringify(abi));
    assert.deepEqual(read.methods.map(signatureText), [
      'get_all(data: Data, box: Box, maybe: Data?, mode: Mode): (int, uint64)',
      'owners(): map<uint64, address?>',
    ]);
    const [method] = read.methods;
    assert.deepEqual(
      method?.parameters.map(({ type }) => slotsOf(type)),
      [2, 1, 3, 1],
    );
    assert.deepEqual(method.parameters[1]?.type, {
      kind: 'struct',
      name: 'Box',
      fields: [{ name: 'inner', type: { kind: 'int', bits: 64, signed: false } }],
    });
    assert.equal(method.comment, 'Everything.');
    assert.deepEqual(
      method.parameters.map(({ defaultText }) => defaultText),
      [undefined, undefined, 'null', '7'],
    );
    assert.equal(read.errors.get(401), 'ERR_OWNER');
  });

  it('may have types that refer to themselves or to nothing', () => {
    const broken = {
      ...abi,
      unique_types: [
        { kind: 'nullable', inner_ty_idx: 0 },
        { kind: 'nullable', inner_ty_idx: 99 },
        { kind: 'newKind' },
      ],
      get_methods: [0, 1, 2].map((index) => ({ name: `m${index}`, parameters: [], return_ty_idx: index })),
    };
    assert.equal(readTolkAbi(JSON.stringify(broken)).methods.length, 3);
  });

  it('is rejected if it is anything else', () => {
    for (const text of ['x', '{}', '{"abi_schema_version":"1.0"}']) {
      assert.throws(
        () => readTolkAbi(text),
        (error) => WorkbenchError.is(error, 'abi-unreadable'),
      );
    }
  });
});

describe('abi: TypeScript wrappers', () => {
  it('are read for what they write to the stack and read from it', () => {
    const methods = readWrapperSource(`
      export class Minter implements Contract {
        // provider.get('commented', [])
        async getJettonData(provider: ContractProvider) {
          const { stack } = await provider.get('get_jetton_data', []);
          const totalSupply = stack.readBigNumber();
          const mintable = stack.readBoolean();
          return { totalSupply, mintable, admin: stack.readAddressOpt(), content: stack.readCell() };
        }
        async getWalletAddress(provider: ContractProvider, owner: Address): Promise<Address> {
          const res = await provider.get("get_wallet_address", [
            { type: 'slice', cell: beginCell().storeAddress(owner).endCell() },
          ]);
          return res.stack.readAddress();
        }
        async getSum(provider: ContractProvider, a: bigint, data: Cell) {
          return (await provider.get('sum', [{ type: 'int', value: a }, { type: 'cell', cell: data }])).stack.readNumber();
        }
        async getRaw(provider: ContractProvider) { return provider.get('raw', args); }
        getOther() { return map.get('not_a_method'); }
      }`);
    assert.deepEqual(methods.map(signatureText), [
      'get_jetton_data(): (totalSupply: int, mintable: bool, admin: address?, content: cell)',
      'get_wallet_address(owner: address): address',
      'sum(a: int, data: cell): int',
    ]);
  });

  it('name arguments as the wrapper does, also for a TupleBuilder', () => {
    const methods = readWrapperSource(`
      async getShort(provider: ContractProvider, value: bigint) {
        return (await provider.get('short', [{ type: 'int', value }, { value: BigInt(args.index), type: 'int' }, { type: 'int', value: 7n }])).stack.readNumber();
      }
      async getBuilt(provider: ContractProvider, owner: Address, id: bigint) {
        const args = new TupleBuilder();
        args.writeAddress(owner);
        args.writeNumber(id);
        const { stack } = await provider.get('built', args.build());
        return stack.readBoolean();
      }
      async getLooped(provider: ContractProvider, ids: bigint[]) {
        const args = new TupleBuilder();
        ids.forEach(args.push);
        return (await provider.get('looped', args.build())).stack.readBoolean();
      }
      async getEmpty(provider: ContractProvider) { return (await provider.get('empty')).stack.readCell(); }`);
    assert.deepEqual(methods.map(signatureText), [
      'short(value: int, index: int, argument2: int): int',
      'built(owner: address, id: int): bool',
      'empty(): cell',
    ]);
  });
});

describe('abi: known interfaces', () => {
  it('are recognized by their essential methods', () => {
    assert.deepEqual(interfacesByMethods(new Set(['get_jetton_data', 'get_wallet_address', 'x'])), [
      'jetton minter',
    ]);
    assert.deepEqual(interfacesByMethods(new Set(['get_nft_data', 'get_authority_address'])), [
      'NFT item',
      'SBT item',
    ]);
    assert.deepEqual(interfacesByMethods(new Set(['main'])), []);
    const highload = ['get_public_key', 'processed?'];
    assert.deepEqual(interfacesByMethods(new Set(highload)), ['highload wallet v2']);
    assert.deepEqual(interfacesByMethods(new Set([...highload, 'get_timeout', 'get_last_clean_time'])), [
      'highload wallet v3',
    ]);
  });

  it('have complete signatures', () => {
    const [found] = knownMethods('get_jetton_data');
    assert.equal(found?.interfaceName, 'jetton minter');
    assert.equal(slotsOf(found.method.result), 5);
    for (const { methods } of knownInterfaces) {
      for (const method of methods) {
        assert.match(method.name, /^[\w?]+$/);
        assert.ok(slotsOf(method.result) !== undefined || method.result.kind === 'unknown', method.name);
      }
    }
  });
});
