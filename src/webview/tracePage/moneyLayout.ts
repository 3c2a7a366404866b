import { sankey, sankeyJustify, sankeyLinkHorizontal } from 'd3-sankey';
import type { AssetFlows, MoneyFlow, MoneyParty } from '../../protocol/tracePage';

/** A party's bar. */
export interface MoneyBar {
  /** The party, or several that are too small for bars of their own. */
  parties: readonly MoneyParty[];
  x: number;
  y: number;
  width: number;
  height: number;
  /** Where its name stands: beside it, or, between others, above it. */
  label: 'left' | 'right' | 'above';
}

/** The band of a flow between two bars. */
export interface MoneyBand {
  flows: readonly MoneyFlow[];
  from: MoneyBar;
  to: MoneyBar;
  path: string;
  width: number;
}

/** Who paid whom: payers on the left, receivers and fees on the right. */
export interface MoneyLayout {
  bars: readonly MoneyBar[];
  bands: readonly MoneyBand[];
  width: number;
  height: number;
  /** Too many accounts paid each other: the bands are what they lost and gained in the end, not single payments. */
  isNet: boolean;
}

/** More payers have no picture that could be read, and one that would take seconds to lay out. */
const mostPayers = 40;
/** More parties would be lines instead of bars; the smallest receivers are then one bar. */
const mostBars = 10;
const barWidth = 12;
/** The room for names on both sides, and for the two lines of one. */
const margin = 140;
const barPadding = 32;

/** Narrow enough for a page beside the sidebar and the details. */
const leastWidth = 640;
/** Bars in the middle have their names above them. */
const columnPitch = 170;

interface BarDatum {
  parties: MoneyParty[];
}
interface BandDatum {
  source: number;
  target: number;
  value: number;
  flows: MoneyFlow[];
}

/** Bars and bands; the picture is as high as its names need. */
export function moneyLayout(asset: AssetFlows): MoneyLayout {
  const isNet = payersOf(asset).size > mostPayers;
  const { nodes, links } = isNet ? netted(asset) : gathered(asset);
  if (links.length === 0) {
    return { bars: [], bands: [], width: leastWidth, height: 0, isNet };
  }
  const width = Math.max(
    leastWidth,
    2 * margin + barWidth + (columnsOf(nodes.length, links) - 1) * columnPitch,
  );
  const height = Math.max(200, (nodes.length - 1) * (barPadding + 8));
  const made = sankey<BarDatum, BandDatum>()
    .nodeAlign(sankeyJustify)
    .nodeWidth(barWidth)
    .nodePadding(barPadding)
    .extent([
      [margin, 24],
      [width - margin, height - 16],
    ])({ nodes: nodes.map((node) => ({ ...node })), links: links.map((link) => ({ ...link })) });
  const bars = made.nodes.map((node): MoneyBar => {
    const { x0 = 0, x1 = 0, y0 = 0, y1 = 0, parties } = node;
    const isSource = (node.targetLinks?.length ?? 0) === 0;
    const isEnd = (node.sourceLinks?.length ?? 0) === 0;
    const label = isSource ? 'left' : isEnd ? 'right' : 'above';
    return { parties, x: x0, y: y0, width: x1 - x0, height: Math.max(1, y1 - y0), label };
  });
  const linePath = sankeyLinkHorizontal<BarDatum, BandDatum>();
  const bands = made.links.flatMap((link): MoneyBand[] => {
    const from = bars[placeOf(link.source)];
    const to = bars[placeOf(link.target)];
    return from === undefined || to === undefined
      ? []
      : [{ flows: link.flows, from, to, path: linePath(link) ?? '', width: Math.max(1, link.width ?? 1) }];
  });
  return { bars, bands, width, height, isNet };
}

/**
 * The largest parties with bars of their own. The others pay nothing but fees, so one bar for all of them makes no
 * circle; a party that passes money on keeps its bar.
 */
