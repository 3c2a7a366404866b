import type { Cell } from '@ton/core';
import { Dictionary, beginCell, toNano } from '@ton/core';
import assert from 'node:assert/strict';
import { builtContract } from '../../../src/toolkit/contracts/abi/projectContract';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { readSourceMessages } from '../../../src/toolkit/contracts/abi/readSourceMessages';
import { projectLayouts } from '../../../src/toolkit/contracts/layouts/projectLayouts';
import { readTactLayouts } from '../../../src/toolkit/contracts/layouts/readTactLayouts';
import { readTolkSourceLayouts } from '../../../src/toolkit/contracts/layouts/tolkLayouts';
import { nameOfOpcode } from '../../../src/toolkit/contracts/opcodes/decodeBody';
import { abiBodies, sourceNames } from '../../../src/toolkit/trace/abiBodies';
import { traceActions } from '../../../src/toolkit/trace/traceActions';
import { TraceContext, codesOf } from '../../../src/toolkit/trace/traceContext';
import { traceText } from '../../../src/toolkit/trace/traceText';
import { transactionText } from '../../../src/toolkit/trace/transactionText';
import { pageDetails } from '../../../src/toolkit/trace/page/pageDetails';
import { modelFrom } from '../../support/modelFrom';
import { tracePageOf } from '../../support/tracePageOf';
import { chain, syntheticTrace } from './syntheticTrace';

const opcode = 0x7e8764ef;
const struct = (name: string, fields: object[]): object => ({ name, header: opcode, fields });
const amount = { name: 'amount', type: { kind: 'simple', type: 'uint', optional: false, format: 32 } };
const by = { name: 'step', type: { kind: 'simple', type: 'uint', optional: false, format: 32 } };
const layoutsOf = (contract: string, ...types: object[]): ReturnType<typeof readTactLayouts> =>
  readTactLayouts(`build/${contract}.abi`, JSON.stringify({ name: contract, types }));

/** A chain of three, whose second message is `body`. */
function contextWith(
  body: Cell,
  { bounced = false, knowsAbi = true, code = '', others = true } = {},
): TraceContext {
  const trace = syntheticTrace(3, chain);
  const rows = trace.transactions_order?.map((hash) => trace.transactions?.[hash]) ?? [];
  for (const message of [rows[0]?.out_msgs?.[0], rows[1]?.in_msg]) {
    assert.ok(message);
    const isLong = body.bits.length >= 32;
    message.opcode = isLong ? `0x${body.beginParse().loadUint(32).toString(16).padStart(8, '0')}` : null;
    message.message_content = { body: body.toBoc().toString('base64') };
    message.bounced = bounced;
  }
  const state = rows[1]?.account_state_before;
  if (state != null && code !== '') {
    state.code_hash = Buffer.from(code, 'hex').toString('base64');
  }
  const model = modelFrom(trace);
  const layouts = [
    ...(others ? [layoutsOf('Another', struct('Draw', [amount]))] : []),
    layoutsOf('Counter', struct('Increase', [by])),
  ];
  const project = [
    {
      name: 'Counter',
      file: 'build/Counter.compiled.json',
      codeHash: 'ab'.repeat(32),
      methods: [],
      errors: new Map(),
    },
  ];
  const decodeBody = abiBodies({ layouts, project, codes: codesOf(model) });
  return new TraceContext(model, knowsAbi ? { decodeBody } : {});
}

