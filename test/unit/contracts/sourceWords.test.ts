import { Address, Cell, beginCell, getMethodId, internal, storeMessageRelaxed, toNano } from '@ton/core';
import { runTolkCompiler } from '@ton/tolk-js';
import assert from 'node:assert/strict';
import type { ProjectContract } from '../../../src/toolkit/contracts/abi/projectContract';
import type { ContractDescription } from '../../../src/toolkit/contracts/abi/contractDescription';
import { describeContract } from '../../../src/toolkit/contracts/abi/contractDescription';
import type { GetMethodSignature } from '../../../src/toolkit/contracts/abi/getMethodSignature';
import { methodNamed, methodNames } from '../../../src/toolkit/contracts/abi/methodNamed';
import { readProject } from '../../../src/toolkit/contracts/abi/readProject';
import { accountJson } from '../../../src/toolkit/accountReport/accountJson';
import { accountText } from '../../../src/toolkit/accountReport/accountText';
import type { ContractFacts } from '../../../src/toolkit/accountReport/contractFacts';
import { contractText } from '../../../src/toolkit/accountReport/contractFacts';
import { contractJson } from '../../../src/toolkit/accountReport/contractJson';
import type { AccountReport } from '../../../src/toolkit/accountReport/readAccountReport';
import type { AccountSource } from '../../../src/toolkit/accounts/libraryShelf';
import { checkExpectation } from '../../../src/toolkit/callSheet/checkExpectation';
import { fromCoreCell, readBoc } from '../../../src/toolkit/cell/readBoc';
import { absentAccount } from '../../../src/toolkit/execution/emulator/emulator';
import { defaultNetworkConfig } from '../../../src/toolkit/execution/emulator/networkConfig';
import { WorkbenchError } from '../../../src/toolkit/base/errors';
import { describeGetMethodResult } from '../../../src/toolkit/getMethods/describeGetMethodResult';
import { exitMeaning, withExits } from '../../../src/toolkit/getMethods/withExits';
import type { GetMethodResult } from '../../../src/toolkit/getMethods/getMethodResult';
import { resultToJson } from '../../../src/toolkit/getMethods/resultToJson';
import { summarizeResult } from '../../../src/toolkit/getMethods/summarizeResult';
import { summaryText } from '../../../src/toolkit/getMethods/summaryText';
import { fittingLayout } from '../../../src/toolkit/contracts/layouts/fittingLayout';
import { projectLayouts } from '../../../src/toolkit/contracts/layouts/projectLayouts';
import type { LocalChain } from '../../../src/toolkit/localnet/chain/localChain';
import { setAccount } from '../../../src/toolkit/localnet/control/accountCommands';
import { describeRequests } from '../../../src/toolkit/localnet/describeRequests';
import type { PreparedSend } from '../../../src/toolkit/send/preparedSend';
import { readExternalMessage } from '../../../src/toolkit/send/externalMessage';
import { rehearsalText } from '../../../src/toolkit/send/rehearsalText';
import { rehearse } from '../../../src/toolkit/send/rehearse';
import { sendQuestion } from '../../../src/toolkit/send/sendQuestion';
import { describeBoc } from '../../../src/toolkit/contracts/opcodes/describeBoc';
import { mermaidText } from '../../../src/toolkit/trace/mermaidText';
import { stateChangeLines } from '../../../src/toolkit/trace/stateChangeLines';
import type { TraceContext } from '../../../src/toolkit/trace/traceContext';
import { traceDocument } from '../../../src/toolkit/trace/traceDocument';
import { traceSummary } from '../../../src/toolkit/trace/traceSummary';
import { traceText } from '../../../src/toolkit/trace/traceText';
import { transactionText } from '../../../src/toolkit/trace/transactionText';
import { verdictOf } from '../../../src/toolkit/trace/verdict';
import type { FullDelivery } from '../../../src/toolkit/webhook/delivery/delivery';
import { samplePayload } from '../../../src/toolkit/webhook/payload/samplePayload';
import { deliveryNodes } from '../../../src/toolkit/webhook/views/deliveryNodes';
import { describeDelivery } from '../../../src/toolkit/webhook/views/describeDelivery';
import { describeTrace } from '../../../src/toolkit/workflows/describeTrace';
import { namesInTraces } from '../../../src/toolkit/workflows/namesInTraces';
import { rehearsalExits } from '../../../src/toolkit/workflows/runDelivery';
import { tracePageOf } from '../../support/tracePageOf';
import { ManualClock, addressOf, testChain, transfer } from '../localnet/support/testChain';

