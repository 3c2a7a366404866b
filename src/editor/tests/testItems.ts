import * as vscode from 'vscode';
import { escapePattern } from '../../toolkit/base/text';
import type { WrittenTest } from '../../toolkit/testRuns/parseTestFile';
import { namePattern, parseTestFile } from '../../toolkit/testRuns/parseTestFile';
import { rowsOf } from './chosenTests';
import type { TestFile } from './testFiles';

/** A row of the Test Explorer. */
interface ListedTest {
  /** Its file, and what it is written as; undefined for a file, and for a test that only the runner knows. */
  path: readonly WrittenTest[];
  /** The full name that the runner has reported, of a test whose name is computed. */
  reported?: string;
  /** For the full names of a written test; made when it is first needed. */
  names?: RegExp;
}

/** The tests of the workspace as rows: file, suites, tests. What a loop makes stands below the line that makes it. */
export class TestItems {
  readonly #listed = new WeakMap<vscode.TestItem, ListedTest>();

  constructor(private readonly controller: vscode.TestController) {}

  /** Shows the tests of a file; undefined removes it. */
  update(uri: vscode.Uri, file: TestFile | undefined): void {
    const id = uri.toString();
    if (file === undefined || file.tests.length === 0) {
      this.controller.items.delete(id);
      return;
    }
    const known = this.controller.items.get(id);
    const item = known ?? this.controller.createTestItem(id, vscode.workspace.asRelativePath(uri), uri);
    this.#fill(item, uri, file.tests, []);
    if (known === undefined) {
      this.controller.items.add(item);
    }
  }

  #fill(
    parent: vscode.TestItem,
    uri: vscode.Uri,
    tests: readonly WrittenTest[],
    above: readonly WrittenTest[],
  ): void {
    const seen = new Map<string, number>();
    const items = tests.map((test, index) => {
      const times = (seen.get(test.name) ?? 0) + 1;
      seen.set(test.name, times);
      const id = `${parent.id}\n${test.name}${times === 1 ? '' : `\r${times}`}`;
      const item = parent.children.get(id) ?? this.controller.createTestItem(id, test.name, uri);
      item.range = new vscode.Range(test.line - 1, 0, test.end - 1, 0);
      item.sortText = String(index).padStart(5, '0');
      const path = [...above, test];
      this.#listed.set(item, { path });
      if (test.kind === 'suite') {
        this.#fill(item, uri, test.children, path);
      }
      return item;
    });
    const reported = [...parent.children].map(([, one]) => one).filter((one) => this.#isOnlyReported(one));
    parent.children.replace([...items, ...reported]);
  }

  #isOnlyReported(item: vscode.TestItem): boolean {
    return this.#listed.get(item)?.reported !== undefined;
  }

  /** The row of a test that ran; it is made if the file does not write it down as it is. */
  of(uri: vscode.Uri, name: string): vscode.TestItem | undefined {
    const file = this.controller.items.get(uri.toString());
    if (file === undefined) {
      return undefined;
    }
    const written = rowsOf(file).filter((item) => {
      const listed = this.#listed.get(item);
      return listed !== undefined && fits(listed, name);
    });
    const exact = written.find((item) => this.#isExact(item, name));
    if (exact !== undefined) {
      return exact;
    }
    const parent = written[0] ?? file;
    const path = this.#listed.get(parent)?.path ?? [];
    const id = `${parent.id}\n\n${name}`;
    const known = parent.children.get(id);
    const item = known ?? this.controller.createTestItem(id, shortName(path, name), uri);
    item.range = parent === file ? undefined : parent.range;
    this.#listed.set(item, { path, reported: name });
    if (known === undefined) {
      parent.children.add(item);
    }
    return item;
  }

  #isExact(item: vscode.TestItem, name: string): boolean {
    const { path = [], reported } = this.#listed.get(item) ?? {};
    return reported === name || (reported === undefined && path.every(({ parts }) => parts.length === 1));
  }

  /** A regular expression for the full names of a row's tests; undefined for a whole file. */
  pattern(item: vscode.TestItem): string | undefined {
    const { path = [], reported } = this.#listed.get(item) ?? {};
    if (reported !== undefined) {
      return `^${escapePattern(reported)}$`;
    }
    return path.length === 0 ? undefined : namePattern(path);
  }
}

/** The line, from 1, of the test with a full name in a file's text; 1 if it is not written there as it is. */
export function placeOfTest(text: string, name: string): number {
  const lineIn = (tests: readonly WrittenTest[], above: readonly WrittenTest[]): number | undefined => {
    for (const test of tests) {
      const path = [...above, test];
      const line = fits({ path }, name) ? test.line : lineIn(test.children, path);
      if (line !== undefined) {
        return line;
      }
    }
    return undefined;
  };
  return lineIn(parseTestFile(text), []) ?? 1;
}

function fits(listed: ListedTest, name: string): boolean {
  const { path, reported } = listed;
  if (reported !== undefined) {
    return reported === name;
  }
  return path.at(-1)?.kind === 'test' && (listed.names ??= new RegExp(namePattern(path), 's')).test(name);
}

/** A name without those of the suites that it is below. */
function shortName(path: readonly WrittenTest[], name: string): string {
  const above = path
    .slice(0, -1)
    .map((one) => `${one.name} `)
    .join('');
  return name.startsWith(above) ? name.slice(above.length) : name;
}
