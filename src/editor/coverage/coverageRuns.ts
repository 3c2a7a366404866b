import * as vscode from 'vscode';
import type { BranchCoverage, SourceCoverage } from '../../toolkit/sourceMap/coverageBook';
import { visibleText } from '../../toolkit/base/text';

/** A coverage to show. */
interface ShownCoverage {
  /** `Coverage of Counter on TON Local`. */
  title: string;
  /** Sentences about what was counted, and what was left out. */
  notes: readonly string[];
  files: readonly SourceCoverage[];
}

/** Shows coverage in the editor's own coverage view. */
export class CoverageRuns implements vscode.Disposable {
  readonly #controller = vscode.tests.createTestController('tonWorkbench.coverage', 'TON Contract Coverage');
  readonly #profile: vscode.TestRunProfile;

  /** @param again runs the last coverage again, as the editor's "Rerun Last Run with Coverage" asks */
  constructor(again: () => unknown) {
    this.#profile = this.#controller.createRunProfile('Coverage', vscode.TestRunProfileKind.Coverage, () => {
      again();
    });
    this.#profile.loadDetailedCoverage = (_run, file) => Promise.resolve(coverageDetails(file));
  }

  async show({ title, notes, files }: ShownCoverage): Promise<void> {
    const covered = await Promise.all(files.map(fileCoverage));
    const request = new vscode.TestRunRequest(undefined, undefined, this.#profile);
    const run = this.#controller.createTestRun(request, title);
    run.appendOutput([title, ...notes].map((line) => `${visibleText(line)}\r\n`).join(''));
    covered.forEach((file) => run.addCoverage(file));
    run.end();
  }

  dispose(): void {
    this.#controller.dispose();
  }
}

/** What the two ways of a branch are called, in their order. */
const ways: Readonly<Record<BranchCoverage['kind'], readonly [string, string]>> = {
  assert: ['threw', 'went on'],
  choice: ['true', 'false'],
};

const detailed = new WeakMap<vscode.FileCoverage, vscode.FileCoverageDetail[]>();

/** The lines, functions, and branches of a file in a coverage. */
export function coverageDetails(file: vscode.FileCoverage): vscode.FileCoverageDetail[] {
  return detailed.get(file) ?? [];
}

/** What ran of a source, in the terms of the editor's coverage view: lines are its statements. */
export async function fileCoverage({
  file,
  lines,
  functions,
  branches,
}: SourceCoverage): Promise<vscode.FileCoverage> {
  const uri = vscode.Uri.file(file);
  const document = await vscode.workspace.openTextDocument(uri);
  const at = (line: number): vscode.Range => textOf(document, line);
  const statements = [...lines].map(
    ([line, hits]) => new vscode.StatementCoverage(hits, at(line), branchesAt(branches, line)),
  );
  const declarations = functions.map(
    ({ name, line, calls }) => new vscode.DeclarationCoverage(name, calls, at(line)),
  );
  const details = [...statements, ...declarations];
  const covered = vscode.FileCoverage.fromDetails(uri, details);
  detailed.set(covered, details);
  return covered;
}

/** The ways of a line's branches; several branches are numbered. */
function branchesAt(branches: readonly BranchCoverage[], line: number): vscode.BranchCoverage[] {
  const here = branches.filter((one) => one.line === line);
  return here.flatMap(({ kind, ways: counts }, index) =>
    counts.map((hits, way) => {
      const label = ways[kind][way]!;
      return new vscode.BranchCoverage(
        hits,
        undefined,
        here.length === 1 ? label : `${label} (${index + 1} of ${here.length})`,
      );
    }),
  );
}

/** A line without its indent; the last one if the file is shorter by now. */
function textOf(document: vscode.TextDocument, line: number): vscode.Range {
  const { range, firstNonWhitespaceCharacterIndex } = document.lineAt(Math.min(line, document.lineCount) - 1);
  return range.with(range.start.translate(0, firstNonWhitespaceCharacterIndex));
}
