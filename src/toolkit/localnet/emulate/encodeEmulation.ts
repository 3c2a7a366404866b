import * as z from 'zod';
import type { Exact, V3Transaction } from '../../api/v3Objects';
import { openObject, v3Books, v3Transaction } from '../../api/v3Objects';
import { v3Action, v3TraceNode } from '../../api/v3Traces';
import { hashValue } from '../../api/wire';
import { writeLightCell } from '../../cell/light/lightCell';
import { accountFacts } from '../chain/ledger';
import type { InboundMessage } from '../chain/inboundMessage';
import type { TokenChain } from '../tokens/tokenIndex';
import { TokenIndex } from '../tokens/tokenIndex';
import { encodeAction, findActions } from '../v3/actions';
import { addressBookRow, addressesIn, metadataRows } from '../v3/blocks';
import { encodeTrace } from '../v3/v3Context';
import type { V3Context } from '../v3/v3Context';
import type { Emulation } from './emulateMessage';
import { adopt } from './emulateMessage';

/** What the caller wants besides the trace. */
export interface EmulationWishes {
  actions: boolean;
  codeAndData: boolean;
  addressBook: boolean;
  metadata: boolean;
}

/** The emulation API's answer. */
export const emulationAnswer = openObject({
  mc_block_seqno: z.number(),
  trace: v3TraceNode,
  transactions: z.record(hashValue, z.nullable(v3Transaction)),
  actions: z.array(v3Action),
  /** BoCs in base64 by hash. */
  code_cells: z.record(hashValue, z.string()),
  data_cells: z.record(hashValue, z.string()),
  ...v3Books,
  rand_seed: hashValue,
  is_incomplete: z.boolean(),
});

export type EmulationAnswer = Exact<z.output<typeof emulationAnswer>>;

/** An emulation in the service's format. Everything in it is marked as emulated. */
export async function encodeEmulation(
  context: V3Context,
  emulation: Emulation,
  external: InboundMessage,
  wishes: EmulationWishes,
): Promise<EmulationAnswer> {
  const { chain } = context;
  const { ledger, trace, isIncomplete } = emulation;
  const { trace: tree, transactions } = await encodeTrace(
    { ledger, maximumTraceTransactions: Infinity },
    trace,
  );
  const marked = Object.fromEntries(
    Object.entries(transactions ?? {}).map(([hash, transaction]) => [
      hash,
      transaction && mark(transaction, external),
    ]),
  );
  const view = viewOf(context, emulation);
  if (wishes.actions || wishes.metadata) {
    await view.tokens.refresh();
  }
  const actions = wishes.actions
    ? (await findActions(view.tokens, trace)).map((one) => ({ ...encodeAction(one), finality: 'pending' }))
    : [];
  const addresses = [...(await addressesIn([marked, actions]))];
  for (const address of addresses) {
    adopt(chain, ledger, address);
  }
  return {
    mc_block_seqno: chain.ledger.last.seqno,
    trace: tree,
    transactions: marked,
    actions,
    ...(wishes.codeAndData ? cellsOf(emulation) : {}),
    ...(wishes.addressBook
      ? {
          address_book: Object.fromEntries(
            addresses.map((address) => [address, addressBookRow(view, address)]),
          ),
        }
      : {}),
    ...(wishes.metadata ? { metadata: await metadataRows(view, addresses) } : {}),
    rand_seed: emulation.context.seed.toString('hex'),
    is_incomplete: isIncomplete,
  };
}

function mark(transaction: Exact<V3Transaction>, { hash, normalized }: InboundMessage): Exact<V3Transaction> {
  const message = transaction.in_msg;
  return {
    ...transaction,
    trace_external_hash: normalized,
    emulated: true,
    finality: 'pending',
    ...(message?.hash === hash ? { in_msg: { ...message, hash_norm: normalized } } : {}),
  };
}

/** The indexed API's context for the copy: includes contracts deployed by the trace. */
function viewOf(context: V3Context, { ledger, context: { now } }: Emulation): V3Context {
  const { chain } = context;
  const nothing = (): (() => void) => () => undefined;
  const copy: TokenChain = {
    ledger,
    emulator: chain.emulator,
    config: chain.config,
    libraries: chain.libraries,
    fork: chain.fork,
    now: () => now,
    load: async (address: string) => {
      await chain.load(address);
      adopt(chain, ledger, address);
    },
    onBlock: nothing,
    onReset: nothing,
    onAdopt: nothing,
  };
  const own = new TokenIndex(copy);
  const { tokens } = context;
  return {
    ...context,
    ledger,
    tokens: {
      refresh: async () => {
        await own.refresh();
        await tokens.refresh();
      },
      get: async (address) => (await own.get(address)) ?? (await tokens.get(address)),
      known: (address) => own.known(address) ?? tokens.known(address),
      addresses: (kind) => tokens.addresses(kind),
      related: (address) => tokens.related(address),
      methodsOf: (account) => own.methodsOf(account),
      domainOf: (address) => own.domainOf(address) ?? tokens.domainOf(address),
    },
  };
}

/** Code and data of each state in the trace, by hash. */
function cellsOf({ ledger, trace }: Emulation): Pick<EmulationAnswer, 'code_cells' | 'data_cells'> {
  const codes: Record<string, string> = {};
  const data: Record<string, string> = {};
  for (const { before, after } of trace.transactions) {
    for (const version of [before, after]) {
      if (version !== null) {
        const { code, data: own } = accountFacts(ledger, version);
        if (code !== null) {
          codes[code.hexHash] ??= writeLightCell(code).toString('base64');
        }
        if (own !== null) {
          data[own.hexHash] ??= writeLightCell(own).toString('base64');
        }
      }
    }
  }
  return { code_cells: codes, data_cells: data };
}
