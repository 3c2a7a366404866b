import type { Command } from 'commander';
import type { DebugProgram } from '../toolkit/debug/debugProgram';
import type { NetworkOptions } from './networkOptions';
import { addNetworkOptions } from './networkOptions';
import { addJsonOptions, addSourceOption, replayedWords, takesLinks } from './networkHere';
import { usageError, writeJsonLine, writeNote, writeText } from './output';
import { stopSignal } from './runTests';

interface QueryOptions extends NetworkOptions {
  json?: true;
  source?: string;
  only?: true;
  limit: number;
}

/** Hits that are told without `--limit`. */
const usualHits = 100;
const mostHits = 10_000;

/** `query QUESTION HASH|FILE…`: all hits of a question in recordings, at once. */
export function registerQueryCommand(program: Command): void {
  const command = program
    .command('query')
    .summary('ask recordings: runs of a line, calls, writes, messages, changes')
    .description(
      [
        'Runs the transactions of a trace, or all of a test, again and shows every hit of a question:',
        '  line FILE:LINE [VALUE, …]  all runs of a line, with values there: line counter.tolk:31 by, c4.value',
        '  calls FUNCTION             all calls, with arguments and results',
        "  writes CONTRACT.FIELD      all writes that changed a field of a contract's data, before and after",
        '  sends [to ACCOUNT]         all messages that were sent',
        '  changes EXPRESSION         all steps at which an expression has another value: changes c4.total * 2',
        'Each execution names the command that goes to its first hit. What is unknown is told.',
      ].join('\n'),
    )
    .argument('<question>', 'one of the questions above, in quotes')
    .argument('<what...>', replayedWords)
    .option('--only', 'ask only the transaction or record that is named')
    .option('--limit <n>', 'hits to show; all are counted', parseLimit, usualHits);
  addJsonOptions(
    command,
    'print the answer as one JSON line',
    async () => (await import('./queryAnswer')).queryAnswerSchema,
  );
  takesLinks(addNetworkOptions(addSourceOption(command)), 1).action(
    async (question: string, what: string[], options: QueryOptions) => {
      await query(question, what, options);
    },
  );
}

/** @throws WorkbenchError `usage` (input) */
function parseLimit(text: string): number {
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > mostHits) {
    throw usageError(`--limit ${JSON.stringify(text)} is not a number from 1 to ${mostHits}.`);
  }
  return limit;
}

async function query(text: string, what: readonly string[], options: QueryOptions): Promise<void> {
  const [{ readQuestion }, { queryPrograms }, { goToHit, queryAnswer }, { openNamed }] = await Promise.all([
    import('../toolkit/debug/query/readQuestion'),
    import('../toolkit/debug/query/queryPrograms'),
    import('./queryAnswer'),
    import('./debug'),
  ]);
  const question = readQuestion(text);
  const programs: DebugProgram[] = [];
  for (const one of what) {
    programs.push(await openNamed(one, undefined, [], options));
  }
  const bounds = { most: options.limit, isOnlyFirst: options.only === true };
  const answer = await queryPrograms(programs, question, bounds, stopSignal());
  if (options.json === true) {
    writeJsonLine(queryAnswer(text, answer));
  } else {
    const [{ hitLines }, { shownFile }] = await Promise.all([
      import('../toolkit/debug/query/hitLines'),
      import('./linesHere'),
    ]);
    const goTo = (execution: number, step: number): string | undefined =>
      goToHit(answer.executions[execution], step);
    writeText(hitLines(answer, { fileName: shownFile, goTo }).join('\n'));
    answer.notes.forEach(writeNote);
  }
  const failed = answer.executions.filter(({ problem }) => problem !== undefined);
  if (failed.length > 0) {
    const { WorkbenchError } = await import('../toolkit/base/errors');
    throw new WorkbenchError({
      code: 'query-incomplete',
      kind: 'failed',
      message: `${failed.length} of ${answer.executions.length} executions could not be asked. ${failed[0]?.name}: ${failed[0]?.problem}`,
      hint: 'The answer has the hits of the others. Add --only to ask just the one that you name.',
    });
  }
}
