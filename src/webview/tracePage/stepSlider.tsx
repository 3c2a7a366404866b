import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageAnswer, PageStep } from '../../protocol/tracePage';
import { formatInteger } from '../../protocol/tracePage';
import { tellHost } from './host';
import type { AskedOrigin } from './originHops';
import { OriginHops, askedOf } from './originHops';
import { unbroken } from './pageText';

/** Why there are none. */
export interface NoStep {
  node: number;
  reason: string;
}

interface StepSliderProperties {
  node: number;
  /** What the editor has sent last. */
  step: PageStep | NoStep | undefined;
  /** Where a value comes from that was asked about last. */
  origin: PageAnswer | AskedOrigin | undefined;
  onAsk: (question: string, step: number) => void;
}

/**
 * The steps of a transaction: a slider, the lines that ran around the step that it is at, and the values there. The
 * transaction runs again when the user asks for it, not before.
 */
export function StepSlider({ node, step, origin, onAsk }: StepSliderProperties): JSX.Element {
  /** The step that was asked for last, until it is there: while the user drags, only the newest one is asked for next. */
  const [wanted, setWanted] = useState<number | 'first'>();
  /** The same, for the effect: a key may be pressed between an answer and the effect that it has. */
  const newest = useRef<number | 'first'>(undefined);
  const asked = useRef<number | 'first'>(undefined);
  const slider = useRef<HTMLInputElement>(null);
  const known = step !== undefined && 'step' in step ? step : undefined;
  const ask = (next: number | 'first'): void => {
    asked.current = next;
    tellHost({ type: 'step', node, ...(next === 'first' ? {} : { step: next }) });
  };
  const move = (next: number | 'first'): void => {
    newest.current = next;
    setWanted(next);
    if (asked.current === undefined) {
      ask(next);
    }
  };
  useEffect(() => {
    const answered = asked.current;
    asked.current = undefined;
    if (answered === 'first') {
      slider.current?.focus();
    }
    const { current } = newest;
    if (current !== undefined && current !== answered && answered !== undefined) {
      ask(current);
    } else {
      newest.current = undefined;
      setWanted(undefined);
    }
  }, [step]);

  if (known === undefined) {
    return (
      <section class="steps">
        <button type="button" disabled={wanted !== undefined} onClick={() => move('first')}>
          {wanted === undefined ? 'Step Through' : 'Running it again…'}
        </button>
        {step !== undefined && wanted === undefined ? (
          <p class="problem" role="status">
            {(step as NoStep).reason}
          </p>
        ) : null}
      </section>
    );
  }
  const at = typeof wanted === 'number' ? wanted : known.step;
  const open = (place: 'source' | 'debugger'): void =>
    tellHost({ type: 'openStep', node, step: known.step, in: place });
  return (
    <section class="steps">
      <h3>
        <label for="step">{unbroken(`Step ${formatInteger(at)} of ${formatInteger(known.last)}`)}</label>
      </h3>
      <input
        ref={slider}
        id="step"
        type="range"
        min={known.first}
        max={known.last}
        value={at}
        aria-valuetext={`${at} of ${known.last}, ${[known.place, known.instruction].filter(Boolean).join(', ')}`}
        onInput={(event) => move(Number(event.currentTarget.value))}
      />
      <p class="commands">
        <span class="facts">{known.instruction === '' ? 'a step of the VM itself' : known.instruction}</span>
        {known.place === '' ? null : (
          <button type="button" onClick={() => open('source')}>
            {known.place}
          </button>
        )}
        <button type="button" onClick={() => open('debugger')}>
          Debug Here
        </button>
      </p>
      {known.failure === '' ? null : <p class="failed">{known.failure}</p>}
      <ol class="lines">
        {known.lines.map(({ step: first, place, text, isHere }) => (
          <li key={first} aria-current={isHere ? 'step' : undefined}>
            <button type="button" title={`${place} ${text}`.trim()} onClick={() => move(first)}>
              <span class="number">{place.slice(place.lastIndexOf(':') + 1)}</span>
              <code>{text === '' ? '(the VM itself)' : text}</code>
            </button>
          </li>
        ))}
      </ol>
      <h3>
        {known.isStack
          ? 'Stack before it'
          : `Values before it${known.function === '' ? '' : `, in ${known.function}`}`}
      </h3>
      {known.values.length === 0 ? <p class="facts">None is known here.</p> : null}
      <dl>
        {known.values.map(({ name, text, expression }) => (
          <Value
            key={name}
            {...{ name, text }}
            onAsk={() => onAsk(expression, known.step)}
            origin={askedOf(origin, expression, known.step)}
          />
        ))}
      </dl>
      {known.more === '' ? null : <p class="facts">{`and ${known.more}: Debug Here shows all`}</p>}
    </section>
  );
}

interface ValueProperties {
  name: string;
  text: string;
  origin: PageAnswer | AskedOrigin | undefined;
  onAsk: () => void;
  /** Of its text. */
  tone?: string | undefined;
}

/** A value that can be asked about: a click shows below it where it comes from. */
export function Value({ name, text, origin, onAsk, tone = '' }: ValueProperties): JSX.Element {
  return (
    <>
      <Term name={name} />
      <dd class={tone}>
        <button
          type="button"
          class="link value"
          title={`Where does ${name} come from?`}
          aria-expanded={origin !== undefined}
          onClick={onAsk}
        >
          {unbroken(text)}
        </button>
      </dd>
      {origin === undefined ? null : <OriginHops origin={origin} />}
    </>
  );
}

/** A name in a list of values; a long one is broken behind an underscore or a dot. */
export function Term({ name }: { name: string }): JSX.Element {
  return (
    <dt>
      {name.split(/(?<=[_.])/).map((part, index) => (
        <span key={index}>
          {part}
          <wbr />
        </span>
      ))}
    </dt>
  );
}
