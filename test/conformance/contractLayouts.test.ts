import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Address, beginCell, Cell, internal, SendMode, storeMessageRelaxed, storeOutList } from '@ton/core';
import type { Builder, MessageRelaxed, Slice } from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import * as assets from '@ton-community/assets-sdk';
import {
  MultisigOrderBuilder,
  MultisigWallet,
  WalletContractV3R2,
  WalletContractV4,
  WalletContractV5R1,
} from '@ton/ton';
import { root } from '../../scripts/lib/root.mjs';
import { compileTolk } from '../../src/toolkit/build/compileTolk';
import type { LayoutSet } from '../../src/toolkit/contracts/layouts/layoutSet';
import { decodeByLayout } from '../../src/toolkit/contracts/layouts/decodeByLayout';
import { encodeByLayout } from '../../src/toolkit/contracts/layouts/encodeByLayout';
import { fittingLayout } from '../../src/toolkit/contracts/layouts/fittingLayout';
import { readTolkSourceLayouts } from '../../src/toolkit/contracts/layouts/tolkLayouts';

const account = (byte: number): Address => new Address(0, Buffer.alloc(32, byte));
const [alice, bob, carol, collection] = [account(1), account(2), account(3), account(4)];
const names = { alice, bob, carol, collection };
const accounts = new Map(Object.entries(names).map(([name, address]) => [name, address.toRawString()]));

const keys = keyPairFromSeed(Buffer.alloc(32, 9));
const seqno = 17;
const timeout = 1_800_000_000;
const mode: SendMode = SendMode.PAY_GAS_SEPARATELY | SendMode.IGNORE_ERRORS;
const message: MessageRelaxed = internal({ to: bob, value: 5n, body: 'hello' });
const leaf = beginCell().storeUint(7, 8).endCell();
const stored = (store: (builder: Builder) => void): Cell => beginCell().store(store).endCell();
const messageCell = stored(storeMessageRelaxed(message));
/** Cells as text. */
const boc = (cell: Cell): string => cell.toBoc().toString('hex');
const bytes = (buffer: Buffer): string => `x{${buffer.toString('hex')}}`;
const firstBytes = (cell: Cell): string => bytes(cell.beginParse().loadBuffer(64));
const lastBytes = (cell: Cell): string => {
  const slice: Slice = cell.beginParse();
  slice.skip(slice.remainingBits - 512);
  return bytes(slice.loadBuffer(64));
};
const noPayload = boc(beginCell().storeBit(false).endCell());
const publicKey = bytes(keys.publicKey);

/** A struct of a contract, the cell that a third-party wrapper encodes, and the same value as text. */
type Case = [struct: string, wanted: Cell, text: string];

