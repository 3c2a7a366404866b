import type { CallSheet, CallSheetProblem, Place, SheetStep } from './callSheet';
import { accountsOfSheet, attempt, checkStep, mayBeTyped } from './checkSteps';
import { namesIn, textsOfSheet } from './textsOfSheet';
import type { CheckedProblem, SheetKnowledge, StepChecking } from './sheetValues';
import { SheetValues } from './sheetValues';

/** Checks a sheet without running it: parser errors, unknown networks, and values against known names and types. */
export function checkCallSheet(sheet: CallSheet, knowledge: SheetKnowledge): CheckedProblem[] {
  const problems: CheckedProblem[] = sheet.problems.filter((problem) => problem.isUntyped !== true);
  const add = (problem: CheckedProblem): void => {
    // Problems at a position that already has one are most likely consequences; an unknown name is reported
    // once.
    const isTold = problem.name !== undefined && problems.some(({ name }) => name === problem.name);
    if (!isTold && !problems.some((one) => overlaps(one, problem))) {
      problems.push(problem);
    }
  };
  for (const placed of [sheet.network, ...new Set(sheet.steps.map(({ network }) => network))]) {
    if (placed !== undefined && !knowledge.hasNetwork(placed.text)) {
      add({ ...placeOf(placed), message: `There is no network “${placed.text}”.` });
    }
  }
  const checking: StepChecking = { sheet, knowledge, add };
  checkVariables(checking);
  for (const step of sheet.steps) {
    if (!checkStep(checking, step)) {
      checkUntyped(checking, step);
    }
  }
  return problems.sort((a, b) => a.offset - b.offset);
}

function checkVariables({ sheet, knowledge, add }: StepChecking): void {
  const accounts = knowledge.accounts(sheet.network?.text);
  const variables = sheet.variables.filter(({ answer }) => answer === undefined);
  if (accounts === undefined) {
    variables.forEach(({ value }) => untypedIn(sheet, value).forEach(add));
    return;
  }
  const known = accountsOfSheet(sheet, accounts).accounts;
  const values = new SheetValues({
    accounts: known,
    codes: knowledge.codes?.(textsOfSheet(sheet)),
    readFile: knowledge.readFile,
  });
  const broken = new Set<string>();
  for (const variable of variables) {
    const isConsequence =
      variable.value.text === '' || namesIn(variable.value).some(({ text }) => broken.has(text));
    const read = attempt(() => values.readVariable(variable), isConsequence ? undefined : add);
    if (read === undefined) {
      broken.add(`@${variable.name.text}`);
    }
  }
}

/** Errors in a step that do not depend on names; those of variables are reported at their own positions. */
function checkUntyped({ sheet, add }: StepChecking, step: SheetStep): void {
  if (step.kind === 'call') {
    untypedIn(sheet, step.arguments)
      .filter((problem) => !mayBeTyped(step, problem))
      .forEach(add);
  }
  step.expectations.forEach(({ value }) => untypedIn(sheet, value).forEach(add));
}

function untypedIn({ problems }: CallSheet, { offset, length }: Place): CallSheetProblem[] {
  return problems.filter(
    (problem) => problem.isUntyped === true && problem.offset >= offset && problem.offset <= offset + length,
  );
}

function overlaps(a: Place, b: Place): boolean {
  return a.offset < b.offset + Math.max(1, b.length) && b.offset < a.offset + Math.max(1, a.length);
}

function placeOf({ offset, length }: Place): Place {
  return { offset, length };
}
