import type { JSX } from 'preact';
import type { PageHop, PageAnswer } from '../../protocol/tracePage';
import { tellHost } from './host';
import { unbroken } from './pageText';

/** A question whose answer has not come yet. */
export type AskedOrigin = Omit<PageAnswer, 'hops'>;

/** The answer that a value has, or waits for; undefined if another one was asked about last. */
export function askedOf(
  origin: PageAnswer | AskedOrigin | undefined,
  question: string | undefined,
  step?: number,
): PageAnswer | AskedOrigin | undefined {
  return question !== undefined && origin?.question === question && origin.step === step ? origin : undefined;
}

/** Where a value comes from: its hops, the newest first. A click on one puts the debugger there. */
export function OriginHops({ origin }: { origin: PageAnswer | AskedOrigin }): JSX.Element {
  const { node } = origin;
  return (
    <dd class="origin">
      {'hops' in origin ? (
        <ol aria-label="Where it comes from, the newest first">
          {origin.hops.map((hop, index) => (
            <Hop key={index} {...{ hop, node }} />
          ))}
        </ol>
      ) : (
        <span role="status">Following it back…</span>
      )}
    </dd>
  );
}

function Hop({ hop, node }: { hop: PageHop; node: number }): JSX.Element {
  const { words, place, depth, isFirst, isUnknown, at } = hop;
  const text = unbroken(words);
  return (
    <li style={{ marginInlineStart: `${Math.min(depth, 4)}em` }} class={isUnknown ? 'unknown' : ''}>
      <span aria-hidden="true">{isFirst ? '●' : '←'}</span>
      <div>
        {at === undefined ? (
          text
        ) : (
          <button
            type="button"
            class="link"
            title={`Debug at ${place}`}
            onClick={() => tellHost({ type: 'openHop', node, ...at })}
          >
            {text}
          </button>
        )}
        {place === '' ? null : <span class="place">{unbroken(place)}</span>}
      </div>
    </li>
  );
}
