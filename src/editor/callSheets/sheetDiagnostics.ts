import * as vscode from 'vscode';
import { checkCallSheet } from '../../toolkit/callSheet/checkCallSheet';
import type { StepOutcome } from '../../toolkit/workflows/sheetRunTypes';
import type { Place, SheetStep } from '../../toolkit/callSheet/callSheet';
import { parsedSheet } from './parsedSheet';
import type { ContractsOfSheets } from './contractsOfSheets';
import type { SheetRuns } from './sheetRuns';

/** Milliseconds; long enough not to flag a word while it is being typed. */
const quietMs = 250;

/** Problems in open call sheets while typing, and unmet expectations of their last run. */
export class SheetDiagnostics implements vscode.Disposable {
  readonly #contracts: ContractsOfSheets;
  readonly #runs: SheetRuns;
  readonly #shown = vscode.languages.createDiagnosticCollection('toncall');
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(contracts: ContractsOfSheets, runs: SheetRuns) {
    this.#contracts = contracts;
    this.#runs = runs;
  }

  dispose(): void {
    this.#timers.forEach((timer) => clearTimeout(timer));
    this.#shown.dispose();
  }

  /** Checks the document again once there was no change for a moment. */
  schedule(document: vscode.TextDocument, ms = quietMs): void {
    const key = document.uri.toString();
    clearTimeout(this.#timers.get(key));
    this.#timers.set(
      key,
      setTimeout(() => {
        this.#timers.delete(key);
        this.update(document);
      }, ms),
    );
  }

  update(document: vscode.TextDocument): void {
    if (document.isClosed) {
      this.remove(document);
      return;
    }
    const sheet = parsedSheet(document);
    const problems = checkCallSheet(sheet, this.#contracts.forChecks(document)).map((problem) =>
      diagnostic(
        document,
        problem,
        problem.suggestion === undefined ? problem.message : `${problem.message} ${problem.suggestion}`,
        problem.isWarning === true ? vscode.DiagnosticSeverity.Warning : vscode.DiagnosticSeverity.Error,
      ),
    );
    const failures = sheet.steps.flatMap((call) => {
      const last = this.#runs.last(document, call);
      return last === undefined ? [] : failuresOf(call, last);
    });
    this.#shown.set(document.uri, [
      ...problems,
      ...failures
        .map(({ place, message }) => diagnostic(document, place, message, vscode.DiagnosticSeverity.Error))
        // Problems that prevented the call are already reported.
        .filter(({ range }) => !problems.some((one) => one.range.isEqual(range))),
    ]);
  }

  remove({ uri }: vscode.TextDocument): void {
    clearTimeout(this.#timers.get(uri.toString()));
    this.#timers.delete(uri.toString());
    this.#shown.delete(uri);
  }
}

/** Unmet expectations, each at its position, with expected and actual values if known. */
export function failuresOf(
  call: SheetStep,
  outcome: StepOutcome,
): { place: Place; message: string; expected?: string; actual?: string }[] {
  const checks = outcome.checks.flatMap(({ expectation, failure, expected, actual }) =>
    failure === undefined || !outcome.failures.includes(failure)
      ? []
      : [
          {
            place: expectation,
            message: failure,
            expected: `${expectation.comparison === '==' ? '' : `${expectation.comparison} `}${expected}`,
            ...(actual === undefined ? {} : { actual }),
          },
        ],
  );
  const told = new Set(checks.map(({ message }) => message));
  const { offset = call.offset, length = call.length } = (outcome.error?.details ?? {}) as Partial<Place>;
  const others = outcome.failures
    .filter((failure) => !told.has(failure))
    .map((failure) => ({
      place: { offset, length },
      message: failure,
    }));
  return [...others, ...checks];
}

function diagnostic(
  document: vscode.TextDocument,
  place: Place,
  message: string,
  severity: vscode.DiagnosticSeverity,
): vscode.Diagnostic {
  const made = new vscode.Diagnostic(rangeOf(document, place), message, severity);
  made.source = 'TON';
  return made;
}

/**
 * A position in the sheet as a range in the editor; an empty one is extended to the previous character, so
 * that it is visible.
 */
export function rangeOf(document: vscode.TextDocument, { offset, length }: Place): vscode.Range {
  const start = length === 0 ? Math.max(0, offset - 1) : offset;
  return new vscode.Range(document.positionAt(start), document.positionAt(offset + length));
}