function wallets(): Record<string, Case[]> {
  const { secretKey } = keys;
  const v3 = WalletContractV3R2.create({ workchain: 0, publicKey: keys.publicKey });
  const v4 = WalletContractV4.create({ workchain: 0, publicKey: keys.publicKey });
  const v5 = WalletContractV5R1.create({ publicKey: keys.publicKey });
  const request = { seqno, timeout, secretKey };
  const send = { ...request, sendMode: mode, messages: [message] };
  const v3Send = v3.createTransfer(send);
  const v4Send = v4.createTransfer(send);
  const plugin = { address: carol, forwardAmount: 9n, queryId: 4n };
  const v4Add = v4.createRequest({ ...request, action: { type: 'addPlugin', ...plugin } });
  const v4Remove = v4.createRequest({ ...request, action: { type: 'removePlugin', ...plugin } });
  const v5Send = v5.createTransfer(send);
  const v5Id = v5.init.data.beginParse().skip(33).loadInt(32);
  const v5Extend = v5.createRequest({
    seqno,
    authType: 'extension',
    queryId: 8n,
    actions: [{ type: 'addExtension', address: carol }],
  });
  const head = (id: number, body: Cell): string =>
    `signature: ${firstBytes(body)}, walletId: ${id}, validUntil: ${timeout}, seqno: ${seqno}`;
  const pluginText = `{workchain: 0, hash: ${bytes(carol.hash)}, amount: 9, queryId: 4}`;
  const actions = stored(storeOutList([{ type: 'sendMsg', mode: mode | 2, outMsg: message }]));
  return {
    walletV3: [
      ['Storage', v3.init.data, `{seqno: 0, walletId: ${v3.walletId}, publicKey: ${publicKey}}`],
      ['Request', v3Send, `{${head(v3.walletId, v3Send)}, mode: ${mode}, message: ${boc(messageCell)}}`],
    ],
    walletV4: [
      [
        'Storage',
        v4.init.data,
        `{seqno: 0, walletId: ${v4.walletId}, publicKey: ${publicKey}, plugins: null}`,
      ],
      [
        'Request',
        v4Send,
        `{${head(v4.walletId, v4Send)}, action: Send {mode: ${mode}, message: ${boc(messageCell)}}}`,
      ],
      ['Request', v4Add, `{${head(v4.walletId, v4Add)}, action: AddPlugin ${pluginText}}`],
      ['Request', v4Remove, `{${head(v4.walletId, v4Remove)}, action: RemovePlugin ${pluginText}}`],
    ],
    walletV5: [
      [
        'Storage',
        v5.init.data,
        `{isSignatureAllowed: true, seqno: 0, walletId: ${v5Id}, publicKey: ${publicKey}, extensions: {}}`,
      ],
      [
        'SignedExternal',
        v5Send,
        `{walletId: ${v5Id}, validUntil: ${timeout}, seqno: ${seqno}, actions: ${boc(actions)}, signature: ${lastBytes(v5Send)}}`,
      ],
      [
        'ExtensionRequest',
        v5Extend,
        '{queryId: 8, actions: null, extended: AddExtension {extension: carol}}',
      ],
    ],
  };
}

function severalSigners(): Record<string, Case[]> {
  const highload = assets.HighloadWalletContractV2.create({ workchain: 0, publicKey: keys.publicKey });
  const transfer = highload.createTransfer({
    secretKey: keys.secretKey,
    messages: [message, internal({ to: carol, value: 6n })],
    seqno: 5,
    sendMode: mode,
  });
  const { queryId } = highload.loadTransfer(transfer.beginParse());
  const second = stored(storeMessageRelaxed(internal({ to: carol, value: 6n })));
  const others = [1, 2].map((byte) => keyPairFromSeed(Buffer.alloc(32, byte)).publicKey);
  const multisig = new MultisigWallet(others, 0, 6, 2);
  const builder = new MultisigOrderBuilder(6);
  builder.addMessage(message, mode);
  const order = builder.build().toCell(1);
  const orderId = order
    .beginParse()
    .skip(9 + 32)
    .loadUintBig(64);
  return {
    highloadWalletV2: [
      [
        'Storage',
        highload.init.data,
        `{walletId: ${highload.walletId}, lastCleaned: 0, publicKey: ${publicKey}, queries: null}`,
      ],
      [
        'Request',
        transfer,
        `{signature: ${firstBytes(transfer)}, walletId: ${highload.walletId}, queryId: ${queryId},
          messages: {0: {mode: 3, message: ${boc(messageCell)}}, 1: {mode: 3, message: ${boc(second)}}}}`,
      ],
    ],
    multisigV1: [
      [
        'Storage',
        multisig.init.data ?? assert.fail(),
        `{walletId: 6, owners: 2, threshold: 2, lastCleaned: 0, pending: null,
          ownerInfos: {${others.map((key, place) => `${place}: {publicKey: ${bytes(key)}, flood: 0}`).join(', ')}}}`,
      ],
      [
        'Order',
        order,
        `{sender: 1, signatures: null, walletId: 6, queryId: ${orderId}, mode: 3, message: ${boc(messageCell)}}`,
      ],
    ],
  };
}

