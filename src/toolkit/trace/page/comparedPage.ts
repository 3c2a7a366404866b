import type { ComparedNode } from '../compareTraces';
import { compareTraces, withSameLetters } from '../compareTraces';
import type { TraceModel } from '../traceModel';
import { counted, feeText, formatChange, formatInteger, traceFees } from '../figures';
import type { TraceContext } from '../traceContext';
import { headline } from '../traceText';
import { moneyFlows } from './moneyFlows';
import { PageAccounts, PageBlocks, pageNode } from './makeTracePage';
import type {
  AssetFlows,
  ComparedParty,
  MoneyParty,
  NodeDifference,
  PageCommand,
  PageNode,
  TracePage,
} from './tracePage';

/** What {@link comparedPage} is told about the comparison. */
export interface ComparisonOrigin {
  key: string;
  commands: readonly PageCommand[];
}

/** The page of two traces. */
export interface ComparedPage {
  page: TracePage;
  /** The transactions that its nodes stand for, in the same order. */
  pairs: ComparedNode[];
  /** Both with the letters of the page. */
  contexts: { left: TraceContext; right: TraceContext };
}

/**
 * Two traces in one tree: each transaction with its partner in the other trace, as the right one has it, marked with
 * what differs. The money is that of both.
 */
export function comparedPage(
  { name, context }: ComparedSide,
  { name: otherName, context: otherContext }: ComparedSide,
  origin: ComparisonOrigin,
): ComparedPage {
  const [ofLeft, ofRight] = withSameLetters(context, otherContext);
  const left = { name, context: ofLeft };
  const right = { name: otherName, context: ofRight };
  const pairs = compareTraces(ofLeft, ofRight);
  // The right trace's money refers to the first accounts.
  const accounts = new PageAccounts([right.context, left.context]);
  const blocks = new PageBlocks();
  const path: number[] = [];
  const nodes = pairs.flatMap((pair, index): PageNode[] => {
    const { depth, right: after, left: before } = pair;
    const node = after ?? before;
    path.length = depth;
    path.push(index);
    if (node === undefined) {
      return [];
    }
    const { context } = after === undefined ? left : right;
    const shown = pageNode(node, context, accounts, blocks);
    return [{ ...shown, parent: path[depth - 1] ?? -1, difference: differenceOf(pair, left, right) }];
  });
  const page = pageOf(nodes, { left, right, accounts, blocks, origin });
  return { page, pairs, contexts: { left: ofLeft, right: ofRight } };
}

interface Whole {
  left: ComparedSide;
  right: ComparedSide;
  accounts: PageAccounts;
  blocks: PageBlocks;
  origin: ComparisonOrigin;
}

function pageOf(nodes: PageNode[], { left, right, accounts, blocks, origin }: Whole): TracePage {
  const first = nodes.findIndex(({ difference }) => difference?.kind !== 'same');
  const side = ({ name, context }: ComparedSide): string => `In ${name}: ${headline(context)}`;
  return {
    key: origin.key,
    headline: `${side(left)}; ${side(right)}`,
    facts: [side(left), side(right), ...sumsText(left, right)].join('. '),
    verdict: {
      symbol: first === -1 ? '=' : '≠',
      text: verdictText(nodes, left, right),
      isFailed: false,
      node: first,
    },
    kind: 'comparison',
    sides: [left.name, right.name],
    isPending: false,
    coin: right.context.coin,
    problems: [...left.context.model.problems, ...right.context.model.problems].map(({ text }) => text),
    accounts: accounts.list,
    blocks: blocks.list,
    nodes,
    money: comparedMoney(left, right, accounts),
    commands: [...origin.commands],
  };
}

/** `2 of 5 transactions changed, 1 was added`. */
function verdictText(nodes: readonly PageNode[], left: ComparedSide, right: ComparedSide): string {
  const count = (kind: NodeDifference['kind']): number =>
    nodes.filter(({ difference }) => difference?.kind === kind).length;
  const [changed, added, missing] = [count('changed'), count('added'), count('missing')];
  if (changed + added + missing === 0) {
    return `Both are alike: ${counted(nodes.length, 'transaction')}.`;
  }
  const parts = [
    ...(changed === 0
      ? []
      : [`${formatInteger(changed)} of ${counted(nodes.length, 'transaction')} changed`]),
    ...(added === 0 ? [] : [`${formatInteger(added)} only in ${right.name}`]),
    ...(missing === 0 ? [] : [`${formatInteger(missing)} only in ${left.name}`]),
  ];
  return `${parts.join(', ')}.`;
}