const vault = `
const ERR_OVER_LIMIT = 402;
struct (0x00000011) Withdraw { queryId: uint64 amount: uint32 }
fun onInternalMessage(in: InMessage) {
  val msg = lazy Withdraw.fromSlice(in.body);
  assert (msg.amount < 10) throw ERR_OVER_LIMIT;
}
get fun room(): int { throw ERR_OVER_LIMIT; }
`;
/** The same source, but without names, and with the get-method of an NFT item. */
const nameless = `
fun onInternalMessage(in: InMessage) { assert (in.body.remainingBitsCount() < 100) throw 402; }
get fun room(): int { throw 402; }
`;
const nftItem = `${nameless} get fun get_nft_data(): int { return 1; }`;

const counter = `
struct Storage { count: uint32 total: coins }
struct (0x00000011) Add { queryId: uint64 amount: uint32 }
fun Storage.load() { return Storage.fromCell(contract.getData()); }
fun onInternalMessage(in: InMessage) {
  val msg = lazy Add.fromSlice(in.body);
  var storage = Storage.load();
  storage.count += msg.amount;
  contract.setData(storage.toCell());
}
`;

const address = `0:${'55'.repeat(32)}`;
const conventions = /usually|coins for the transfer/i;

/** The name of the contract, and of an account that its get-method answers. */
const accounts = new Map([
  ['Safe', address],
  ['alice', addressOf('alice')],
]);
const nameOf = (raw: string): string | undefined => [...accounts].find(([, one]) => one === raw)?.[0];

const accountFacts: AccountReport = {
  ...{ network: 'Local', raw: address, friendly: address, balance: 0n, state: 'active', isDeleted: false },
  ...{ interfaces: [], methodIds: [], wallet: undefined, jettons: undefined },
};

const owner: GetMethodSignature = {
  ...{ name: 'owner', parameters: [], result: { kind: 'address' }, origin: 'Tolk source' },
};

/** A delivery of a payment to an account. */
function deliveryTo(recipientAddr: string): FullDelivery {
  const payload = samplePayload();
  const body = Buffer.from(JSON.stringify({ ...payload, data: { ...payload.data, recipientAddr } }));
  return {
    ...{ id: 'm-1', receivedAt: '2026-01-01T00:00:00.000Z', provider: 'ton-pay', method: 'POST' },
    ...{ target: '/webhook', status: 200, verdict: 'accepted', reason: null, signature: null, secret: null },
    ...{ rules: [], warnings: [], unknownFields: [], event: payload.event, reference: 'order-1' },
    ...{ transfer: 'success', bodyBytes: body.length, elapsedMs: 1, forwarding: false, forwarded: null },
    ...{ headers: [], body, bodyRedacted: false },
    payment: {
      ...{ amount: '1', rawAmount: '1000000000', asset: 'TON', ticker: 'TON', sender: address },
      ...{ recipient: recipientAddr, txHash: '', traceId: '', date: '', comment: null, bodyBase64Hash: null },
      ...{ errorCode: null, errorMessage: null },
    },
  };
}

/** What every surface shows about one failed message and one failed get-method. */
interface Shown {
  /** The words for the exit code 402, by surface. */
  exits: Record<string, string>;
  /** What shows the message's opcode 0x11, by surface. */
  messages: Record<string, string>;
  /** What shows the get-method `room`, by surface. */
  methods: Record<string, string>;
  /** What shows the contract, by surface. */
  accounts: Record<string, string>;
}

async function compile(source: string): Promise<Cell> {
  const compiled = await runTolkCompiler({ entrypointFileName: 'a.tolk', fsReadCallback: () => source });
  assert.ok(compiled.status === 'ok', compiled.status === 'error' ? compiled.message : '');
  return Cell.fromBase64(compiled.codeBoc64);
}