function jettons(): Record<string, Case[]> {
  const mint = {
    queryId: 1n,
    amount: 1000n,
    from: collection,
    to: bob,
    responseAddress: alice,
    forwardTonAmount: 2n,
    forwardPayload: null,
    walletForwardValue: 50_000_000n,
  };
  const moved = { queryId: 3n, amount: 12n, customPayload: leaf };
  const transfer = { ...moved, destination: bob, responseDestination: alice, forwardAmount: 1n };
  const payload = boc(beginCell().storeBit(true).storeRef(leaf).endCell());
  const transferText = 'queryId: 3, amount: 12, destination: bob, response: alice, forwardAmount: 1';
  return {
    jettonMinter: [
      [
        'Storage',
        assets.jettonMinterConfigToCell({ admin: alice, content: leaf, jettonWalletCode: messageCell }),
        `{totalSupply: 0, admin: alice, content: ${boc(leaf)}, walletCode: ${boc(messageCell)}}`,
      ],
      [
        'Mint',
        stored(assets.storeJettonMintMessage(mint)),
        `{queryId: 1, to: bob, value: 0.05ton, transfer: {queryId: 1, amount: 1000, from: collection,
          response: alice, forwardAmount: 2, forwardPayload: ${noPayload}}}`,
      ],
      [
        'ChangeAdmin',
        stored(assets.storeJettonChangeAdminMessage({ queryId: 2n, newAdmin: bob })),
        '{queryId: 2, newAdmin: bob}',
      ],
      [
        'ChangeContent',
        stored(assets.storeJettonChangeContentMessage({ queryId: 2n, newContent: leaf })),
        `{queryId: 2, newContent: ${boc(leaf)}}`,
      ],
      [
        'BurnNotification',
        stored(
          assets.storeJettonBurnNotificationMessage({
            queryId: 2n,
            amount: 4n,
            sender: bob,
            responseDestination: null,
          }),
        ),
        '{queryId: 2, amount: 4, sender: bob, response: none}',
      ],
    ],
    jettonWallet: [
      [
        'Storage',
        assets.jettonWalletConfigToCell({
          balance: 77n,
          owner: bob,
          jettonMaster: collection,
          jettonWalletCode: leaf,
        }),
        `{balance: 77, owner: bob, minter: collection, walletCode: ${boc(leaf)}}`,
      ],
      [
        'Transfer',
        stored(assets.storeJettonTransferMessage({ ...transfer, forwardPayload: leaf })),
        `{${transferText}, customPayload: ${boc(leaf)}, forwardPayload: ${payload}}`,
      ],
      [
        'Transfer',
        stored(assets.storeJettonTransferMessage({ ...transfer, customPayload: null, forwardPayload: null })),
        `{${transferText}, customPayload: null, forwardPayload: ${noPayload}}`,
      ],
      [
        'Burn',
        stored(assets.storeJettonBurnMessage({ ...moved, responseDestination: alice })),
        `{queryId: 3, amount: 12, response: alice, customPayload: ${boc(leaf)}}`,
      ],
    ],
  };
}

