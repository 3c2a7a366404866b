import type { DebugControl, Position } from '../debugControl';
import type { AnyQuestion, QueryAnswer, QueryHit } from './queryPrograms';
import { queryPrograms } from './queryPrograms';

/** A hit, and where a session goes to be there. */
export interface SessionHit extends QueryHit {
  position: Position;
}

/** What the executions of a session answer. */
export interface SessionAnswer extends Omit<QueryAnswer, 'hits'> {
  hits: readonly SessionHit[];
  /** Executions that were not asked, because they are not recorded yet. */
  left: number;
}

/** How much of a session is asked. */
export interface SessionBounds {
  /** Hits that are told; all are counted. */
  most: number;
  /** Only the executions that are recorded: it is answered at once, without a request to a network. */
  isRecordedOnly: boolean;
}

/**
 * Asks all executions of a debug session. What is recorded meanwhile is kept for the session.
 *
 * @throws WorkbenchError as `queryPrograms`
 */
export async function askSession(
  control: DebugControl,
  question: AnyQuestion,
  { most, isRecordedOnly }: SessionBounds,
  signal: AbortSignal,
): Promise<SessionAnswer> {
  const { program } = control;
  const own = program.threads.flatMap((thread, index) => {
    const isSecond =
      thread.hash !== undefined && program.threads.findIndex(({ hash }) => hash === thread.hash) < index;
    return control.isOwn(index) && !isSecond ? [{ thread, index }] : [];
  });
  const asked = own.filter(({ index }) => !isRecordedOnly || control.isLoaded(index));
  const threads = asked.map(({ thread, index }) => ({
    ...thread,
    // Of an execution without code there is no view, and nothing to record.
    load: async (one: AbortSignal) => (await control.load(index, one))?.run ?? thread.load(one),
  }));
  const answer = await queryPrograms(
    [{ ...program, threads }],
    question,
    { most, isOnlyFirst: false },
    signal,
  );
  return {
    ...answer,
    hits: answer.hits.map((hit) => {
      const thread = asked[hit.execution]?.index ?? 0;
      const missing = control.known(thread)?.recording.stepsMissing ?? 0;
      return { ...hit, position: { thread, step: hit.step - 1 - missing } };
    }),
    left: own.length - asked.length,
  };
}
