import { fileName } from '../../base/text';
import type { DebugControl } from '../debugControl';

/** A question that can be asked where a session has stopped. */
export interface SuggestedQuestion {
  /** As `readQuestion` reads it. */
  text: string;
  /** What it answers, in words. */
  words: string;
}

/** Questions about the line, the function, and the contract's data where a session has stopped, then all messages. */
export function suggestQuestions({ view, shownStep }: DebugControl): SuggestedQuestion[] {
  const place = view?.placeOf(shownStep);
  const around = view?.calls.list[view.calls.at[shownStep] ?? -1]?.name;
  const data = view?.run.registers?.before(shownStep)?.c4;
  const fields = (data && view?.run.readStorage(data)?.fields) ?? [];
  return [
    ...(place?.file === undefined
      ? []
      : [{ text: `line ${fileName(place.file)}:${place.line}`, words: 'all runs of this line' }]),
    ...(around === undefined
      ? []
      : [{ text: `calls ${around}`, words: 'all calls, with arguments and results' }]),
    ...fields.map(({ name }) => ({ text: `writes c4.${name}`, words: 'all writes, before and after' })),
    { text: 'sends', words: 'all messages that were sent' },
  ];
}