async function items(): Promise<Record<string, Case[]>> {
  const royalty = { numerator: 5n, denominator: 100n, recipient: carol };
  const royaltyText = '{numerator: 5, denominator: 100, recipient: carol}';
  const transfer = {
    queryId: 6n,
    newOwner: bob,
    responseDestination: alice,
    customPayload: null,
    forwardAmount: 1n,
    forwardPayload: null,
  };
  const sale = assets.NftSale.createFromConfig({
    createdAt: 1_700_000_000,
    marketplace: collection,
    nft: bob,
    fullPrice: 5_000_000_000n,
    marketplaceFeeTo: null,
    marketplaceFee: 1n,
    royaltyTo: carol,
    royalty: 2n,
    canDeployByExternal: true,
  });
  let topUp: Cell | undefined;
  const provider = {
    internal: (_: unknown, { body }: { body: Cell }) => {
      topUp = body;
      return Promise.resolve();
    },
  };
  await sale.sendTopup(provider as never, undefined as never, { queryId: 9n });
  return {
    nftCollection: [
      [
        'Storage',
        assets.nftCollectionConfigToCell({ admin: alice, content: leaf, itemCode: messageCell, royalty }),
        `{admin: alice, nextItemIndex: 0, content: ${boc(leaf)}, itemCode: ${boc(messageCell)}, royalty: ${royaltyText}}`,
      ],
      [
        'Mint',
        stored(
          assets.storeNftMintMessage(
            {
              queryId: 1n,
              itemIndex: 3n,
              value: 40n,
              itemParams: { owner: bob, individualContent: '3.json' },
            },
            assets.storeNftItemParams,
          ),
        ),
        '{queryId: 1, itemIndex: 3, value: 40, params: {owner: bob, content: "3.json"}}',
      ],
      [
        'ChangeAdmin',
        stored(assets.storeNftChangeAdminMessage({ queryId: 2n, newAdmin: bob })),
        '{queryId: 2, newAdmin: bob}',
      ],
      [
        'ChangeContent',
        stored(
          assets.storeNftChangeContentMessage({ queryId: 2n, newContent: leaf, newRoyaltyParams: royalty }),
        ),
        `{queryId: 2, content: ${boc(leaf)}, royalty: ${royaltyText}}`,
      ],
    ],
    nftItem: [
      [
        'Storage',
        assets.nftItemConfigToCell({ index: 3n, collection }),
        '{index: 3, collection: collection}',
      ],
      [
        'Transfer',
        stored(assets.storeNftTransferMessage(transfer)),
        `{queryId: 6, newOwner: bob, response: alice, customPayload: null, forwardAmount: 1, forwardPayload: ${noPayload}}`,
      ],
      ['GetStaticData', stored(assets.storeNftGetStaticDataMessage({ queryId: 5n })), '{queryId: 5}'],
      [
        'ReportStaticData',
        stored(assets.storeNftReportStaticDataMessage({ queryId: 5n, index: 3n, collection })),
        '{queryId: 5, index: 3, collection: collection}',
      ],
      [
        'OwnershipAssigned',
        stored(assets.storeNftOwnerAssignedMessage({ queryId: 6n, previousOwner: alice, payload: leaf })),
        `{queryId: 6, previousOwner: alice, forwardPayload: ${boc(beginCell().storeBit(true).storeRef(leaf).endCell())}}`,
      ],
    ],
    sbtItem: [
      [
        'Storage',
        assets.nftItemConfigToCell({ index: 3n, collection }),
        '{index: 3, collection: collection}',
      ],
      [
        'InitialData',
        stored(assets.storeSbtItemParams({ owner: bob, individualContent: 'sbt.json', authority: alice })),
        '{owner: bob, content: "sbt.json", authority: alice}',
      ],
    ],
    nftSale: [
      [
        'Storage',
        sale.init?.data ?? assert.fail(),
        `{isComplete: false, createdAt: 1700000000, marketplace: collection, nft: bob, owner: none, fullPrice: 5ton,
          fees: {marketplaceFeeTo: none, marketplaceFee: 1, royaltyTo: carol, royalty: 2}, canDeployByExternal: true}`,
      ],
      ['TopUp', topUp ?? assert.fail(), '{queryId: 9}'],
    ],
  };
}

const source = (contract: string): Promise<string> =>
  readFile(path.join(root, 'test/conformance/contracts', `${contract}.tolk`), 'utf8');
const setOf = async (contract: string): Promise<LayoutSet> =>
  readTolkSourceLayouts(`${contract}.tolk`, contract, await source(contract));

const contracts = [
  ...['walletV3', 'walletV4', 'walletV5', 'highloadWalletV2', 'multisigV1', 'jettonMinter', 'jettonWallet'],
  ...['nftCollection', 'nftItem', 'sbtItem', 'nftSale'],
];

