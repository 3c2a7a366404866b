import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { formatChange, formatInteger } from '../../protocol/tracePage';
import type { AssetFlows, MoneyParty, TracePage } from '../../protocol/tracePage';
import { moneyLayout } from './moneyLayout';
import type { MoneyBand, MoneyBar, MoneyLayout } from './moneyLayout';
import { shorten } from './pageText';
import type { Region } from './flowLayout';
import type { PictureProperties } from './pageText';
import { Stage } from './stage';

/** Who paid whom, per asset, round trips canceled; below it what each party gained and lost. */
export function MoneyView(
  properties: Pick<PictureProperties, 'page' | 'selected' | 'camera' | 'onCamera' | 'handle'> & {
    onAccount: (account: string) => void;
  },
): JSX.Element {
  const { page, selected } = properties;
  const [chosen, setChosen] = useState(0);
  const asset = page.money[Math.min(chosen, page.money.length - 1)];
  const layout = useMemo(() => (asset === undefined ? undefined : moneyLayout(asset)), [asset]);
  const small = useMemo(() => (layout === undefined ? undefined : <Outline layout={layout} />), [layout]);
  if (asset === undefined || layout === undefined) {
    return <p class="empty">No money moved in this trace.</p>;
  }
  const account = page.nodes[selected]?.account ?? -1;
  const onAccount = (index: number): void => properties.onAccount(page.accounts[index]?.account ?? '');
  return (
    <div class="money">
      {page.money.length > 1 ? (
        <div class="assets" role="group" aria-label="Asset">
          {page.money.map(({ title }, index) => (
            <button
              key={title}
              type="button"
              aria-pressed={page.money[index] === asset}
              onClick={() => setChosen(index)}
            >
              {title}
            </button>
          ))}
        </div>
      ) : null}
      {layout.bands.length === 0 ? (
        <p class="empty">No {asset.title} passed from one account to another.</p>
      ) : (
        <Stage
          label={`Who paid whom, in ${asset.title}`}
          role="group"
          activeId={undefined}
          picture={layout}
          pictureKey={`money ${page.key} ${asset.title}`}
          kept={properties.camera}
          onCamera={properties.onCamera}
          reveal={placeOf(layout, account)}
          handle={properties.handle}
          small={small}
        >
          {() => <MoneyParts {...{ layout, asset, account, onAccount }} />}
        </Stage>
      )}
      <Balances {...{ asset, account, onAccount }} sides={page.sides} />
    </div>
  );
}

/** The bands without names, for the minimap. */
function Outline({ layout: { bands, bars } }: { layout: MoneyLayout }): JSX.Element {
  return (
    <g class="sankey" aria-hidden="true">
      {bands.map((band) => (
        <path key={band.path} class={bandClass(band)} d={band.path} stroke-width={band.width} />
      ))}
      {bars.map(({ x, y, width, height, parties }) => (
        <g key={`${x} ${y}`} class={`bar ${parties[0]?.kind ?? ''}`}>
          <rect {...{ x, y, width, height }} />
        </g>
      ))}
    </g>
  );
}

/** The bar of the account, else the first payer's, with the room for its name. */
function placeOf({ bars }: MoneyLayout, account: number): Region | undefined {
  const own = bars.find(({ parties }) => parties.some((party) => party.account === account && account >= 0));
  const bar = own ?? bars.find(({ label }) => label === 'left');
  return (
    bar && {
      left: bar.x - (bar.label === 'left' ? 140 : 8),
      right: bar.x + bar.width + (bar.label === 'left' ? 8 : 140),
      top: bar.y - 32,
      bottom: bar.y + Math.min(bar.height, 60) + 16,
    }
  );
}

interface Parts {
  layout: MoneyLayout;
  asset: AssetFlows;
  /** The selected one. */
  account: number;
  onAccount?: (account: number) => void;
}