describe("messages by a project's ABIs", () => {
  const body = beginCell().storeUint(opcode, 32).storeUint(42, 32).endCell();

  it('have names and fields in tree, graph, actions, and document', () => {
    const plain = contextWith(body, { knowsAbi: false });
    assert.match(traceText(plain), /B .* 0x7e8764ef /);
    const context = contextWith(body, { code: 'ab'.repeat(32) });
    assert.match(traceText(context), /B .* Increase /);
    assert.match(traceActions(context)[0]?.words ?? '', /: Increase \(0x7e8764ef\)/);
    assert.ok(JSON.stringify(tracePageOf(context)).includes('Increase'));
    const node = context.model.nodes[1];
    assert.ok(node);
    assert.match(
      transactionText(node, context),
      /Increase \(0x7e8764ef\), Counter, build\/Counter\.abi\n +step 42\n/,
    );
  });

  it("are read by the contract's own ABI before another that also fits", () => {
    const known = contextWith(body, { code: 'ab'.repeat(32) });
    assert.match(traceText(known), / Increase /);
    // Of a contract that nobody knows, two files tell different names.
    assert.match(traceText(contextWith(body, { code: 'cd'.repeat(32) })), / 0x7e8764ef /);
  });

  it('are not named by the source of another contract if the receiver is known', async () => {
    const votes = {
      path: 'contracts/votes.fc',
      text: 'const op::vote = "op::increase"c;\nint n() method_id {}',
    };
    const shop = { path: 'contracts/shop.tolk', text: 'struct (0x7e8764ef) Order { weight: uint32 }' };
    const other = { path: 'contracts/other.fc', text: 'int n() method_id { return 1; }' };
    const context = async (codeOf: string): Promise<TraceContext> => {
      const contracts = [
        ...(await readProject([votes, shop, other])),
        builtContract(codeOf, `${codeOf}.fc`, 'ab'.repeat(32)),
      ];
      const sources = {
        project: contracts,
        codes: codesOf(contextWith(body, { code: 'ab'.repeat(32) }).model),
      };
      const layouts = [readTolkSourceLayouts('contracts/shop.tolk', 'shop', shop.text, [])];
      return new TraceContext(contextWith(body, { code: 'ab'.repeat(32) }).model, {
        messageName: sourceNames(sources),
        decodeBody: abiBodies({ layouts, ...sources }),
      });
    };
    assert.match(traceText(await context('votes')), / vote /);
    assert.match(traceText(await context('other')), / 0x7e8764ef /);
    assert.match(traceText(await context('shop')), / Order /);
  });

  it('are marked as a guess if only another contract of the project has such a message', () => {
    const context = contextWith(body, { code: 'cd'.repeat(32), others: false });
    assert.match(traceText(context), / Increase\? /);
    const node = context.model.nodes[1];
    assert.ok(node);
    assert.match(transactionText(node, context), /Increase\? \(0x7e8764ef\), perhaps Counter, build/);
  });

  it('are named when they bounce, even though their end is cut off', () => {
    const back = beginCell().storeUint(0xffffffff, 32).storeUint(opcode, 32).storeUint(4, 16).endCell();
    assert.match(
      traceText(contextWith(back, { bounced: true, code: 'ab'.repeat(32) })),
      / bounced Increase /,
    );
  });

  it('use the table for what it knows, and ignore ABIs that do not fit', () => {
    const longer = beginCell().storeUint(opcode, 32).storeUint(42, 64).endCell();
    assert.match(traceText(contextWith(longer)), / 0x7e8764ef /);
    const excesses = beginCell().storeUint(0xd53276db, 32).storeUint(7, 64).endCell();
    assert.match(traceText(contextWith(excesses)), / excess /);
  });

  it('have the names in the source if there is no ABI', async () => {
    const source = 'struct (0x7e8764ef) Increase { by: int32 }\nget fun value(): int { return 0; }';
    const project = [
      ...(await readProject([{ path: 'contracts/counter.tolk', text: source }])),
      {
        name: 'Counter',
        file: 'Counter.compiled.json',
        codeHash: 'ab'.repeat(32),
        methods: [],
        errors: new Map(),
      },
    ];
    for (const [code, name] of [
      ['ab', 'Increase'],
      ['cd', '0x7e8764ef'],
    ] as const) {
      const { model } = contextWith(body, { code: code.repeat(32) });
      const messageName = sourceNames({ project, codes: codesOf(model) });
      assert.match(traceText(new TraceContext(model, { messageName })), new RegExp(` B .* ${name} `));
    }
  });

  it('have amounts in TON by the type of a field, whatever its name is', () => {
    const text =
      'struct (0x7e8764ef) Split { limit: coins; share: coins; amount: uint64; rest: map<uint8, coins> }';
    const layouts = [readTolkSourceLayouts('contracts/split.tolk', 'split', text, [])];
    const rest = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.BigVarUint(4)).set(1, toNano(2));
    const given = beginCell()
      .storeUint(opcode, 32)
      .storeCoins(toNano(5))
      .storeCoins(toNano('0.5'))
      .storeUint(toNano(3), 64)
      .storeDict(rest)
      .endCell();
    const { model } = contextWith(given, { code: 'ab'.repeat(32) });
    const project = [builtContract('split', 'split.tolk', 'ab'.repeat(32))];
    const context = new TraceContext(model, {
      decodeBody: abiBodies({ layouts, project, codes: codesOf(model) }),
    });
    const fields = ['limit 5 TON', 'share 0.5 TON', 'amount 3000000000', 'rest {1: 2 TON}'];
    const node = context.model.nodes[1]!;
    for (const field of fields) {
      assert.ok(transactionText(node, context).includes(`${field}\n`), field);
    }
    const { sections } = pageDetails(node, context, { commands: [], isUndone: false });
    const rows = sections.flatMap((one) => one.rows.map((row) => `${row.label} ${row.text}`));
    assert.deepEqual(
      fields.filter((field) => !rows.includes(field)),
      [],
    );
  });

  it('have the fields in a Tolk source, with its imports, if there is no ABI', async () => {
    const project = await readProject([
      {
        path: 'contracts/counter.tolk',
        text: 'import "messages"\nfun onInternalMessage(in: InMessage) { lazy Increase.fromSlice(in.body); }',
      },
      {
        path: 'contracts/messages.tolk',
        text: 'struct (0x7e8764ef) Increase { by: Step }\ntype Step = uint32',
      },
    ]);
    const layouts = await projectLayouts(project);
    assert.deepEqual(
      layouts.map(({ origin, contract }) => [origin, contract]),
      [['contracts/counter.tolk', 'counter']],
    );
    const { model } = contextWith(body);
    const context = new TraceContext(model, {
      decodeBody: abiBodies({ layouts, project, codes: codesOf(model) }),
    });
    const node = context.model.nodes[1];
    assert.ok(node);
    assert.match(
      transactionText(node, context),
      /Increase\? \(0x7e8764ef\), perhaps counter, contracts\/counter\.tolk\n +by 42\n/,
    );
  });
});