describe('layouts of Tolk sources, against the wrappers of @ton/ton and assets-sdk', () => {
  let cases: Record<string, Case[]>;
  before(async () => {
    cases = { ...wallets(), ...severalSigners(), ...jettons(), ...(await items()) };
  });

  for (const contract of contracts) {
    it(`${contract}: encodes the same cells, and decodes them`, async () => {
      const set = await setOf(contract);
      const own = cases[contract] ?? assert.fail(contract);
      assert.ok(own.length >= 2);
      for (const [struct, wanted, text] of own) {
        const layout = set.structs.get(struct) ?? assert.fail(struct);
        const made = encodeByLayout(text, layout, set, { accounts });
        assert.equal(made.toString(), wanted.toString(), struct);
        const body = decodeByLayout(wanted, layout, set);
        assert.deepEqual([body.broken, body.left], [false, { bits: 0, refs: 0 }], struct);
      }
    });

    it(`${contract}: is a source that the compiler accepts`, async () => {
      const text = await source(contract);
      const { codeHash } = await compileTolk('/contract.tolk', () => text);
      assert.match(codeHash, /^[0-9a-f]{64}$/);
    });
  }
});

describe('layouts of Tolk sources, against recorded messages', () => {
  const recorded = async (file: string): Promise<{ opcode: string; body: Cell }[]> => {
    const found = new Map<string, { opcode: string; body: Cell }>();
    const trace = JSON.parse(
      await readFile(path.join(root, 'test/reference/traces', file), 'utf8'),
      (_, value: unknown) => {
        const { opcode, message_content: content } = (value ?? {}) as {
          opcode?: string;
          message_content?: { body?: string };
        };
        if (typeof opcode === 'string' && typeof content?.body === 'string') {
          found.set(content.body, { opcode, body: Cell.fromBase64(content.body) });
        }
        return value;
      },
    ) as unknown;
    assert.ok(trace);
    return [...found.values()];
  };

  const messages: [file: string, contract: string, opcode: string, struct: string, fields: string[]][] = [
    ['ft-sent-traces.json', 'jettonWallet', '0x0f8a7ea5', 'Transfer', ['queryId', 'amount', 'destination']],
    ['ft-sent-traces.json', 'jettonWallet', '0x178d4519', 'InternalTransfer', ['queryId', 'amount', 'from']],
    [
      'ft-sent-traces.json',
      'jettonWallet',
      '0x7362d09c',
      'TransferNotification',
      ['queryId', 'amount', 'sender'],
    ],
    ['ft-sent-traces.json', 'jettonWallet', '0xd53276db', 'Excesses', ['queryId']],
    ['nft-received-traces.json', 'nftItem', '0x5fcc3d14', 'Transfer', ['queryId', 'newOwner', 'response']],
    ['nft-received-traces.json', 'nftItem', '0x05138d91', 'OwnershipAssigned', ['queryId', 'previousOwner']],
  ];
  for (const [file, contract, opcode, struct, fields] of messages) {
    it(`${contract}: ${struct} of ${file}`, async () => {
      const set = await setOf(contract);
      const bodies = (await recorded(file)).filter((one) => one.opcode === opcode);
      assert.ok(bodies.length > 0);
      for (const { body } of bodies) {
        const read = fittingLayout(body, [set]);
        assert.equal(read?.name, struct);
        assert.deepEqual(read.fields.map(({ name }) => name).slice(0, fields.length), fields);
      }
    });
  }

  for (const [file, contract, struct, opcode] of [
    ['ton-sent-traces.json', 'walletV4', 'Request', '0xf8e041ae'],
    ['ft-sent-traces.json', 'walletV4', 'Request', '0x38769672'],
    ['nft-received-traces.json', 'walletV3', 'Request', '0xd4468b29'],
    ['v3_trace_fixture.json', 'highloadWalletV2', 'Request', '0xad7eb309'],
  ] as const) {
    it(`${contract}: ${struct} of ${file}, signed`, async () => {
      const set = await setOf(contract);
      const layout = set.structs.get(struct) ?? assert.fail();
      const { body } = (await recorded(file)).find((one) => one.opcode === opcode) ?? assert.fail();
      const read = decodeByLayout(body, layout, set);
      assert.deepEqual([read.broken, read.left], [false, { bits: 0, refs: 0 }]);
    });
  }
});
