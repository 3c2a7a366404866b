import { formatChange } from '../trace/figures';
import type { TraceContext } from '../trace/traceContext';
import { moneyFlows } from './moneyFlows';
import type { PageAccounts } from './pageNodes';
import type { AssetFlows, ComparedParty, MoneyParty } from './tracePage';

/** One side of a comparison. */
export interface ComparedSide {
  /** `the rehearsal`, `what happened`: what the side is called in a sentence. */
  name: string;
  context: TraceContext;
}

/**
 * The money of two traces: of each asset a picture of the left and one of the right trace, both with what every party
 * gained or lost in either; or only one picture if they are alike.
 */
export function comparedMoney(left: ComparedSide, right: ComparedSide, accounts: PageAccounts): AssetFlows[] {
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
