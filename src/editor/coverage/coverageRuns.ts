import * as vscode from 'vscode';
import type { SourceCoverage } from '../../toolkit/sourceMap/coverageBook';
import { visibleText } from '../../toolkit/text';
import { fileDetails } from './fileDetails';

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
  readonly #details = new WeakMap<vscode.FileCoverage, vscode.FileCoverageDetail[]>();

  /** @param again runs the last coverage again, as the editor's "Rerun Last Run with Coverage" asks */
  constructor(again: () => unknown) {
    this.#profile = this.#controller.createRunProfile('Coverage', vscode.TestRunProfileKind.Coverage, () => {
      again();
    });
    this.#profile.loadDetailedCoverage = (_run, file) => Promise.resolve(this.#details.get(file) ?? []);
  }

  async show({ title, notes, files }: ShownCoverage): Promise<void> {
    const read = await Promise.all(files.map(fileDetails));
    const request = new vscode.TestRunRequest(undefined, undefined, this.#profile);
    const run = this.#controller.createTestRun(request, title);
    run.appendOutput([title, ...notes].map((line) => `${visibleText(line)}\r\n`).join(''));
    for (const { uri, details } of read) {
      const file = vscode.FileCoverage.fromDetails(uri, details);
      this.#details.set(file, details);
      run.addCoverage(file);
    }
    run.end();
  }

  dispose(): void {
    this.#controller.dispose();
  }
}