/** Bands and bars; also the exported picture. */
export function MoneyParts({ layout, asset, account, onAccount }: Parts): JSX.Element {
  return (
    <g class="sankey">
      {layout.isNet ? (
        <text class="value" x={0} y={2}>
          Too many accounts for each payment: what they lost and gained in the end.
        </text>
      ) : null}
      {layout.bands.map((band) => (
        <path key={band.path} class={bandClass(band)} d={band.path} stroke-width={band.width}>
          <title>{bandText(band, asset)}</title>
        </path>
      ))}
      {layout.bars.map((bar) => {
        const [party] = bar.parties;
        const isOwn = bar.parties.some((one) => one.account >= 0 && one.account === account);
        return (
          <g
            key={`${bar.x} ${bar.y}`}
            class={`bar ${party?.kind ?? ''}${isOwn ? ' selected' : ''}`}
            onClick={() =>
              bar.parties.length === 1 && party !== undefined ? onAccount?.(party.account) : undefined
            }
          >
            <rect x={bar.x} y={bar.y} width={bar.width} height={bar.height} />
            <text class={bar.label} {...labelOf(bar, 0)}>
              {shorten(barName(bar), 24)}
            </text>
            <text class={`value ${bar.label}`} {...labelOf(bar, 1)}>
              {barChange(bar, asset)}
            </text>
            <title>{bar.parties.slice(0, 20).map(partyText).join('\n')}</title>
          </g>
        );
      })}
    </g>
  );
}

/** Where a line of a bar's name begins, or on its left ends. */
function labelOf({ x, y, width, height, label }: MoneyBar, line: 0 | 1): { x: number; y: number } {
  const below = line * 13;
  switch (label) {
    case 'left':
      return { x: x - 8, y: y + height / 2 - 1 + below };
    case 'right':
      return { x: x + width + 8, y: y + height / 2 - 1 + below };
    case 'above':
      return { x, y: y - 18 + below };
  }
}

function bandClass({ to }: MoneyBand): string {
  return `flow-band ${to.parties[0]?.kind ?? ''}`;
}

function barName({ parties }: MoneyBar): string {
  return parties.length === 1 ? (parties[0]?.name ?? '') : `${formatInteger(parties.length)} more accounts`;
}

/** What a bar's parties gained or lost together. */
function barChange({ parties }: MoneyBar, { unit }: AssetFlows): string {
  if (parties.length === 1) {
    return parties[0]?.text ?? '';
  }
  const sum = parties.reduce((total, { change }) => total + BigInt(change), 0n);
  return `${formatChange(sum, unit.decimals)} ${unit.name}`;
}

function partyText({ name, text }: MoneyParty): string {
  return `${name}: ${text}`;
}

function bandText({ flows }: MoneyBand, { parties }: AssetFlows): string {
  return flows
    .slice(0, 20)
    .map(({ from, to, text }) => `${parties[from]?.name ?? ''} → ${parties[to]?.name ?? ''}: ${text}`)
    .join('\n');
}

/** Every party's gain or loss as a table: exact, and for screen readers. In a comparison, in both traces. */
function Balances({
  asset: { title, unit, parties, compared, unknown },
  account,
  onAccount,
  sides,
}: {
  asset: AssetFlows;
  account: number;
  onAccount: (account: number) => void;
  sides: TracePage['sides'];
}): JSX.Element {
  const rows = compared ?? parties.map((party) => ({ ...party, texts: [party.text] }));
  return (
    <div class="balances" tabIndex={0} role="region" aria-label={`Balance changes in ${title}`}>
      <table>
        {compared === undefined || sides === undefined ? null : (
          <thead>
            <tr>
              {[`${unit.name} gained or lost in`, ...sides, 'difference'].map((text, column) => (
                <th key={column} scope="col" class={column === 0 ? '' : 'number'}>
                  {text}
                </th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.slice(0, mostBalances).map((party) => (
            <tr
              key={`${party.account} ${party.name}`}
              class={party.account >= 0 && party.account === account ? 'selected' : ''}
            >
              <th scope="row">
                {party.account < 0 ? (
                  party.name
                ) : (
                  <button type="button" class="link" onClick={() => onAccount(party.account)}>
                    {party.name}
                  </button>
                )}
              </th>
              {party.texts.map((text, column) => (
                <td key={column} class="number">
                  {text}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > mostBalances ? (
        <p class="facts">{`and ${rows.length - mostBalances} more; the text and the table have all.`}</p>
      ) : null}
      {unknown.map((text) => (
        <p key={text} class="problem">
          {text}
        </p>
      ))}
    </div>
  );
}

const mostBalances = 200;