function gathered({ parties, flows }: AssetFlows): { nodes: BarDatum[]; links: BandDatum[] } {
  const isPayer = payersOf({ parties, flows });
  const receivers = parties
    .map((_, index) => index)
    .filter((index) => !isPayer.has(index) && parties[index]?.kind === 'account')
    .sort((a, b) => compare(BigInt(parties[b]?.change ?? 0), BigInt(parties[a]?.change ?? 0)));
  const kept = Math.max(1, mostBars - (parties.length - receivers.length));
  const others = new Set(receivers.length > kept ? receivers.slice(kept) : []);
  const nodes: BarDatum[] = [];
  const barOf = new Map<number, number>();
  let shared: number | undefined;
  parties.forEach((party, index) => {
    if (others.has(index) && shared !== undefined) {
      nodes[shared]?.parties.push(party);
      barOf.set(index, shared);
      return;
    }
    if (others.has(index)) {
      shared = nodes.length;
    }
    barOf.set(index, nodes.length);
    nodes.push({ parties: [party] });
  });
  const links = new Map<string, BandDatum>();
  for (const flow of flows) {
    const source = barOf.get(flow.from) ?? 0;
    const target = barOf.get(flow.to) ?? 0;
    const known = links.get(`${source} ${target}`);
    if (known === undefined) {
      // Only for the picture's proportions: texts have the exact amounts.
      links.set(`${source} ${target}`, { source, target, value: Number(flow.amount), flows: [flow] });
    } else {
      known.value += Number(flow.amount);
      known.flows.push(flow);
    }
  }
  const used = new Set([...links.values()].flatMap(({ source, target }) => [source, target]));
  const places = new Map([...used].sort((a, b) => a - b).map((old, index) => [old, index]));
  return {
    nodes: nodes.filter((_, index) => used.has(index)),
    links: [...links.values()].map((link) => ({
      ...link,
      source: places.get(link.source) ?? 0,
      target: places.get(link.target) ?? 0,
    })),
  };
}

/** Those who paid accounts, not just fees. */
function payersOf({ parties, flows }: Pick<AssetFlows, 'parties' | 'flows'>): Set<number> {
  return new Set(flows.filter(({ to }) => parties[to]?.kind === 'account').map(({ from }) => from));
}

/** Who lost, paid to who gained, the largest with bars of their own. The sums are exact. */
function netted({ parties }: AssetFlows): { nodes: BarDatum[]; links: BandDatum[] } {
  const nodes: BarDatum[] = [];
  const links: BandDatum[] = [];
  const side = (sign: bigint): { bar: number; left: bigint }[] => {
    const sizes = parties
      .map((party) => ({ party, size: BigInt(party.change) * sign }))
      .filter(({ size }) => size > 0n)
      .sort((a, b) => compare(b.size, a.size));
    const own = sizes.filter(({ party }, place) => party.kind !== 'account' || place < mostBars / 2);
    const others = sizes.filter(({ party }, place) => party.kind === 'account' && place >= mostBars / 2);
    return [...own.map((one) => [one]), ...(others.length === 0 ? [] : [others])].map((group) => ({
      bar: nodes.push({ parties: group.map(({ party }) => party) }) - 1,
      left: group.reduce((sum, { size }) => sum + size, 0n),
    }));
  };
  const [payers, receivers] = [side(-1n), side(1n)];
  for (const payer of payers) {
    for (const receiver of receivers) {
      const amount = payer.left < receiver.left ? payer.left : receiver.left;
      if (amount > 0n) {
        payer.left -= amount;
        receiver.left -= amount;
        links.push({ source: payer.bar, target: receiver.bar, value: Number(amount), flows: [] });
      }
    }
  }
  return { nodes, links };
}

/** The bars of the longest way from a payer to a receiver. There are no circles: round trips are canceled. */
function columnsOf(count: number, links: readonly BandDatum[]): number {
  const columns = new Array<number>(count).fill(1);
  const waiting = new Array<number>(count).fill(0);
  const from = new Map<number, BandDatum[]>();
  for (const link of links) {
    waiting[link.target]! += 1;
    const known = from.get(link.source);
    if (known === undefined) {
      from.set(link.source, [link]);
    } else {
      known.push(link);
    }
  }
  const ready = [...columns.keys()].filter((bar) => waiting[bar] === 0);
  for (let bar = ready.pop(); bar !== undefined; bar = ready.pop()) {
    for (const { target } of from.get(bar) ?? []) {
      columns[target] = Math.max(columns[target]!, columns[bar]! + 1);
      if (--waiting[target]! === 0) {
        ready.push(target);
      }
    }
  }
  return columns.reduce((most, column) => Math.max(most, column), 1);
}

/** d3-sankey replaces the numbers of a link's ends by the nodes themselves. */
function placeOf(end: number | string | { index?: number | undefined }): number {
  return typeof end === 'object' ? (end.index ?? -1) : Number(end);
}

function compare(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
