import { Address, beginCell } from '@ton/core';
import { readTokenContent } from '../cell/tokenContent';
import { limits } from '../base/limits';
import type { StackValue } from '../stack/stackValue';
import { visibleText } from '../base/text';
import { isSentByWallet, jettonOpcodes } from './jettonWallets';
import { TraceContext } from './traceContext';
import type { JettonFacts, JettonWallet, TraceKnowledge } from './traceModel';

/** Maximum get-method calls per trace; beyond it amounts are shown in base units. */
const mostWallets = 5;
const mostMasters = 10;
/** Maximum cached accounts. */
const capacity = 1000;
/** TEP-64: the default number of decimals. */
const usualDecimals = 9;

interface Answer<Fact> {
  fact: Fact | undefined;
  /** The source of the fact, or why it is missing. */
  text: string;
}

/**
 * Reads missing metadata from the jetton contracts themselves: owner and master of wallets (`get_wallet_data`,
 * trusted if the master's `get_wallet_address` confirms it), symbol and decimals of masters (`get_jetton_data`,
 * TEP-74). Only on-chain content is read (TEP-64); links are never followed automatically. Answers are cached;
 * network failures are not, and end the lookup for now.
 */
export class JettonBook {
  readonly #wallets = new Map<string, Answer<JettonWallet>>();
  readonly #masters = new Map<string, Answer<JettonFacts>>();

  constructor(readonly source: GetMethodSource) {}

  /** The same trace with its jetton contracts' metadata; the given context if there was nothing to ask or learn. */
  async complete(context: TraceContext, signal?: AbortSignal): Promise<TraceContext> {
    let current = context;
    try {
      for (let asked = 0; asked < mostWallets; asked++) {
        const account = walletsWithoutMaster(current).find((one) => !isTold(one, current));
        if (account === undefined) {
          break;
        }
        const answer = await kept(this.#wallets, account, () => this.#wallet(account, signal));
        current = withAnswer(current, account, answer, 'jettonWallets');
      }
      for (const master of mastersWithoutFacts(current).slice(0, mostMasters)) {
        const answer = await kept(this.#masters, master, () => this.#master(master, signal));
        current = withAnswer(current, master, answer, 'jettons');
      }
    } catch {
      // Network errors are reported by callers that need the network; here they only leave gaps.
    }
    return current;
  }

  async #wallet(account: string, signal: AbortSignal | undefined): Promise<Answer<JettonWallet>> {
    const stack = await this.source.run(account, 'get_wallet_data', [], signal);
    const owner = addressIn(stack?.[1]);
    const master = addressIn(stack?.[2]);
    if (owner === undefined || master === undefined) {
      return { fact: undefined, text: 'does not report its owner with get_wallet_data' };
    }
    const question: StackValue = {
      type: 'slice',
      cell: beginCell().storeAddress(Address.parseRaw(owner)).endCell(),
    };
    const [confirmed] = (await this.source.run(master, 'get_wallet_address', [question], signal)) ?? [];
    return addressIn(confirmed) === account
      ? { fact: { owner, master }, text: 'owner and master from get_wallet_data, confirmed by the master' }
      : {
          fact: undefined,
          text: `names the master ${master}, which does not confirm it: its jettons are not the master's`,
        };
  }

  async #master(master: string, signal: AbortSignal | undefined): Promise<Answer<JettonFacts>> {
    const content = (await this.source.run(master, 'get_jetton_data', [], signal))?.[3];
    if (content === undefined || !('cell' in content)) {
      return { fact: undefined, text: 'does not describe its jetton with get_jetton_data' };
    }
    const { layout, attributes, isCut } = readTokenContent(content.cell);
    const symbol = visibleText(attributes.symbol ?? attributes.name ?? '', 24);
    if (symbol === '' && isCut === true) {
      const text = `keeps content of more than ${limits.tokenContent.most.toLocaleString('en-US')} ${limits.tokenContent.unit}, which is not read completely; amounts are in base units`;
      return { fact: undefined, text };
    }
    if (layout === 'offchain' || symbol === '') {
      const uri = visibleText(attributes.uri ?? '', 120);
      // Some keep only the rest of it elsewhere.
      const own = layout === 'offchain' ? undefined : attributes.decimals;
      if (own !== undefined && isScale(Number(own))) {
        const place = uri === '' ? '' : `: it is at ${uri}, which is not fetched automatically`;
        return {
          fact: { symbol: '', decimals: Number(own), unnamed: true },
          text: `has ${own} decimals from get_jetton_data, and no symbol there${place}`,
        };
      }
      const known =
        uri === ''
          ? 'has no symbol'
          : `keeps symbol and decimals at ${uri}, which is not fetched automatically`;
      return { fact: undefined, text: `${known}; amounts are in base units` };
    }
    const decimals = Number(attributes.decimals ?? usualDecimals);
    if (!isScale(decimals)) {
      return {
        fact: undefined,
        text: 'has an invalid number of decimals; amounts are in base units',
      };
    }
    return {
      fact: { symbol, decimals },
      text: `symbol ${symbol}, ${decimals} decimals from get_jetton_data, with on-chain content`,
    };
  }
}

