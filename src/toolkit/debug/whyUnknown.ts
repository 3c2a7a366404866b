import { whyUnread } from '../sourceMap/messageWords';
import { variablesOf } from '../sourceMap/knownValues';
import { lastWord } from '../sourceMap/sourceFunctions';
import { visibleText } from '../text';
import type { RunView } from './runView';

/** Why a name has no value at a step, as the end of a sentence. */
export function whyUnknown({ run, calls, recording, line }: RunView, step: number, path: string): string {
  const [name = ''] = path.split('.', 1);
  const shown = visibleText(name, 60);
  const { lines } = run;
  if (lines === undefined) {
    return 'no source is known to compile to this code, so only s0, c4, c5, and c7 have names';
  }
  const { map } = lines;
  const around = calls.list[calls.at[step] ?? -1];
  const place = map.places[line[step] ?? -1];
  const declared = variablesOf(map, place).filter((one) => one.name === name);
  const now = place?.line ?? 0;
  const variable = declared.findLast((one) => one.line <= now && now <= one.end);
  if (variable !== undefined) {
    const unread = whyUnread(recording, map, variable);
    return unread ?? `no instruction up to here has kept a value of ${shown} on the stack`;
  }
  const [later] = declared;
  if (later !== undefined) {
    return later.line > now
      ? `${shown} is declared in line ${later.line}, which comes later`
      : `${shown} is gone: it is declared in line ${later.line}, in a block that has ended`;
  }
  if (map.constants.some((one) => one.name === name)) {
    return `${shown} is a constant, but its source does not tell a number`;
  }
  if (map.functions.some((one) => lastWord(one.name) === name)) {
    return `${shown} is a function`;
  }
  const where = around === undefined ? 'here' : `in ${visibleText(around.name, 60)}`;
  return `there is no variable ${shown} ${where}, nor a global or a constant of this name in its sources`;
}
