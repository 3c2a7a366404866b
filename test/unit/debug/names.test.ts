import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { Address, beginCell, Dictionary, storeMessage, toNano } from '@ton/core';
import type { Cell, TupleItem } from '@ton/core';
import { messageWords } from '../../../src/toolkit/sourceMap/messageWords';
import { DebugClient } from '../../support/debugClient';
import { debuggedMethod } from './support/debuggedMethod';
import type { DebuggedMethod } from './support/debuggedMethod';

const source = `
const LIMIT = ton("1.5")
const DOUBLE = LIMIT * 2 + 1;
const FLAGS = (1 << 4) | 3
const OWNER = address("EQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAM9c")
struct (0x12) Sub {
    amount: coins
    note: string
    votes: map<uint8, uint32>
}
struct (0x0000000b) Stop { code: uint16 }
type Order = Sub | Stop
fun plus(value: int): int { return value + 1; }
fun onInternalMessage(in: InMessage) {
    val order = lazy Order.fromSlice(in.body);
    match (order) {
        Sub => {
            assert (order.amount < LIMIT) throw 11;
            assert (in.valueCoins > plus(DOUBLE)) throw FLAGS;
            val rest = order.amount - 1;
            assert (rest < 5) throw 12;
        }
        Stop => { throw order.code }
        else => { throw 13 }
    }
}
fun onBouncedMessage(in: InMessageBounced) {
    in.bouncedBody.skipBouncedPrefix();
    val order = lazy Order.fromSlice(in.bouncedBody);
    match (order) {
        Stop => { assert (order.code == 0) throw 14 }
        Sub => { throw 15 }
        else => { throw 16 }
    }
}
`;
const sender = new Address(0, Buffer.alloc(32, 7));
const votes = Dictionary.empty(Dictionary.Keys.Uint(8), Dictionary.Values.Uint(32)).set(3, 40);
const sub = beginCell()
  .storeUint(0x12, 8)
  .storeCoins(7)
  .storeStringRefTail('for the roof')
  .storeDict(votes)
  .endCell();

/** What the VM has on its stack when a message arrives. */
function received(body: Cell, bounced = false): [number, ...TupleItem[]] {
  const value = toNano('1');
  const info = {
    type: 'internal',
    ihrDisabled: true,
    bounce: true,
    bounced,
    src: sender,
    dest: sender,
  } as const;
  const rest = { value: { coins: value }, ihrFee: 0n, forwardFee: 0n, createdLt: 5n, createdAt: 6 };
  const cell = beginCell()
    .store(storeMessage({ info: { ...info, ...rest }, body }))
    .endCell();
  return [
    0,
    { type: 'int', value },
    { type: 'int', value },
    { type: 'cell', cell },
    { type: 'slice', cell: body },
  ];
}

describe('names in expressions at a stop', () => {
  let client: DebugClient;
  const lineOf = (text: string): number => source.split('\n').findIndex((line) => line.includes(text)) + 1;
  const at = async (debugged: DebuggedMethod, text: string): Promise<DebugClient> => {
    const begun = await DebugClient.begun(debugged.program);
    const [set] = await begun.setBreakpoints({ path: debugged.file }, { line: lineOf(text) });
    assert.equal(set?.verified, true, set?.message);
    await begun.moved('continue');
    return begun;
  };
  const valueOf = async (expression: string, where = client): Promise<string> => {
    const { id: frameId } = await where.frame();
    const { result } = await where.request<{ result: string }>('evaluate', { expression, frameId });
    return result;
  };
  const problemOf = async (expression: string, where = client): Promise<string> =>
    valueOf(expression, where).then(
      (result) => assert.fail(`${expression} = ${result}`),
      ({ message }: Error) => message,
    );

  before(async () => {
    client = await at(await debuggedMethod('names.tolk', source, received(sub)), 'throw FLAGS');
  });

  it('are told by the console alone if they are not known', async () => {
    const { id: frameId } = await client.frame();
    const { cause } = await client.request('evaluate', { expression: 'nobody', frameId }).then(
      () => assert.fail('nobody is known'),
      (error: unknown) => error as { cause?: unknown },
    );
    assert.equal((cause as DebugProtocol.ErrorResponse['body']).error?.showUser, false);
  });

  it('are all constants of the source whose values it tells, computed ones, too', async () => {
    assert.equal(await valueOf('LIMIT'), '1500000000');
    assert.equal(await valueOf('DOUBLE - LIMIT == LIMIT + 1 && FLAGS == 19'), 'true');
    assert.equal(await valueOf('FLAGS & 3 == 3'), 'true');
    assert.equal(
      await problemOf('OWNER'),
      'OWNER is not known here: OWNER is a constant, but its source gives no number.',
    );
  });

  it('are texts, maps, and short prefixes of the received message', async () => {
    assert.match(await valueOf('order.amount'), /^0\.000000007 TON/);
    assert.match(await valueOf('order.note'), /^"for the roof"/);
    assert.match(await valueOf('order.votes'), /3/);
    assert.match(await valueOf('in.valueCoins'), /^1 TON/);
  });

  it('are those of a message that came back, too', async () => {
    const stop = beginCell().storeUint(0xffffffff, 32).storeUint(11, 32).storeUint(9, 16).endCell();
    // A get-method's context does not say that the message bounced, so another function runs than would.
    const { view } = await debuggedMethod('names.tolk', source, received(stop, true));
    const { recording, map } = view.run.lines!;
    const [message, order] = ['in', 'order'].map((name) => {
      const variable = map.variables!.find((one) => one.function === 'onBouncedMessage' && one.name === name);
      return messageWords(recording, map, variable!);
    });
    assert.equal(order?.get('order.code')?.word, '9');
    assert.equal(message?.get('in.valueCoins')?.word, '1000000000');
    assert.match(message?.get('in.bouncedBody')?.word ?? '', /^CS\{/);
    assert.equal(message?.has('in.isBounced'), false);
    const variable = map.variables!.find(({ name }) => name === 'order')!;
    const once = messageWords(recording, map, variable);
    assert.equal(messageWords(recording, map, variable), once, 'the message is read once');
    assert.equal(view.executedLines(), view.executedLines(), 'and so are the lines that ran');
  });

  it('say why they have no value', async () => {
    const line = lineOf('val rest');
    assert.match(
      await problemOf('rest'),
      new RegExp(`rest is declared in line ${line}, which comes later\\.$`),
    );
    assert.match(await problemOf('plus'), /: plus is a function\.$/);
    assert.match(
      await problemOf('nobody.else'),
      /^nobody\.else is not known here: there is no variable nobody in onInternalMessage, nor a global or a constant/,
    );
    const short = beginCell().storeUint(0x12, 8).storeCoins(2).storeUint(0, 5).endCell();
    const unfit = await DebugClient.begun(
      (await debuggedMethod('names.tolk', source, received(short))).program,
      {},
    );
    assert.match(await problemOf('order.amount', unfit), /: the received body does not fit Sub or Stop\.$/);
    const bare = await debuggedMethod('names.tolk', source, received(sub), false);
    assert.match(
      await problemOf('order', await DebugClient.begun(bare.program)),
      /: no source is known to compile to this code/,
    );
  });
});