describe('messages with short prefixes', () => {
  const source = `
    struct (0x12) Sub { amount: coins }
    struct (0b0) Stop {}
    type Order = Sub | Stop
    struct Storage { total: int64 }
    fun onInternalMessage(in: InMessage) {
      val order = lazy Order.fromSlice(in.body);
      match (order) { Sub => { throw 7 } Stop => { throw 8 } else => {} }
    }
  `;
  const own = 'ab'.repeat(32);
  const nameOf = async (body: Cell, code: string, knowsLayouts = true): Promise<string> => {
    const context = contextWith(body, { code });
    const file = { path: 'desk.tolk', text: source };
    const project = (await readProject([file])).map((one) => ({ ...one, codeHash: own }));
    const codes = codesOf(context.model);
    const decodeBody = abiBodies({ layouts: await projectLayouts(project), project, codes });
    const knowledge = {
      ...(knowsLayouts ? { decodeBody } : {}),
      messageName: sourceNames({ project, codes }),
    };
    const known = new TraceContext(context.model, knowledge);
    const [, message] = known.model.nodes.flatMap((node) =>
      node.message === undefined ? [] : [node.message],
    );
    return known.messageName(message!);
  };

  it('are named where the contract that receives them declares them', async () => {
    const whole = beginCell().storeUint(0x12, 8).storeCoins(1_000_000n).endCell();
    const short = beginCell().storeUint(0x12, 8).storeCoins(0).endCell();
    const unfit = beginCell().storeUint(0x12, 8).storeUint(0, 200).endCell();
    assert.equal(await nameOf(whole, own), 'Sub');
    assert.equal(await nameOf(short, own), 'Sub');
    assert.equal(await nameOf(short, own, false), 'Sub');
    assert.equal(await nameOf(unfit, own), 'Sub', 'by its prefix alone');
    assert.equal(await nameOf(beginCell().storeUint(0, 1).endCell(), own), 'Stop');
  });

  it('are numbers elsewhere: many bodies begin with the same bits', async () => {
    const body = beginCell().storeUint(0x12, 8).storeUint(0, 200).endCell();
    assert.equal(await nameOf(body, 'cd'.repeat(32)), '0x12000000');
    assert.equal(await nameOf(beginCell().storeUint(0x1, 4).endCell(), 'cd'.repeat(32)), 'message');
  });
});

describe('names of messages in sources', () => {
  it('are found in all three languages, and not in comments', () => {
    const text = `
      struct (0x7e8764ef) Increase { by: int32 }
      struct (0b10) Part {}
      struct (0x12) Sub {}
      struct (0x0012) Other {}
      message(0x1674b0a0) Reset { value: Int as int64; }
      message(7) Seven {}
      const int op::transfer_all = 0x12345678;
      const OP_CLOSE = 0xaabbccdd;
      const op::increase = "op::grow"c;
      int op::burn_it() asm "0x00000099 PUSHINT";
      // struct (0x11111111) Commented {}
    `;
    const names = readSourceMessages(text);
    assert.deepEqual([nameOfOpcode(names, 0x12000001), nameOfOpcode(names, 0x00120000)], ['Sub', 'Other']);
    assert.deepEqual(
      [...names].flatMap(([code, name]) => (code < 2 ** 32 ? `${code.toString(16)} ${name}` : [])).sort(),
      [
        '12345678 transfer_all',
        '1371d9ca increase',
        '1674b0a0 Reset',
        '7 Seven',
        '7e8764ef Increase',
        '99 burn_it',
        'aabbccdd CLOSE',
      ],
    );
  });
});
