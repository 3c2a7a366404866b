import { toWorkbenchError } from '../base/errors';
import { visibleText } from '../base/text';
import type { Clock } from '../base/time';

/** A value that a form asks for, as it is filled in. */
export interface FormValue {
  name: string;
  /** `uint32` */
  type: string;
  text: string;
  /** Why the text is invalid; undefined if it is valid. */
  problem: string | undefined;
  /** What is known about the value besides its type: `999 999 TON, signs`. */
  note?: string | undefined;
}

/** What would come of the values. `checking`: that is being found out. `unknown`: it cannot be found out. */
export interface FormVerdict {
  state: 'checking' | 'fine' | 'fails' | 'unknown';
  /** Part of a sentence: `would fail: ERR_OVER_LIMIT`; empty: nothing to say. */
  text: string;
}

/** The last row of a form. */
export interface FormAction {
  /** `Rehearse and Send` */
  label: string;
  /** A codicon's name. */
  icon: string;
  /** The label while the verdict is that it fails. */
  anyway?: string | undefined;
}

/** A row as a list shows it; read aloud, it is label and description. */
export interface FormRow {
  /** A codicon's name. The words say the same. */
  icon: string;
  label: string;
  description: string;
}

/** Maximum characters of a value in its row; the whole is in its box. */
const mostShown = 60;

const symbols: Readonly<Record<FormVerdict['state'], string>> = {
  checking: '◌',
  fine: '✓',
  fails: '✗',
  unknown: '?',
};

/** The row of a value: `amount: 6ton`, `coins`. */
export function valueRow({ name, type, text, problem, note }: FormValue): FormRow {
  const state = problem === undefined ? note : text === '' ? 'to be filled in' : problem;
  const icon = problem === undefined ? 'blank' : text === '' ? 'circle-outline' : 'error';
  return {
    icon,
    label: `${plain(name)}: ${plain(text, mostShown)}`,
    description: [type, ...(state === undefined ? [] : [state])].map((part) => plain(part)).join(', '),
  };
}

/** The last row: what Enter does there, and what would come of it, or what is missing. */
export function actionRow(
  { label, icon, anyway }: FormAction,
  values: readonly FormValue[],
  verdict: FormVerdict | undefined,
): FormRow {
  const missing = values[nextToFill(values)];
  if (missing !== undefined) {
    const verb = missing.text === '' ? 'fill in' : 'correct';
    return { icon, label, description: plain(`${verb} ${missing.name} first`) };
  }
  const isFailing = verdict?.state === 'fails' && anyway !== undefined;
  return {
    icon: isFailing ? 'warning' : icon,
    label: isFailing ? anyway : label,
    description:
      verdict === undefined || verdict.text === '' ? '' : plain(`${symbols[verdict.state]} ${verdict.text}`),
  };
}

/** The place of the first value that is missing or invalid; that of the last row if there is none. */
export function nextToFill(values: readonly FormValue[]): number {
  const place = values.findIndex(({ problem }) => problem !== undefined);
  return place < 0 ? values.length : place;
}

/** Text of sources and contracts has no icons and no control characters. */
function plain(text: string, maximum?: number): string {
  return visibleText(text, maximum).replaceAll('$(', String.raw`\$(`);
}

/** What a live verdict needs. */
interface LiveVerdictParameters {
  /** Finds out what would come of what is filled in now; nothing of it may happen. */
  ask: (signal: AbortSignal) => Promise<FormVerdict>;
  onChange: () => void;
  clock: Clock;
  /** What is said meanwhile: `rehearsing`. */
  checking: string;
}

/** Milliseconds without a change before it asks. */
const quietMs = 200;

/**
 * The verdict on what is being filled in: asked for anew, after a moment's quiet, whenever that changes. A question
 * that is no longer of interest is canceled, and its answer is not shown.
 */
export class LiveVerdict {
  readonly #parameters: LiveVerdictParameters;
  #current: FormVerdict | undefined;
  #cancel: (() => void) | undefined;

  constructor(parameters: LiveVerdictParameters) {
    this.#parameters = parameters;
  }

  /** Undefined if nothing was asked. */
  current(): FormVerdict | undefined {
    return this.#current;
  }

  /** What is filled in has changed. */
  renew(): void {
    this.stop();
    const { clock, checking } = this.#parameters;
    const ends = new AbortController();
    this.#show({ state: 'checking', text: checking });
    const cancelTimer = clock.after(quietMs, () => {
      void this.#ask(ends.signal);
    });
    this.#cancel = () => {
      cancelTimer();
      ends.abort();
    };
  }

  /** Nobody waits for it any more, or what is filled in is invalid. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#current = undefined;
  }

  async #ask(signal: AbortSignal): Promise<void> {
    let verdict: FormVerdict;
    try {
      verdict = await this.#parameters.ask(signal);
    } catch (error) {
      verdict = { state: 'unknown', text: toWorkbenchError(error).message };
    }
    if (!signal.aborted) {
      this.#show(verdict);
    }
  }

  #show(verdict: FormVerdict): void {
    this.#current = verdict;
    this.#parameters.onChange();
  }
}