/** Gas and fees of both, where they differ. */
function sumsText({ context: left }: ComparedSide, { context: right }: ComparedSide): string[] {
  const gas = [left, right].map(({ model }) => formatInteger(gasIn(model)));
  const fees = [left, right].map(({ model }) => feeText(traceFees(model)));
  return [
    ...(gas[0] === gas[1] ? [] : [`gas ${gas[0]} → ${gas[1]}`]),
    ...(fees[0] === fees[1] ? [] : [`fees ${fees[0]} → ${fees[1]} ${right.coin}`]),
  ];
}

function gasIn({ nodes }: TraceModel): bigint {
  return nodes.reduce(
    (sum, { transaction }) => sum + (transaction?.description?.compute_ph?.gas_used ?? 0n),
    0n,
  );
}

function differenceOf(
  { left: before, right: after, differences: changes }: ComparedNode,
  left: ComparedSide,
  right: ComparedSide,
): NodeDifference {
  if (before === undefined || after === undefined) {
    return before === undefined
      ? { kind: 'added', words: `only in ${right.name}`, changes }
      : { kind: 'missing', words: `only in ${left.name}`, changes };
  }
  return changes.length === 0
    ? { kind: 'same', words: 'the same in both', changes }
    : { kind: 'changed', words: '', changes };
}

/** One side of a comparison. */
interface ComparedSide {
  /** `the rehearsal`, `what happened`: what the side is called in a sentence. */
  name: string;
  context: TraceContext;
}

/**
 * The money of two traces: of each asset a picture of the left and one of the right trace, both with what every party
 * gained or lost in either; or only one picture if they are alike.
 */
function comparedMoney(left: ComparedSide, right: ComparedSide, accounts: PageAccounts): AssetFlows[] {
  const [ofLeft, ofRight] = [left, right].map((side) => assetsOf(side, accounts)) as [Assets, Assets];
  return [...new Set([...ofLeft.keys(), ...ofRight.keys()])].flatMap((key): AssetFlows[] => {
    const [one, other] = [ofLeft.get(key), ofRight.get(key)];
    if (one !== undefined && JSON.stringify(one) === JSON.stringify(other)) {
      return [{ ...one, title: `${one.title}, the same in both` }];
    }
    const compared = comparedParties(one, other);
    const titled = (asset: AssetFlows | undefined, { name }: ComparedSide): AssetFlows[] =>
      asset === undefined ? [] : [{ ...asset, title: `${asset.title}, ${name}`, compared }];
    return [...titled(one, left), ...titled(other, right)];
  });
}

type Assets = ReadonlyMap<string, AssetFlows>;

/** By title; several of one title are told apart by their order. */
function assetsOf({ context }: ComparedSide, accounts: PageAccounts): Assets {
  const seen = new Map<string, number>();
  return new Map(
    moneyFlows(context).map((asset) => {
      const count = seen.get(asset.title) ?? 0;
      seen.set(asset.title, count + 1);
      const parties = asset.parties.map((party) => ({
        ...party,
        account: party.account < 0 ? -1 : accounts.indexOf(context.model.accounts[party.account], context),
      }));
      return [`${count} ${asset.title}`, { ...asset, parties }];
    }),
  );
}

function comparedParties(left: AssetFlows | undefined, right: AssetFlows | undefined): ComparedParty[] {
  const decimals = (right ?? left)?.unit.decimals ?? 0;
  const text = (change: bigint): string => formatChange(change, decimals);
  const [from, to] = [left, right].map(
    (asset) => new Map((asset?.parties ?? []).map((party) => [keyOf(party), party])),
  ) as [Map<string, MoneyParty>, Map<string, MoneyParty>];
  // As the right trace lists them; what only the left one has comes last.
  return [...new Map([...to, ...from])].map(([key, party]) => {
    const [before, after] = [from.get(key), to.get(key)].map((one) => BigInt(one?.change ?? 0));
    const [one, other] = [before ?? 0n, after ?? 0n];
    return {
      name: party.name,
      account: party.account,
      texts: [text(one), text(other), text(other - one)],
    };
  });
}

function keyOf({ kind, account, name }: MoneyParty): string {
  return `${kind} ${account < 0 ? name : account}`;
}
