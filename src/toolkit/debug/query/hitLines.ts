import { formatTable } from '../../base/formatTable';
import { visibleText } from '../../base/text';
import { counted } from '../../trace/figures';
import type { QueryAnswer, QueryHit } from './queryPrograms';

/** Longest words of a hit, in characters. */
const longest = 160;

/** How hits are shown. */
export interface HitNames {
  fileName: (file: string) => string;
  /** The command that goes to a step of an execution; undefined if there is none. */
  goTo: (execution: number, step: number) => string | undefined;
}

/** The answer as lines: for each execution how to go there, and its hits below; then how many there are. */
export function hitLines({ hits, total, executions }: QueryAnswer, { fileName, goTo }: HitNames): string[] {
  const lines: string[] = [];
  for (const [index, { name }] of executions.entries()) {
    const own = hits.filter(({ execution }) => execution === index);
    const [first] = own;
    if (first !== undefined) {
      const command = goTo(index, first.step);
      lines.push(
        `${visibleText(name)}${command === undefined ? '' : `   ${command}`}`,
        ...formatTable(
          own.map((hit) => [`  step ${hit.step}`, placeText(hit, fileName), hitText(hit)]),
          ['left', 'left', 'left'],
        ),
        '',
      );
    }
  }
  const where = executions.filter((one) => one.hits > 0).length;
  const asked = executions.filter(({ problem }) => problem === undefined).length;
  const shown = hits.length < total ? `; the first ${hits.length} are shown` : '';
  return [
    ...lines,
    total === 0
      ? `No hits in ${counted(asked, 'execution')}.`
      : `${counted(total, 'hit')} in ${where} of ${counted(asked, 'execution')}${shown}.`,
  ];
}

function placeText({ place }: QueryHit, fileName: HitNames['fileName']): string {
  return place === undefined ? '' : `${visibleText(fileName(place.file))}:${place.line}`;
}

function hitText({ title, undone }: QueryHit): string {
  return `${visibleText(title, longest)}${undone === undefined ? '' : ` (not kept: ${undone})`}`;
}