describe('the words of a source', () => {
  const clock = new ManualClock();

  /** Deploys the source to a chain, with the project that contains it. */
  async function deployed(
    source: string,
    data: Cell,
  ): Promise<{ chain: LocalChain; code: Cell; codeHash: string; known: ProjectContract[] }> {
    const chain = await testChain({ clock });
    const code = await compile(source);
    const codeHash = code.hash().toString('hex');
    await setAccount(chain, { address, balance: toNano('1'), code, data });
    await chain.mine();
    const known: ProjectContract[] = [
      ...(await readProject([{ path: 'contracts/vault.tolk', text: source }])),
      { name: 'vault', file: 'contracts/vault.tolk', codeHash, methods: [], errors: new Map() },
    ];
    return { chain, code, codeHash, known };
  }

  async function show(source: string, isKnown: boolean): Promise<Shown> {
    const { chain, code, codeHash, known } = await deployed(source, Cell.EMPTY);
    const project = isKnown ? known : [];
    const contracts = (): Promise<ProjectContract[]> => Promise.resolve(project);
    const { prepared, context } = await rehearsed(chain, contracts);
    const { rehearsal } = prepared;
    const exitSource = await rehearsalExits(rehearsal, { contracts });
    const layouts = await projectLayouts(project);
    const readBody = (body: Cell): ReturnType<typeof fittingLayout> => fittingLayout(body, layouts);
    const question = sendQuestion(
      { name: 'Local', kind: 'local', globalId: -3 },
      prepared.message,
      prepared,
      { name: nameOf, coin: 'TON', exitSource, ...(layouts.length > 0 && { readBody }) },
      (raw) => raw,
    ).detail;
    const document = rehearsalText(prepared, { knowledge: context.knowledge, exitSource, name: nameOf });
    const failed = context.model.nodes[1]!;
    const description = describeContract({ code, codeHash }, project);
    const result = failedMethod(description);
    const withdrawal = beginCell()
      .store(
        storeMessageRelaxed(
          internal({
            ...{ to: Address.parseRaw(address), value: 1n },
            body: beginCell().storeUint(0x11, 32).storeUint(0, 64).storeUint(11, 32).endCell(),
          }),
        ),
      )
      .endCell();
    return {
      exits: {
        'send question': question,
        'rehearsal document': document.split('\n')[1]!,
        'predicted trace': document.slice(document.indexOf('predicted trace')),
        verdict: verdictOf(context) ?? '',
        'verdict of the list of traces': traceText(context),
        'trace as JSON': JSON.stringify(traceSummary(context)),
        'transaction document': transactionText(failed, context).split('\n')[0]!,
        'phases of the transaction': /^compute .*$/m.exec(
          transactionText(failed, context).replaceAll(/^ +/gm, ''),
        )![0],
        'document of a get-method': describeGetMethodResult(result, { exits: description }),
        'row of a get-method': summaryText(summarizeResult(result, { exits: description })),
        'get-method as JSON': resultToJson(result).exitMeaning,
        'expectation of a call sheet':
          checkExpectation(
            { subject: { kind: 'exit' }, comparison: '==' } as Parameters<typeof checkExpectation>[0],
            { type: 'int', value: 0n },
            result,
          ) ?? '',
      },
      messages: {
        'send question': question,
        'predicted trace': document,
        verdict: verdictOf(context) ?? '',
        'list of traces': traceText(context),
        'transaction document': transactionText(failed, context),
        'trace as JSON': JSON.stringify(traceSummary(context)),
        'diagram of a trace': mermaidText(context),
        'page of a trace': JSON.stringify(tracePageOf(context)),
        'BoC view': describeBoc(fromCoreCell(withdrawal), layouts.length > 0 ? { readBody } : {}).text,
      },
      methods: methodsShown(description),
      accounts: {
        ...accountsShown(description),
        'send question': question,
        'rehearsal document': document,
        verdict: verdictOf(context) ?? '',
        'list of traces': traceText(context),
        'trace document': traceDocument(context),
        'transaction document': transactionText(failed, context),
        'trace as JSON': JSON.stringify(traceSummary(context)),
        'diagram of a trace': mermaidText(context),
        'page of a trace': JSON.stringify(tracePageOf(context)),
        'BoC view': describeBoc(fromCoreCell(withdrawal), {
          address: (raw) => nameOf(raw) ?? raw,
        }).text,
      },
    };
  }

  /** All other places where the contract is shown. */
  function accountsShown(description: ContractDescription): Record<string, string> {
    const result: GetMethodResult = {
      ...failedMethod(description),
      ...{ exitCode: 0, exitMeaning: exitMeaning(0), raw: [] },
      stack: [
        {
          type: 'slice',
          value: { type: 'slice', cell: beginCell().storeAddress(Address.parseRaw(address)).endCell() },
          decoded: { kind: 'address', address },
        },
      ],
    };
    const words = { accountName: nameOf, signature: owner };
    const friendly = Address.parseRaw(address).toString();
    const request = {
      ...{ id: 1, time: 0, method: 'GET', status: 200, duration: 1, body: '' },
      path: `/api/v3/accountStates?address=${friendly}`,
    };
    const facts = { ...accountFacts, raw: address };
    const getters = [{ signature: owner, answer: result }] as ContractFacts['getters'];
    const contract = { description, storage: undefined, getters };
    const named = { name: nameOf, coin: 'TON' };
    return {
      'document of a get-method': describeGetMethodResult(result, words),
      'row of a get-method': summaryText(summarizeResult(result, words)),
      'account document': accountText(facts, { ...named, methodName: () => undefined }).text,
      'answers in the account document': contractText(contract, named).lines.join('\n'),
      'requests to the local network': describeRequests([request], { time: String, name: nameOf }).text,
      'row of a delivery': deliveryNodes(deliveryTo(friendly), nameOf)
        .flatMap(({ children }) => (typeof children === 'object' ? children : []))
        .map(({ description: text }) => text)
        .join('\n'),
      'document of a delivery': describeDelivery(deliveryTo(friendly), nameOf).split('payload')[0]!,
    };
  }

  /** All places where a contract's get-methods are shown by name. */
  function methodsShown(description: ContractDescription): Record<string, string> {
    const [method] = description.methods;
    const id = getMethodId('room');
    const names = methodNames(description);
    const signature = method?.signature ?? { name: String(id), parameters: [], result: undefined };
    const facts: AccountReport = { ...accountFacts, methodIds: [id] };
    const methodName = (asked: number): string | undefined => names.get(asked);
    const answer = new WorkbenchError({ code: 'aborted', kind: 'failed', message: 'not asked' });
    const getters = [{ signature, answer }] as ContractFacts['getters'];
    const contract = { description, storage: undefined, getters };
    const words = { name: () => undefined, coin: 'TON' };
    return {
      'rows and lists': description.methods.map(({ name }) => name).join(),
      'a call by its name': methodNamed(description, 'room')?.name ?? '',
      'account document': accountText(facts, { ...words, methodName }).text,
      'account as JSON': JSON.stringify(accountJson(facts, methodName)),
      'answers in the account document': contractText(contract, words).lines.join('\n'),
      'answers as JSON': JSON.stringify(contractJson(contract)),
      'document of a get-method': describeGetMethodResult(failedMethod(description), { exits: description }),
    };
  }

  async function rehearsed(
    chain: LocalChain,
    contracts: () => Promise<ProjectContract[]>,
  ): Promise<{ prepared: PreparedSend; context: TraceContext }> {
    const body = beginCell().storeUint(0x11, 32).storeUint(0, 64).storeUint(11, 32).endCell();
    const message = readExternalMessage(
      readBoc(transfer('alice', { seqno: 0, to: address, value: toNano('0.1'), body, bounce: true })),
    );
    const { last } = chain.ledger;
    const source: AccountSource = {
      origin: 'test',
      seqno: last.seqno,
      genUtime: last.genUtime,
      endLt: last.endLt,
      account: (raw) =>
        Promise.resolve({
          shardAccount: chain.ledger.accounts.get(raw)?.current ?? absentAccount,
          fidelity: 'exact',
        }),
      library: () => Promise.resolve(undefined),
      config: () => Promise.resolve(chain.config.base64),
    };
    const rehearsal = await rehearse({
      message,
      source,
      emulator: chain.emulator,
      fallbackConfig: defaultNetworkConfig(),
      clock,
    });
    assert.ok(rehearsal.trace);
    return {
      prepared: { message, rehearsal, serviceFees: undefined },
      context: await describeTrace(rehearsal.trace, {
        contracts,
        names: namesInTraces({ kind: 'local' }, accounts),
      }),
    };
  }

  function failedMethod(description: ContractDescription): GetMethodResult {
    return withExits(
      {
        ...{ address, method: 'room', network: 'Local', api: 'v3', exitCode: 402 },
        ...{ exitMeaning: exitMeaning(402), gasUsed: 1, arguments: [], stack: [], raw: [], elapsedMs: 1 },
      },
      description,
    );
  }

  it('name an exit code on every surface', async () => {
    const { exits } = await show(vault, true);
    for (const [surface, text] of Object.entries(exits)) {
      assert.match(text, /ERR_OVER_LIMIT/, surface);
      assert.doesNotMatch(text, conventions, surface);
    }
  });

  it('name a message on every surface', async () => {
    const { messages } = await show(vault, true);
    for (const [surface, text] of Object.entries(messages)) {
      assert.match(text, /Withdraw/, surface);
    }
  });

  it('name a get-method on every surface', async () => {
    const { methods } = await show(vault, true);
    assert.equal(methods['rows and lists'], 'room');
    for (const [surface, text] of Object.entries(methods)) {
      assert.match(text, /\broom\b/, surface);
    }
  });

  it('name the account on every surface, as the user does', async () => {
    const shown = (await show(vault, true)).accounts;
    for (const [surface, text] of Object.entries(shown)) {
      assert.match(text, /\bSafe\b/, surface);
    }
  });

  it('describe what a message changes, on every surface', async () => {
    const data = beginCell().storeUint(1, 32).storeCoins(5n).endCell();
    const { chain, known } = await deployed(counter, data);
    const { prepared, context } = await rehearsed(chain, () => Promise.resolve(known));
    const changes = stateChangeLines(context, 4);
    const surfaces = {
      'send question': sendQuestion(
        { name: 'Local', kind: 'local', globalId: -3 },
        prepared.message,
        prepared,
        { name: () => undefined, coin: 'TON', changes },
        (raw) => raw,
      ).detail,
      'rehearsal document': rehearsalText(prepared, { knowledge: context.knowledge }),
      'transaction document': transactionText(context.model.nodes[1]!, context),
    };
    for (const [surface, text] of Object.entries(surfaces)) {
      assert.match(text, /count 1 → 12$/m, surface);
      assert.doesNotMatch(text, /total 5/, surface);
    }
    const [node] = context.model.nodes.filter(({ account }) => account === address);
    assert.deepEqual(traceSummary(context).changes, [
      { hash: node?.hash, account: address, path: 'count', before: '1', after: '12' },
    ]);
  });

  it('are marked where they come from a source that has changed since, on every surface', async () => {
    const { chain, code, codeHash, known } = await deployed(vault, Cell.EMPTY);
    const show = async (hasChanged: boolean): Promise<Record<string, string>> => {
      const errors = new Map(known.flatMap((one) => [...one.errors]));
      const project = known.map((one) =>
        one.codeHash === undefined ? one : { ...one, hasChanged, ...(hasChanged && { errors }) },
      );
      const { prepared, context } = await rehearsed(chain, () => Promise.resolve(project));
      const description = describeContract({ code, codeHash }, project);
      const [method] = description.methods;
      const signature = method?.signature;
      const facts = { description, storage: undefined, getters: [] };
      return {
        'trace document': traceText(context),
        'rehearsal document': rehearsalText(prepared, { knowledge: context.knowledge }),
        'transaction document': transactionText(context.model.nodes[1]!, context),
        'account document': contractText(facts, { name: () => undefined, coin: 'TON' }).lines.join('\n'),
        'document of a failed get-method': describeGetMethodResult(failedMethod(description), {
          exits: description,
        }),
        'document of a get-method': describeGetMethodResult(
          { ...failedMethod(description), exitCode: 0 },
          { signature, origin: method?.origin },
        ),
      };
    };
    for (const [surface, text] of Object.entries(await show(true))) {
      assert.match(text, /contracts\/vault\.tolk (has |\()changed since/, surface);
    }
    for (const [surface, text] of Object.entries(await show(false))) {
      assert.doesNotMatch(text, /changed since/, surface);
    }
  });

  it('name a message of which the source gives only the opcode, in the question before sending', async () => {
    const { chain, known } = await deployed(`const OP_WITHDRAW = 0x11;${nameless}`, Cell.EMPTY);
    const ask = async (project: ProjectContract[]): Promise<string> => {
      const contracts = (): Promise<ProjectContract[]> => Promise.resolve(project);
      const { prepared } = await rehearsed(chain, contracts);
      const names = {
        ...{ name: () => 'vault', coin: 'TON' },
        exitSource: await rehearsalExits(prepared.rehearsal, { contracts }),
      };
      const network = { name: 'Local', kind: 'local' as const, globalId: -3 };
      return sendQuestion(network, prepared.message, prepared, names, (raw) => raw).detail;
    };
    assert.match(await ask(known), /to vault[^\n]*, WITHDRAW with a body of 128 bits\./);
    assert.match(await ask([]), /to vault[^\n]*, with a body of 128 bits\./);
  });

  it('are not invented for an unknown contract', async () => {
    const { exits } = await show(nameless, false);
    // A verdict has only the number.
    const verdicts = Object.entries(exits).filter(([, text]) =>
      /would refuse 0x00000011: exit code 402\b/.test(text),
    );
    const others = Object.entries(exits).filter((one) => !verdicts.some(([surface]) => surface === one[0]));
    assert.ok(verdicts.length > 0 && others.length > 0, `${verdicts.length} and ${others.length}`);
    for (const [surface, text] of others) {
      assert.match(
        text,
        /402\b[^]*defined by the contract or its compiler|^defined by the contract or its compiler$/,
        surface,
      );
    }
    for (const [surface, text] of Object.entries(exits)) {
      assert.doesNotMatch(text, conventions, surface);
    }
  });

  it('may come from the standard that its code is recognized to follow', async () => {
    const { exits } = await show(nftItem, false);
    for (const [surface, text] of Object.entries(exits)) {
      assert.match(text, /not enough coins for the transfer/, surface);
    }
  });
});