function isScale(decimals: number): boolean {
  return Number.isInteger(decimals) && decimals >= 0 && decimals <= 255;
}

/** Accounts that behave like jetton wallets but whose owner or jetton is unknown. */
function walletsWithoutMaster(context: TraceContext): string[] {
  const found = new Set<string>();
  for (const node of context.model.nodes) {
    const { message, account } = node;
    const source = message?.source ?? undefined;
    if (message == null || message.bounced === true || account === undefined) {
      continue;
    }
    switch (context.opcode(message)) {
      case jettonOpcodes.transfer:
      case jettonOpcodes.burn:
        found.add(account);
        break;
      case jettonOpcodes.internalTransfer:
        found.add(account);
        if (source !== undefined && isSentByWallet(node, context)) {
          found.add(source);
        }
        break;
      default:
    }
  }
  return [...found].filter((account) => {
    const { owner, master } = context.jettonWallet(account) ?? {};
    return master === undefined || owner === undefined;
  });
}

/** Masters whose symbol or decimals the service does not report. */
function mastersWithoutFacts(context: TraceContext): string[] {
  const masters = new Set(
    context.model.accounts
      .map((account) => context.jettonWallet(account)?.master)
      .filter((master) => master !== undefined),
  );
  return [...masters].filter((master) => {
    const token = context.token(master, 'jetton_masters');
    const isToldByService = token?.symbol != null && token.symbol !== '' && token.extra?.decimals != null;
    return !isToldByService && context.knowledge.jettons?.has(master) !== true && !isTold(master, context);
  });
}

function isTold(account: string, { knowledge }: TraceContext): boolean {
  return knowledge.asked?.some((one) => one.account === account) === true;
}

function withAnswer<Key extends 'jettonWallets' | 'jettons'>(
  { model, knowledge }: TraceContext,
  account: string,
  { fact, text }: Answer<Key extends 'jettons' ? JettonFacts : JettonWallet>,
  key: Key,
): TraceContext {
  const known = new Map<string, unknown>(knowledge[key] ?? []);
  if (fact !== undefined) {
    known.set(account, fact);
  }
  const more = { [key]: known, asked: [...(knowledge.asked ?? []), { account, text }] } as TraceKnowledge;
  return new TraceContext(model, { ...knowledge, ...more });
}

async function kept<Fact>(
  memory: Map<string, Answer<Fact>>,
  account: string,
  ask: () => Promise<Answer<Fact>>,
): Promise<Answer<Fact>> {
  const known = memory.get(account);
  if (known !== undefined) {
    return known;
  }
  const answer = await ask();
  if (memory.size >= capacity) {
    memory.clear();
  }
  memory.set(account, answer);
  return answer;
}

function addressIn(value: StackValue | undefined): string | undefined {
  if (value === undefined || !('cell' in value)) {
    return undefined;
  }
  try {
    return value.cell.beginParse().loadMaybeAddress()?.toRawString();
  } catch {
    return undefined;
  }
}

/** Where answers of get-methods come from, for example a network (getMethods/getMethodSourceOf). */
export interface GetMethodSource {
  /** The method's result stack; undefined if it fails. Throws the network's errors. */
  run(
    address: string,
    method: string,
    stack: readonly StackValue[],
    signal: AbortSignal | undefined,
  ): Promise<readonly StackValue[] | undefined>;
}
